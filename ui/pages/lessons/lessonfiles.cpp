// SPDX-License-Identifier: MIT
#include "lessonfiles.h"

#include "lab/labplan.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QSettings>

namespace lockscope::ui {

namespace {

constexpr auto kKey = "lessons/files";

void keep(const QStringList &paths)
{
    QSettings().setValue(QLatin1String(kKey), paths);
}

} // namespace

QStringList LessonFiles::paths()
{
    return QSettings().value(QLatin1String(kKey)).toStringList();
}

QString LessonFiles::add(const QString &path)
{
    const QString whole = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    QStringList all = paths();
    if (!all.contains(whole))
        keep(all << whole);
    return whole;
}

void LessonFiles::remove(const QString &path)
{
    QStringList all = paths();
    if (all.removeAll(path) > 0)
        keep(all);
}

LessonFile LessonFiles::read(const QString &path)
{
    QStringList scenarios;
    for (const LabPlan &plan : labScenarios())
        scenarios += plan.name;
    QStringList modes;
    for (const LabWay way : allLabWays())
        modes += QString::fromLatin1(traitsOf(way).name);
    return readLessonFile(path, scenarios, modes);
}

bool LessonFiles::isGone(const QString &path)
{
    return !QFileInfo::exists(path);
}

} // namespace lockscope::ui
