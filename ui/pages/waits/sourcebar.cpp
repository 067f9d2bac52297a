// SPDX-License-Identifier: MIT
#include "sourcebar.h"

#include "ui/style/paletteicon.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/inspectorparts.h"
#include "ui/widgets/mutedlabel.h"
#include "waittext.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

SourceBar::SourceBar(QWidget *parent)
    : QFrame(parent)
    , m_title(new QToolButton(this))
    , m_note(new MutedLabel({}, this))
{
    m_title->setAutoRaise(true);
    m_title->setArrowType(Qt::RightArrow);
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_title->setToolTip(tr("What cannot be seen on this server, why, and what would add it"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, 0, kSpaceSection, 0);
    column->setSpacing(0);
    m_note->setWordWrap(true);
    m_note->setMinimumHeight(m_title->sizeHint().height());
    auto *line = new QHBoxLayout;
    line->setSpacing(kSpaceSection);
    line->addWidget(m_title, 0, Qt::AlignLeft | Qt::AlignTop);
    line->addWidget(m_note, 1);
    column->addLayout(line);
    connect(m_title, &QToolButton::clicked, this, [this] { open(!m_isOpen); });
    hide();
}

void SourceBar::setSources(const QList<SourceStatus> &sources)
{
    QList<SourceStatus> limited;
    for (SourceStatus status : sources) {
        if (!status.isLimited())
            continue;
        if (!status.isCut)
            status.rows = 0; // not told, and different at each look
        limited.append(status);
    }
    if (limited == m_limited)
        return; // what is selected here stays selected
    m_limited = limited;
    m_title->setText(tr("%n source(s) are limited", nullptr, int(limited.size())));
    showLine();
    showBody();
}

void SourceBar::open(bool isOpen)
{
    m_isOpen = isOpen;
    m_title->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
    showBody();
}

void SourceBar::setNote(const QString &note)
{
    m_note->setText(note);
    showLine();
}

void SourceBar::showLine()
{
    m_title->setVisible(!m_limited.isEmpty());
    m_note->setVisible(!m_note->text().isEmpty());
    setVisible(!m_limited.isEmpty() || !m_note->text().isEmpty());
    update();
}

void SourceBar::showBody()
{
    delete m_body;
    m_body = nullptr;
    if (!m_isOpen || m_limited.isEmpty())
        return;
    m_body = new QWidget(this);
    m_body->setMaximumWidth(forType(2 * kFormMaxWidth));
    auto *grid = new QGridLayout(m_body);
    grid->setContentsMargins(kSpaceSection, kSpaceInGroup, 0, kSpace);
    grid->setHorizontalSpacing(kSpaceSection);
    grid->setVerticalSpacing(kSpaceInGroup);
    grid->setColumnStretch(1, 1);
    for (const SourceStatus &status : std::as_const(m_limited))
        addSource(grid, status);
    layout()->addWidget(m_body);
}

void SourceBar::addSource(QGridLayout *grid, const SourceStatus &status)
{
    const int row = grid->rowCount();
    QLabel *name = makeLabel(m_body);
    name->setWordWrap(false);
    name->setText(tr("%1: %2").arg(WaitText::source(status.source), WaitText::sourceState(status)));
    QLabel *reason = makeLabel(m_body);
    reason->setText(CommonText::note(status.reason.toUtf8()));
    grid->addWidget(name, row, 0, Qt::AlignTop);
    grid->addWidget(reason, row, 1);
    if (status.remedy.isEmpty())
        return;
    QLabel *remedy = makeLabel(m_body);
    remedy->setFont(fixedFont());
    remedy->setText(status.remedy);
    auto *copy = new QToolButton(m_body);
    copy->setIcon(svgIcon(u"copy"_s));
    copy->setAutoRaise(true);
    copy->setToolTip(tr("Copy what would add it"));
    copy->setAccessibleName(copy->toolTip());
    connect(copy, &QToolButton::clicked, this, [text = status.remedy] { QGuiApplication::clipboard()->setText(text); });
    grid->addWidget(remedy, row + 1, 1);
    grid->addWidget(copy, row + 1, 2, Qt::AlignTop);
}

bool SourceBar::fold()
{
    const bool wasOpen = isVisible() && m_isOpen;
    open(false);
    return wasOpen;
}

void SourceBar::paintEvent(QPaintEvent *)
{
    if (m_limited.isEmpty())
        return; // nothing to mend
    QPainter painter(this);
    QColor color = markColor(Mark::Waiting, palette());
    painter.fillRect(QRect(0, 0, 4, height()), color);
    color.setAlphaF(isDark(palette()) ? 0.12F : 0.07F);
    painter.fillRect(rect(), color);
}

} // namespace lockscope::ui
