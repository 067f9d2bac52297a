// SPDX-License-Identifier: MIT
#include "lessonfaultbox.h"

#include "lessonfiles.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/inspectorparts.h"

#include <QtCore/QFileInfo>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LessonFaultBox::LessonFaultBox(QWidget *parent)
    : QWidget(parent)
    , m_title(makeLabel(this))
    , m_reason(makeLabel(this))
    , m_line(makeLabel(this))
    , m_again(new QPushButton(tr("Read it again"), this))
    , m_takeOff(new QPushButton(tr("Take it off the list"), this))
{
    m_title->setFont(headlineFont());
    m_line->setFont(fixedFont());
    m_takeOff->setToolTip(tr("The file stays as it is"));
    auto *buttons = new QWidget(this);
    auto *row = new FlowLayout(kSpace, buttons);
    row->addWidget(m_again);
    row->addWidget(m_takeOff);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpaceSection, kSpace);
    column->setSpacing(kSpace);
    for (QLabel *label : {m_title, m_reason, m_line})
        column->addWidget(label);
    column->addWidget(buttons);
    column->addStretch(1);
    connect(m_again, &QPushButton::clicked, this, &LessonFaultBox::readAgain);
    connect(m_takeOff, &QPushButton::clicked, this, [this] { Q_EMIT takenOff(m_path); });
}

void LessonFaultBox::show(const LessonFile &file)
{
    const LessonFault fault = file.fault() ? *file.fault() : LessonFault();
    m_path = file.path;
    const bool isGone = LessonFiles::isGone(file.path);
    const QString name = CommonText::note(QFileInfo(file.path).fileName().toUtf8());
    m_title->setText(isGone ? tr("%1 is gone").arg(name) : tr("%1 is no lesson yet").arg(name));
    const QString path = CommonText::note(file.path.toUtf8());
    const QString reason = CommonText::note(fault.reason.toUtf8());
    if (isGone)
        m_reason->setText(tr("There is no file %1 any more.").arg(breakable(path)));
    else // as lockctl says it
        m_reason->setText(breakable(fault.line > 0 ? u"%1:%2: %3"_s.arg(path).arg(fault.line).arg(reason)
                                                   : u"%1: %2"_s.arg(path, reason)));
    const QByteArray line = fault.line > 0 ? file.source.split('\n').value(fault.line - 1).trimmed() : QByteArray();
    m_line->setText(CommonText::note(line));
    m_line->setVisible(!line.isEmpty());
}

QString LessonFaultBox::text() const
{
    return QStringList{m_title->text(), m_reason->text(), m_line->text()}.join(u'\n');
}

} // namespace lockscope::ui
