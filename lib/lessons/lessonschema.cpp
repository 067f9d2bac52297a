// SPDX-License-Identifier: MIT
#include "lessonschema.h"

#include <QtCore/QRandomGenerator>

#include <thread>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// For what was deleted before, by this server's other users too; after it the lesson begins nevertheless.
constexpr auto kPurgeWithin = 3s;

QString randomName()
{
    return u"%1"_s.arg(QRandomGenerator::system()->generate64(), 16, 16, QChar(u'0'));
}

void waitForPurge(Session &session)
{
    const auto end = std::chrono::steady_clock::now() + kPurgeWithin;
    while (std::chrono::steady_clock::now() < end) {
        const Reply reply = session.run("lessons/history", Params());
        if (!reply || reply.value().toLongLong() == 0)
            return;
        std::this_thread::sleep_for(20ms);
    }
}

} // namespace

std::unique_ptr<LessonSchema> LessonSchema::make(const SessionTarget &server, const Lesson &lesson, LockError *error)
{
    std::unique_ptr<LessonSchema> schema(new LessonSchema);
    schema->m_watcher = server;
    schema->m_watcher.url.schema.clear();
    schema->m_watcher.isConsole = true;
    auto control = Session::open(schema->m_watcher, error);
    if (!control)
        return nullptr;
    const QString run = randomName();
    schema->m_learner = server;
    schema->m_learner.url.schema = u"lockscope_lesson_"_s + run;
    schema->m_learner.url.user = u"lockscope_l_"_s + run;
    schema->m_learner.password = randomName() + randomName();
    QString pattern = schema->m_learner.url.schema;
    pattern.replace(u'_', u"\\_"_s);
    const auto params =
        schema->names().identifier("pattern", pattern).lockName("password", schema->m_learner.password.toLatin1());
    auto failed = control->run("lessons/make", params).error;
    schema->m_control = std::move(control);
    if (!failed)
        failed = schema->fill(lesson);
    if (failed) {
        *error = *failed;
        return nullptr;
    }
    return schema;
}

LessonSchema::~LessonSchema()
{
    if (m_control && !m_control->isGone())
        m_control->run("lessons/drop", names());
}

Params LessonSchema::names() const
{
    const ServerUrl &url = m_learner.url;
    return Params()
        .identifier("schema", url.schema)
        .identifier("user", url.user)
        .identifier("host", url.isLocal() ? u"localhost"_s : u"%"_s);
}

std::optional<LockError> LessonSchema::fill(const Lesson &lesson)
{
    LockError error;
    const auto session = Session::open(m_learner, &error);
    if (!session)
        return error;
    if (const Reply opened = session->run(opening(LessonIsolation::RepeatableRead), "lessons/opening"); !opened)
        return opened.error;
    for (const QString &statement : lesson.setup) {
        if (const Reply done = session->run(statement.toUtf8(), "lesson"); !done)
            return done.error;
    }
    waitForPurge(*m_control);
    return std::nullopt;
}

QByteArray LessonSchema::opening(LessonIsolation isolation)
{
    return "SET SESSION TRANSACTION ISOLATION LEVEL " + sqlName(isolation).toLatin1() + "; "
        + sqlText("lessons/opening", Family::MariaDb);
}

} // namespace lockscope
