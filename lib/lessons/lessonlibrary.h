// SPDX-License-Identifier: MIT
// The lessons that come with Lockscope: sql/lessons/<language>/<id>.md, built into the program.
#pragma once

#include "lessonreader.h"

namespace lockscope {

/// In the order of the course, then by name. `language` is "en" or "zh_CN"; what is not there in it is in English.
QStringList lessonIds();
/// The file as it is; empty when there is none of this name.
QByteArray lessonSource(const QString &id, const QString &language = QStringLiteral("en"));
/// Those of the library are right, which a test sees to.
std::variant<Lesson, LessonFault> libraryLesson(const QString &id, const QString &language = QStringLiteral("en"));
/// Lessons of the library, in its order, with what their heads say alone; read once for
/// each language, which takes some 20 ms.
struct LessonTitle
{
    QString id;
    QString title;
};
QList<LessonTitle> lessonsOfScenario(const QString &scenario, const QString &language);
QList<LessonTitle> lessonsOfShape(WaitShape shape, const QString &language);
/// A lesson to begin a new one with.
QByteArray lessonSkeleton(const QString &id);

} // namespace lockscope
