// SPDX-License-Identifier: MIT
#include "lessonspeed.h"

#include <QtCore/QSettings>

namespace lockscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr auto kSpeedKey = "lessons/speed"; ///< milliseconds

} // namespace

LessonSpeed::LessonSpeed(QWidget *parent)
    : QComboBox(parent)
{
    const std::pair<QString, std::chrono::milliseconds> speeds[] = {
        {tr("Slow, 5 s"), 5s}, {tr("Normal, 2.5 s"), 2500ms}, {tr("Fast, 1 s"), 1s}};
    for (const auto &[name, interval] : speeds)
        addItem(name, qlonglong(interval.count()));
    setToolTip(tr("How long Auto-play stays at a step"));
    setAccessibleName(toolTip());
    const int kept = findData(QSettings().value(QLatin1String(kSpeedKey), 2500).toLongLong());
    setCurrentIndex(kept < 0 ? 1 : kept);
    connect(this, &QComboBox::currentIndexChanged, this, [this] {
        QSettings().setValue(QLatin1String(kSpeedKey), currentData());
        Q_EMIT intervalChanged(interval());
    });
}

std::chrono::milliseconds LessonSpeed::interval() const
{
    return std::chrono::milliseconds(currentData().toLongLong());
}

} // namespace lockscope::ui
