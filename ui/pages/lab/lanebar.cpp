// SPDX-License-Identifier: MIT
#include "lanebar.h"

#include "laneview.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

LaneBar::LaneBar(LaneView *view, QWidget *parent)
    : QWidget(parent)
    , m_view(view)
    , m_buttons(new QHBoxLayout)
    , m_sentence(new QLabel(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpaceInGroup);
    auto *row = m_buttons;
    column->addLayout(row);
    row->setSpacing(kSpaceInGroup);
    using Speed = LaneView::Speed;
    const struct
    {
        Speed speed;
        QString text;
        QString tip;
    } speeds[] = {
        {Speed::Live, tr("Live"), tr("As it happens")},
        {Speed::Tenth, tr("1/10"), tr("Slow motion, from this moment on; the run goes on meanwhile")},
        {Speed::Hundredth, tr("1/100"), tr("Slow motion, from this moment on; the run goes on meanwhile")},
        {Speed::Paused, tr("Pause"), tr("The picture stands still; the run goes on (Space, in the picture)")}};
    for (const auto &it : speeds) {
        QToolButton *button = addButton(it.text, it.tip);
        button->setCheckable(true);
        connect(button, &QToolButton::clicked, this, [this, speed = it.speed] {
            m_view->setSpeed(speed);
            showSpeed(); // also when it was that before
        });
        m_speeds.append(button);
    }
    row->addSpacing(kSpace);
    const auto act = [this](QToolButton *button, auto action) {
        connect(button, &QToolButton::clicked, m_view, action);
    };
    act(addButton(tr("‹ Step"), tr("Back to the previous event (Left, in the picture)")),
        [view] { view->step(false); });
    act(addButton(tr("Step ›"), tr("On to the next event, and what happened there (Right, in the picture)")),
        [view] { view->step(true); });
    row->addSpacing(kSpace);
    act(addButton(tr("−"), tr("Show more time (-, in the picture, or Ctrl and the wheel)")),
        [view] { view->zoom(false); });
    act(addButton(tr("+"), tr("Show less time (+, in the picture, or Ctrl and the wheel)")),
        [view] { view->zoom(true); });
    row->addStretch(1);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setFont(headlineFont());
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentence->setMinimumHeight(2 * QFontMetrics(headlineFont()).lineSpacing()); // the lanes below stay where they are
    column->addWidget(m_sentence);
    connect(view, &LaneView::told, m_sentence, &QLabel::setText);
    connect(view, &LaneView::speedChanged, this, &LaneBar::showSpeed);
    showSpeed();
}

void LaneBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showSpeed();
}

QToolButton *LaneBar::addButton(const QString &text, const QString &tip)
{
    auto *button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(CommonText::tip(tip));
    button->setAccessibleName(text);
    m_buttons->addWidget(button);
    return button;
}

void LaneBar::showSpeed()
{
    m_sentence->setVisible(m_view->speed() != LaneView::Speed::Live);
    for (qsizetype i = 0; i < m_speeds.size(); ++i) {
        const bool isOn = i == int(m_view->speed());
        m_speeds[i]->setChecked(isOn);
        QPalette palette = this->palette();
        if (isOn) // pressed alone is hard to see in the dark
            palette.setColor(QPalette::Button, palette.color(QPalette::Highlight));
        m_speeds[i]->setPalette(palette);
    }
}

} // namespace lockscope::ui
