// SPDX-License-Identifier: MIT
#include "lessonschema.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QRegularExpression>

#include <thread>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// For what was deleted before, by this server's other users too; after it the lesson begins nevertheless. So it does
/// when there is no progress: MySQL counts what is purged long after it is.
constexpr auto kPurgeWithin = 3s;
constexpr auto kPurgeProgress = 2s; // MariaDB purges once a second

/// A server that tells nothing of itself for so long is lost.
constexpr auto kLost = 30s;

/// Its sessions wait for each other; of a frozen server they would wait for ever.
constexpr auto kLongestWait = 10min;

/// Of which both names are made: 16 hex digits.
QString randomName()
{
    return u"%1"_s.arg(QRandomGenerator::system()->generate64(), 16, 16, QChar(u'0'));
}

QString schemaOf(const QString &run)
{
    return u"lockscope_lesson_"_s + run;
}

QString userOf(const QString &run)
{
    return u"lockscope_l_"_s + run;
}

Params namesOf(const QString &schema, const QString &user, const QString &host)
{
    return Params().identifier("schema", schema).identifier("user", user).identifier("host", host);
}

/// A run holds the user-level lock of its schema's name from before it makes anything until all of it is gone. So who
/// gets it has what is nobody's: no run goes on without the connection that held it. Errors stop no other run.
void removeDead(Session &session)
{
    static const QRegularExpression exactly(u"\\Alockscope_l_([0-9a-f]{16})\\z"_s);
    const Reply accounts = session.run("lessons/accounts", Params());
    for (const QVariantList &account : accounts.set(-1).rows) {
        const auto match = exactly.match(account.value(0).toString());
        if (!match.hasMatch())
            continue;
        const QString schema = schemaOf(match.captured(1));
        const auto mark = Params().text("name", schema);
        if (session.run("lessons/take_mark", mark).value().toInt() != 1)
            continue;
        session.run("lessons/drop", namesOf(schema, match.captured(0), account.value(1).toString()));
        session.run("lessons/free_mark", mark);
    }
}

void waitForPurge(Session &session)
{
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + kPurgeWithin;
    auto changedAt = Clock::now();
    qint64 before = -1;
    while (Clock::now() < end && Clock::now() < changedAt + kPurgeProgress) {
        const Reply reply = session.run("lessons/history", Params());
        const qint64 now = reply.value().toLongLong(); // 0 where it is not told
        if (now == 0)
            return;
        if (std::exchange(before, now) != now)
            changedAt = Clock::now();
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
    schema->m_watcher.readTimeout = kLost;
    auto control = Session::open(schema->m_watcher, error);
    if (!control)
        return nullptr;
    removeDead(*control);
    const QString run = randomName();
    schema->m_learner = server;
    schema->m_learner.url.schema = schemaOf(run);
    schema->m_learner.url.user = userOf(run);
    schema->m_learner.password = randomName() + randomName();
    schema->m_learner.readTimeout = kLongestWait;
    schema->m_control = std::move(control);
    auto failed = schema->create();
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
    if (!m_control)
        return;
    m_control->run("lessons/drop", names());
    if (!m_control->isGone())
        return;
    LockError ignored; // it turned out only now that the connection had broken
    if (const auto another = Session::open(m_watcher, &ignored))
        another->run("lessons/drop", names());
}

Params LessonSchema::names() const
{
    const ServerUrl &url = m_learner.url;
    return namesOf(url.schema, url.user, url.isLocal() ? u"localhost"_s : u"%"_s);
}

std::optional<LockError> LessonSchema::create()
{
    const QString &name = m_learner.url.schema;
    const Reply marked = m_control->run("lessons/take_mark", Params().text("name", name));
    if (!marked)
        return marked.error;
    QString pattern = name;
    pattern.replace(u'_', u"\\_"_s);
    const auto params = names().identifier("pattern", pattern).lockName("password", m_learner.password.toLatin1());
    return m_control->run("lessons/make", params).error;
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
