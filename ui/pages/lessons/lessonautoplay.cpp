// SPDX-License-Identifier: MIT
#include "lessonautoplay.h"

#include "ui/style/theme.h"

#include <QtCore/QSettings>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>

namespace lockscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr auto kSpeedKey = "lessons/speed"; ///< milliseconds

} // namespace

LessonAutoPlay::LessonAutoPlay(QWidget *parent)
    : QWidget(parent)
    , m_button(new QPushButton(tr("Auto-play"), this))
    , m_speed(new QComboBox(this))
{
    m_button->setCheckable(true);
    m_button->setToolTip(tr("Plays on by itself; stops at questions, and after a wrong answer"));
    const std::pair<QString, std::chrono::milliseconds> speeds[] = {
        {tr("Slow"), 5s}, {tr("Normal"), 2500ms}, {tr("Fast"), 1s}};
    for (const auto &[name, interval] : speeds)
        m_speed->addItem(name, qlonglong(interval.count()));
    m_speed->setAccessibleName(tr("How fast Auto-play goes"));
    const int kept = m_speed->findData(QSettings().value(QLatin1String(kSpeedKey)).toLongLong());
    m_speed->setCurrentIndex(kept < 0 ? 1 : kept);
    setSpeed();
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kSpaceInGroup);
    row->addWidget(m_button);
    row->addWidget(m_speed);
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] {
        QSettings().setValue(QLatin1String(kSpeedKey), m_speed->currentData());
        setSpeed();
    });
    connect(m_button, &QPushButton::toggled, this, [this](bool isOn) {
        if (!isOn)
            return m_timer.stop();
        m_timer.start();
        Q_EMIT due();
    });
    connect(&m_timer, &QTimer::timeout, this, &LessonAutoPlay::due);
}

void LessonAutoPlay::setSpeed()
{
    const std::chrono::milliseconds interval(m_speed->currentData().toLongLong());
    m_timer.setInterval(interval);
    m_speed->setToolTip(tr("Auto-play: a step every %L1 s").arg(double(interval.count()) / 1000));
}

bool LessonAutoPlay::isOn() const
{
    return m_button->isChecked();
}

void LessonAutoPlay::stop()
{
    m_button->setChecked(false);
}

void LessonAutoPlay::setOffered(bool isOffered)
{
    m_button->setEnabled(isOffered);
}

} // namespace lockscope::ui
