// SPDX-License-Identifier: MIT
#pragma once

#include "enginetest.h"

#include "lessons/lessonreader.h"
#include "lessons/lessonrun.h"

namespace lockscope::test {

/// What a server is started with so that it shows what lessons need, as the private server does.
inline QStringList lessonOptions(Family family)
{
    if (family == Family::MySql)
        return {QStringLiteral("--innodb-purge-rseg-truncate-frequency=1")};
    return {QStringLiteral("--performance-schema=ON"),
            QStringLiteral("--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON"),
            QStringLiteral("--innodb-status-output-locks=ON")};
}

/// Starts the test's server anew with them.
inline void showLocksOfLessons()
{
    TestServer &server = TestServer::instance();
    server.setOptions(lessonOptions(server.family()));
    server.restart();
}

/// "x.md", of these steps, on both families.
inline QByteArray fileOf(const QByteArray &steps, const QByteArray &setup)
{
    return "---\nid: x\ntitle: x\nsummary: x\nlevel: basic\ntags: [x]\nservers: [mariadb, mysql]\n"
           "isolation: [rr]\n---\n```sql setup\n"
        + setup + "\n```\n" + steps;
}

/// The lesson of that.
inline Lesson lessonOf(const QByteArray &steps,
                       const QByteArray &setup = "CREATE TABLE t(id INT PRIMARY KEY, v INT);\n"
                                                 "INSERT INTO t VALUES(1,0),(2,0);")
{
    const auto lesson = readLesson(fileOf(steps, setup), QStringLiteral("x"));
    if (const auto *fault = std::get_if<LessonFault>(&lesson))
        qFatal("line %d: %ls", fault->line, qUtf16Printable(fault->reason));
    return std::get<Lesson>(lesson);
}

/// A run that must begin.
inline std::unique_ptr<LessonRun> startLesson(const Lesson &lesson,
                                              LessonIsolation isolation = LessonIsolation::RepeatableRead,
                                              const LessonOrders &orders = {})
{
    LockError error;
    auto run = LessonRun::start(targetFor(TestServer::instance()), lesson, isolation, &error, orders);
    if (!run)
        qFatal("%ls", qUtf16Printable(error.toString()));
    return run;
}

} // namespace lockscope::test
