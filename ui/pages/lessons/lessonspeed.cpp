// SPDX-License-Identifier: MIT
#include "lessonspeed.h"

#include <QtCore/QSettings>

namespace lockscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr auto kSpeedKey = "lessons/speed"; ///< milliseconds

QString tipOf(std::chrono::milliseconds interval)
{
    return LessonSpeed::tr("Auto-play: a step every %L1 s").arg(double(interval.count()) / 1000);
}

} // namespace

LessonSpeed::LessonSpeed(QWidget *parent)
    : QComboBox(parent)
{
    const std::pair<QString, std::chrono::milliseconds> speeds[] = {
        {tr("Slow"), 5s}, {tr("Normal"), 2500ms}, {tr("Fast"), 1s}};
    for (const auto &[name, interval] : speeds) {
        addItem(name, qlonglong(interval.count()));
        setItemData(count() - 1, tipOf(interval), Qt::ToolTipRole);
    }
    setAccessibleName(tr("How fast Auto-play goes"));
    const int kept = findData(QSettings().value(QLatin1String(kSpeedKey), 2500).toLongLong());
    setCurrentIndex(kept < 0 ? 1 : kept);
    setToolTip(tipOf(interval()));
    connect(this, &QComboBox::currentIndexChanged, this, [this] {
        QSettings().setValue(QLatin1String(kSpeedKey), currentData());
        setToolTip(tipOf(interval()));
        Q_EMIT intervalChanged(interval());
    });
}

std::chrono::milliseconds LessonSpeed::interval() const
{
    return std::chrono::milliseconds(currentData().toLongLong());
}

} // namespace lockscope::ui
