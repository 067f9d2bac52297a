// SPDX-License-Identifier: MIT
#include "lessonschema.h"

#include "console/serveraccess.h"
#include "lessonstatement.h"
#include "session/runnames.h"
#include "session/singlestatements.h"

#include <QtCore/QRegularExpression>
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

/// Its sessions wait for each other; of a frozen server they would wait for ever.
constexpr auto kLongestWait = 10min;
constexpr auto kSetupLimit = 60s;

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

} // namespace

std::unique_ptr<LessonSchema> LessonSchema::make(const SessionTarget &server, const Lesson &lesson, LockError *error,
                                                 const LessonOrders &orders)
{
    if (const auto refused = ServerAccess::ofCommand(server.url, {}, false).refusalOfLab()) {
        *error = *refused;
        return nullptr;
    }
    std::unique_ptr<LessonSchema> schema(new LessonSchema);
    schema->m_orders = orders;
    schema->m_watcher = server;
    schema->m_watcher.url.schema.clear();
    schema->m_watcher.isConsole = true;
    schema->m_watcher.readTimeout = kLost;
    auto control = openToStay(schema->m_watcher, error);
    if (!control)
        return nullptr;
    if (const auto refused = ServerAccess::toLookAt(control->info().ownName).refusalOfLab()) {
        *error = *refused;
        return nullptr;
    }
    removeDeadLessons(*control, schema->m_watcher, orders.onRemains);
    const QString run = newRunName();
    schema->m_learner = server;
    schema->m_learner.url.schema = lessonSchemaName(run);
    schema->m_learner.url.user = lessonUserName(run);
    schema->m_learner.readTimeout = kLongestWait;
    schema->m_control = std::move(control);
    auto failed = schema->create();
    if (failed)
        failed = withGrants(*failed, schema->m_control->info().family);
    if (!failed)
        failed = schema->logIn();
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
    if (!m_isMade)
        return;
    if (const auto remains = remove(); remains && m_orders.onRemains)
        m_orders.onRemains(*remains);
}

/// The connection may have broken, which may turn out only now.
std::optional<LessonRemains> LessonSchema::remove()
{
    LockError error;
    for (int time = 0; time < 2; ++time) {
        if (m_control->isGone())
            m_control = Session::open(m_watcher, &error);
        if (!m_control)
            return LessonRemains{m_made.schema, m_made.account(), error.message, {}};
        if (m_isEntered)
            endLessonSessions(*m_control, m_made, warden(), std::move(m_warden));
        auto remains = removeLesson(*m_control, m_watcher, m_made, m_prepared);
        if (!m_control->isGone())
            return remains;
    }
    return LessonRemains{m_made.schema, m_made.account(), error.message, {}};
}

std::unique_ptr<Session> LessonSchema::openToStay(const SessionTarget &target, LockError *error)
{
    auto session = Session::open(target, error);
    if (session)
        session->run("lessons/stay", Params());
    return session;
}

SessionTarget LessonSchema::warden() const
{
    SessionTarget target = m_learner;
    target.url.schema.clear();
    target.isConsole = true;
    target.readTimeout = kLost;
    return target;
}

std::optional<LockError> LessonSchema::create()
{
    if (const Reply seen = m_control->run("lessons/watch", Params()); !seen)
        return seen.error;
    const Reply host = m_control->run("lessons/host", Params());
    if (!host)
        return host.error;
    m_made = {m_learner.url.schema, m_learner.url.user, host.value().toString()};
    const QByteArray password = newRunName().toLatin1() + newRunName().toLatin1();
    m_learner.password = lessonPassword(password);
    const Reply marked = m_control->run("lessons/take_mark", Params().text("name", m_made.schema));
    if (!marked)
        return marked.error;
    QString pattern = m_made.schema;
    pattern.replace(u'_', u"\\_"_s);
    const auto params = m_made.params().identifier("pattern", pattern).lockName("password", password);
    const Reply made = m_control->run("lessons/make", params);
    m_isMade = made || !made.sets.empty() || made.error->connectionGone;
    return made.error;
}

std::optional<LockError> LessonSchema::logIn()
{
    LockError error;
    m_warden = openToStay(warden(), &error);
    m_isEntered = m_warden != nullptr;
    if (m_isEntered)
        return std::nullopt;
    if (error.kind == LockError::Kind::AccessDenied)
        error.message = u"The lesson's own account cannot log in; it was made for this machine by the name that the "
                        "server has for it, %1."_s.arg(m_made.host);
    return error;
}

std::optional<LockError> LessonSchema::fill(const Lesson &lesson)
{
    LockError error;
    SessionTarget target = m_learner;
    target.readTimeout = kSetupLimit; // nothing else ends a statement of the setup
    const auto session = Session::open(target, &error);
    if (!session)
        return error;
    if (const Reply opened = session->run(opening(LessonIsolation::RepeatableRead), "lessons/opening"); !opened)
        return opened.error;
    const SingleStatements single(session->database());
    const StopBreaks stop(*session, m_orders.stop);
    for (const QString &statement : lesson.setup) {
        const LessonReply done = runStatement(*session, statement.toUtf8());
        if (m_orders.stop.stop_requested())
            return runStopped();
        if (!done.reply)
            return done.reply.error;
        noteDone(statement);
    }
    waitForPurge();
    return m_orders.stop.stop_requested() ? std::optional(runStopped()) : std::nullopt;
}

void LessonSchema::waitForPurge()
{
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + kPurgeWithin;
    auto changedAt = Clock::now();
    qint64 before = -1;
    while (!m_orders.stop.stop_requested() && Clock::now() < end && Clock::now() < changedAt + kPurgeProgress) {
        const Reply reply = m_control->run("lessons/history", Params());
        const qint64 now = reply.value().toLongLong(); // 0 where it is not told
        if (now == 0)
            return;
        if (std::exchange(before, now) != now)
            changedAt = Clock::now();
        std::this_thread::sleep_for(20ms);
    }
}

/// A lesson may have ended the warden, or changed its password.
void LessonSchema::kill(quint64 connection)
{
    const auto params = Params().number("connection", connection);
    if (m_warden)
        m_warden->run("lessons/kill", params);
    if (m_warden && !m_warden->isGone())
        return;
    LockError ignored;
    m_warden = openToStay(warden(), &ignored);
    if (m_warden)
        m_warden->run("lessons/kill", params);
}

/// A name that the lesson has ended may be another's by the end of the run.
void LessonSchema::noteDone(const QString &sql)
{
    static const QRegularExpression pattern(
        u"^\\s*XA\\s+(PREPARE|COMMIT|ROLLBACK)\\s+(.+?)(?:\\s+ONE\\s+PHASE)?\\s*;?\\s*$"_s,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    const auto match = pattern.match(sql);
    const auto xid = match.hasMatch() ? Xid::fromSql(match.captured(2).toUtf8()) : std::nullopt;
    if (!xid)
        return;
    m_prepared.removeAll(*xid);
    if (match.captured(1).compare("PREPARE"_L1, Qt::CaseInsensitive) == 0)
        m_prepared += *xid;
}

QByteArray LessonSchema::opening(LessonIsolation isolation)
{
    return "SET SESSION TRANSACTION ISOLATION LEVEL " + sqlName(isolation).toLatin1() + "; "
        + sqlText("lessons/opening", Family::MariaDb);
}

} // namespace lockscope
