// SPDX-License-Identifier: MIT
// What runs of lessons and of the lab are called on a server. A run's name is 16 hex digits of chance.
#pragma once

#include <QtCore/QString>

namespace lockscope {

QString newRunName();
QString lessonSchemaName(const QString &run);
/// As which a lesson's sessions log in.
QString lessonUserName(const QString &run);
QString labSchemaName(const QString &run);
/// The run's name; empty when this is no such account or schema.
QString runOfLessonUser(const QString &user);
QString runOfLabSchema(const QString &schema);
/// Of a run of either.
bool isRunSchema(const QString &schema);

} // namespace lockscope
