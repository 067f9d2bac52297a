// SPDX-License-Identifier: MIT
#include "messagebar.h"

#include "ui/style/paletteicon.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtCore/QEvent>
#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

QColor levelColor(MessageBar::Level level, const QPalette &palette)
{
    switch (level) {
    case MessageBar::Level::Info:
        return markColor(Mark::Held, palette);
    case MessageBar::Level::Good:
        return markColor(Mark::Released, palette);
    case MessageBar::Level::Warning:
        return markColor(Mark::Waiting, palette);
    case MessageBar::Level::Error:
        break;
    }
    return markColor(Mark::Orphan, palette);
}

QIcon levelIcon(MessageBar::Level level)
{
    switch (level) {
    case MessageBar::Level::Info:
        return svgIcon(u"info"_s);
    case MessageBar::Level::Good:
        return markIcon(Mark::Released);
    case MessageBar::Level::Warning:
        return svgIcon(u"warning"_s);
    case MessageBar::Level::Error:
        break;
    }
    return svgIcon(u"error"_s);
}

} // namespace

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent)
    , m_clearTimer(this)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_details(new QLabel(this))
    , m_buttons(new QHBoxLayout)
    , m_close(new QToolButton(this))
{
    for (QLabel *label : {m_text, m_details}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // names and server texts may look like HTML
    }
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setFont(fixedFont());
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_close->setIcon(svgIcon(u"close"_s));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(m_close->toolTip());
    m_clearTimer.setSingleShot(true);
    connect(&m_clearTimer, &QTimer::timeout, this, &MessageBar::clearUnseen);
    connect(m_close, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT closed();
    });

    auto *words = new QVBoxLayout;
    words->setSpacing(kSpaceInGroup);
    words->addWidget(m_text);
    words->addWidget(m_details);
    m_buttons->setSpacing(kSpaceInGroup);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(kSpaceSection, kSpace, kSpace, kSpace);
    layout->setSpacing(kSpace);
    layout->addWidget(m_icon);
    layout->addLayout(words, 1);
    layout->addLayout(m_buttons);
    layout->setAlignment(m_buttons, Qt::AlignBottom); // where they stay when there is more to say
    layout->addWidget(m_close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::show(Level level, const QString &text, const QString &details)
{
    clearActions();
    m_level = level;
    showIcon();
    if (level == Level::Good)
        m_clearTimer.start(15s);
    else
        m_clearTimer.stop();
    m_text->setText(text);
    m_details->setText(details);
    m_details->setVisible(!details.isEmpty());
    setAccessibleName(text);
    setVisible(true);
    update();
}

void MessageBar::addAction(QAction *action)
{
    auto *button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_buttons->addWidget(button);
}

void MessageBar::clear()
{
    clearActions();
    m_text->clear();
    setVisible(false);
}

/// Not under the mouse: what stands above it would move just before a click.
void MessageBar::clearUnseen()
{
    if (parentWidget() && parentWidget()->underMouse())
        m_clearTimer.start(1s);
    else
        clear();
}

QString MessageBar::text() const
{
    return m_text->text();
}

void MessageBar::clearActions()
{
    while (QLayoutItem *item = m_buttons->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
}

void MessageBar::showIcon()
{
    const int side = fontMetrics().height();
    m_icon->setPixmap(levelIcon(m_level).pixmap(QSize(side, side), devicePixelRatioF()));
}

void MessageBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showIcon();
}

void MessageBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QColor color = levelColor(m_level, palette());
    painter.fillRect(QRect(0, 0, 4, height()), color);
    color.setAlphaF(isDark(palette()) ? 0.18F : 0.10F);
    painter.fillRect(rect(), color);
}

} // namespace lockscope::ui
