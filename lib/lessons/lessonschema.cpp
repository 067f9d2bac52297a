// SPDX-License-Identifier: MIT
#include "lessonschema.h"

#include "console/serveraccess.h"
#include "lessonstatement.h"
#include "session/runnames.h"
#include "session/singlestatements.h"

#include <QtSql/QSqlDatabase>

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

/// That lessons/make puts before it, for servers that ask for several kinds of characters.
constexpr char kPasswordBegins[] = "Ls-1'";

/// Its sessions wait for each other; of a frozen server they would wait for ever.
constexpr auto kLongestWait = 10min;
constexpr auto kSetupLimit = 60s;

Params namesOf(const QString &schema, const QString &user, const QString &host)
{
    return Params().identifier("schema", schema).identifier("user", user).identifier("host", host);
}

/// The account last, by which the rest is found. Where there is no right to drop the schema it was never made.
void drop(Session &session, const Params &names)
{
    const Reply dropped = session.run("lessons/drop_schema", names);
    if (dropped || dropped.error->kind == LockError::Kind::NoPermission)
        session.run("lessons/drop_account", names);
}

/// What the server says of a right that is missing is about one statement; there are several. Who may not hand a right
/// on is told 1045, as who logs in with a wrong password.
LockError withGrants(LockError error, Family family)
{
    using Kind = LockError::Kind;
    if (error.kind != Kind::NoPermission && error.kind != Kind::AccessDenied)
        return error;
    error.kind = Kind::NoPermission;
    error.message = u"This account may not do all that lessons need on a server; sql/grants/lessons.%1.sql gives the "
                    "rights. %2"_s.arg(family == Family::MySql ? u"mysql"_s : u"mariadb"_s, error.serverText);
    error.serverText.clear();
    return error;
}

/// A run holds the user-level lock of its schema's name from before it makes anything until all of it is gone. So who
/// gets it has what is nobody's: no run goes on without the connection that held it. Errors stop no other run.
void removeDead(Session &session)
{
    const Reply accounts = session.run("lessons/accounts", Params());
    for (const QVariantList &account : accounts.set(-1).rows) {
        const QString user = account.value(0).toString();
        const QString run = runOfLessonUser(user);
        if (run.isEmpty())
            continue;
        const QString schema = lessonSchemaName(run);
        const auto mark = Params().text("name", schema);
        if (session.run("lessons/take_mark", mark).value().toInt() != 1)
            continue;
        drop(session, namesOf(schema, user, account.value(1).toString()));
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
    if (const auto refused = ServerAccess::ofCommand(server.url, false).refusalOfLab()) {
        *error = *refused;
        return nullptr;
    }
    std::unique_ptr<LessonSchema> schema(new LessonSchema);
    schema->m_watcher = server;
    schema->m_watcher.url.schema.clear();
    schema->m_watcher.isConsole = true;
    schema->m_watcher.readTimeout = kLost;
    auto control = Session::open(schema->m_watcher, error);
    if (!control)
        return nullptr;
    removeDead(*control);
    const QString run = newRunName();
    schema->m_learner = server;
    schema->m_learner.url.schema = lessonSchemaName(run);
    schema->m_learner.url.user = lessonUserName(run);
    schema->m_learner.readTimeout = kLongestWait;
    schema->m_control = std::move(control);
    auto failed = schema->create();
    if (failed)
        failed = withGrants(*failed, schema->m_control->info().family);
    else
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
    drop(*m_control, names());
    if (!m_control->isGone())
        return;
    LockError ignored; // it turned out only now that the connection had broken
    if (const auto another = Session::open(m_watcher, &ignored))
        drop(*another, names());
}

Params LessonSchema::names() const
{
    return namesOf(m_learner.url.schema, m_learner.url.user, m_host);
}

std::optional<LockError> LessonSchema::create()
{
    if (const Reply seen = m_control->run("lessons/watch", Params()); !seen)
        return seen.error;
    const Reply host = m_control->run("lessons/host", Params());
    if (!host)
        return host.error;
    m_host = host.value().toString();
    const QString &name = m_learner.url.schema;
    const QByteArray password = newRunName().toLatin1() + newRunName().toLatin1();
    m_learner.password = QString::fromLatin1(kPasswordBegins + password);
    const Reply marked = m_control->run("lessons/take_mark", Params().text("name", name));
    if (!marked)
        return marked.error;
    QString pattern = name;
    pattern.replace(u'_', u"\\_"_s);
    const auto params = names().identifier("pattern", pattern).lockName("password", password);
    return m_control->run("lessons/make", params).error;
}

std::optional<LockError> LessonSchema::fill(const Lesson &lesson)
{
    LockError error;
    SessionTarget target = m_learner;
    target.readTimeout = kSetupLimit; // nothing else ends a statement of the setup
    const auto session = Session::open(target, &error);
    if (!session && error.kind == LockError::Kind::AccessDenied)
        error.message = u"The lesson's own account cannot log in; it was made for this machine by the name that the "
                        "server has for it, %1."_s.arg(m_host);
    if (!session)
        return error;
    if (const Reply opened = session->run(opening(LessonIsolation::RepeatableRead), "lessons/opening"); !opened)
        return opened.error;
    const SingleStatements single(session->database());
    for (const QString &statement : lesson.setup) {
        if (const LessonReply done = runStatement(*session, statement.toUtf8()); !done.reply)
            return done.reply.error;
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
