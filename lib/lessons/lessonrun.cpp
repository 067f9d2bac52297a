// SPDX-License-Identifier: MIT
#include "lessonrun.h"

#include "lessonstatement.h"
#include "session/singlestatements.h"

#include <QtSql/QSqlDatabase>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// InnoDB serves its tables of waits from a cache of 100 ms, which only time without a reader refreshes.
constexpr auto kBetweenLooks = 120ms;
/// Before the first look after a step: until then the server may not have come to its wait.
constexpr auto kBeforeLook = 60ms;
/// As the first step of a session may be one that needs no look.
constexpr auto kAnswerSoon = 20ms;
constexpr auto kGoneWithin = 10s;

/// As the statements of a file are called in errors.
constexpr QLatin1String kOfLesson("lesson");

LockError interrupted(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::Interrupted;
    error.message = message;
    return error;
}

LockError endless(const QString &session, std::chrono::seconds limit)
{
    return interrupted(
        QStringLiteral("%1's statement neither ended nor waited for a lock within %2 s, and is ended with the run.")
            .arg(session)
            .arg(limit.count()));
}

LockError ofSetup(const LockError &error)
{
    LockError said = ofLesson(error);
    said.message.prepend(QStringLiteral("The lesson's setup fails: "));
    return said;
}

QVersionNumber versionOf(const ServerInfo &info)
{
    return QVersionNumber::fromString(info.version.section(u'-', 0, 0));
}

/// Of rows InnoDB tells for a moment what was; who holds a user-level lock is asked for.
bool isToldAsItIs(const LessonWaits &waits)
{
    return std::all_of(waits.cbegin(), waits.cend(),
                       [](const LessonAnswer &answer) { return answer.on == QLatin1String("user lock"); });
}

} // namespace

std::unique_ptr<LessonRun> LessonRun::start(const SessionTarget &server, const Lesson &lesson,
                                            LessonIsolation isolation, LockError *error, const LessonOrders &orders)
{
    auto schema = LessonSchema::make(server, lesson, error, orders);
    if (!schema) {
        if (error->statement == kOfLesson)
            *error = ofSetup(*error);
        return nullptr;
    }
    auto watcher = LessonSchema::openToStay(schema->watcher(), error);
    if (!watcher)
        return nullptr;
    std::unique_ptr<LessonRun> run(new LessonRun(std::move(schema), std::move(watcher)));
    run->m_place.isolation = isolation;
    run->m_stop = orders.stop;
    return run;
}

LessonRun::LessonRun(std::unique_ptr<LessonSchema> schema, std::unique_ptr<Session> watcher)
    : m_schema(std::move(schema))
    , m_watcher(std::move(watcher))
    , m_reader(*m_watcher)
{
    m_place.family = m_watcher->info().family;
    m_place.version = versionOf(m_watcher->info());
}

LessonRun::~LessonRun()
{
    // Those that wait would wait for each other's end.
    for (const auto &[name, session] : m_sessions.all()) {
        if (session->isAsked())
            m_schema->kill(session->connection());
    }
    for (const quint64 connection : m_sessions.lostConnections())
        m_schema->kill(connection);
    m_sessions.closeAll();
}

void LessonRun::noteHidden(const LessonStep &step, LessonLocks *locks)
{
    QList<quint64> busy;
    const auto add = [this, &busy](const QString &name) {
        if (const LessonSession *found = m_sessions.find(name))
            busy += found->connection();
    };
    add(step.session);
    for (const auto &answered : std::as_const(m_answers))
        add(answered.first);
    markHidden(m_locks, busy, &locks->locks);
    m_locks = locks->locks;
}

std::optional<bool> LessonRun::isOne(const QString &query, LockError *error)
{
    SessionTarget target = m_schema->learner();
    target.readTimeout = m_statementLimit; // nothing else ends it
    const auto session = Session::open(target, error);
    if (!session)
        return std::nullopt;
    Reply reply = session->run(LessonSchema::opening(LessonIsolation::ReadCommitted), "lessons/opening");
    const SingleStatements single(session->database());
    const StopBreaks stop(*session, m_stop);
    if (reply)
        reply = runStatement(*session, query.toUtf8()).reply;
    if (m_stop.stop_requested())
        *error = runStopped();
    else if (reply)
        return reply.value().toInt() == 1;
    else
        *error = ofLesson(*reply.error);
    return std::nullopt;
}

QStringList LessonRun::waiting() const
{
    return m_waits.keys();
}

LessonStepResult LessonRun::play(const LessonStep &step)
{
    LessonStepResult result;
    const auto sentAt = Clock::now();
    m_answers.clear();
    m_isSent = false;
    if (m_stop.stop_requested())
        result.failure = runStopped();
    if (!result.failure)
        result.failure = begin(step);
    if (!result.failure)
        result.failure = settle(step, sentAt);
    if (!result.failure)
        result.failure = lookAtLocks(&result);
    result.took = std::chrono::duration_cast<Microseconds>(Clock::now() - sentAt);
    result.outcome = outcomeOf(step);
    noteHidden(step, &result.locks);
    if (result.outcome.answer.kind == LessonAnswer::Kind::Ok)
        m_schema->noteDone(step.sql);
    return result;
}

std::optional<LockError> LessonRun::begin(const LessonStep &step)
{
    using Kind = LessonStep::Kind;
    switch (step.kind) {
    case Kind::Pause:
        pause(step.pause);
        return std::nullopt;
    case Kind::Await:
        return std::nullopt;
    case Kind::Disconnect:
        return disconnect(step.session);
    case Kind::Kill:
        return kill(step.session);
    case Kind::CutOff:
        m_sessions.cutOff(step.session);
        return std::nullopt;
    case Kind::Freeze:
        m_frozen += step.session;
        return std::nullopt;
    case Kind::Thaw:
        m_frozen.removeAll(step.session);
        return std::nullopt;
    case Kind::Statement:
        if (m_frozen.contains(step.session))
            return std::nullopt;
        return send(step);
    }
    return std::nullopt;
}

std::optional<LockError> LessonRun::send(const LessonStep &step)
{
    std::optional<LockError> error;
    LessonSession *session =
        m_sessions.open(step.session, m_schema->learner(), m_schema->opening(m_place.isolation), &error);
    if (session && !session->isAsked()) {
        session->send(m_sessions.withConnections(step.sql));
        m_isSent = true;
    }
    return error;
}

void LessonRun::pause(std::chrono::milliseconds time) const
{
    const auto end = Clock::now() + time;
    while (!m_stop.stop_requested() && Clock::now() < end)
        std::this_thread::sleep_for(std::min<Clock::duration>(50ms, end - Clock::now()));
}

/// Returns when the server has ended the session, and with it the transaction.
std::optional<LockError> LessonRun::disconnect(const QString &name)
{
    const LessonSession *found = m_sessions.find(name);
    if (!found)
        return std::nullopt;
    const quint64 connection = found->connection();
    if (found->isAsked())
        m_schema->kill(connection);
    m_sessions.close(name);
    return awaitEnd(connection);
}

/// The client learns of it from the answer to its statement: to the one that waits, or to its next.
std::optional<LockError> LessonRun::kill(const QString &name)
{
    const LessonSession *found = m_sessions.find(name);
    if (!found)
        return std::nullopt;
    m_schema->kill(found->connection());
    return awaitEnd(found->connection());
}

std::optional<LockError> LessonRun::awaitEnd(quint64 connection)
{
    const auto until = Clock::now() + kGoneWithin;
    for (;;) {
        const Reply reply = m_watcher->run("lessons/session", Params().number("connection", connection));
        if (!reply || reply.value().toInt() == 0 || Clock::now() > until)
            return reply.error;
        std::this_thread::sleep_for(2ms);
    }
}

/// Who hears that its connection broke has locks until the server has ended it.
std::optional<LockError> LessonRun::note(const QList<LessonSessions::Answer> &answers)
{
    m_answers += answers;
    std::optional<LockError> error;
    for (const auto &[name, answered] : answers) {
        if (answered.isGone && !error)
            error = awaitEnd(m_sessions.find(name)->connection());
    }
    return error;
}

/// Until each session has answered, or waits by what two looks in a row say; by one where that is told as it is.
std::optional<LockError> LessonRun::settle(const LessonStep &step, Clock::time_point sentAt)
{
    const auto mustGoOn = [this, &step] {
        const LessonSession *awaited = m_sessions.find(step.session);
        return step.kind == LessonStep::Kind::Await && awaited && awaited->isAsked();
    };
    std::optional<LessonWaits> before;
    auto lost = note(m_sessions.waitForAnswers(Clock::now() + kAnswerSoon));
    for (auto nextLook = Clock::now() + kBeforeLook; !lost && m_sessions.isAnybodyAsked();) {
        const qsizetype answers = m_answers.size();
        lost = note(m_sessions.waitForAnswers(std::max(nextLook, m_lookedAt + kBetweenLooks)));
        if (m_answers.size() > answers) {
            before.reset();
            nextLook = Clock::now() + kBeforeLook;
            continue;
        }
        if (!m_sessions.isAnybodyAsked())
            break;
        LessonWaits now;
        if (auto error = look(&now))
            return error;
        lost = note(m_sessions.takeAnswers());
        const auto asked =
            std::ranges::count_if(m_sessions.all(), [](const auto &each) { return each.second->isAsked(); });
        const bool isSure = before == now || isToldAsItIs(now);
        before = now;
        if (m_answers.size() == answers && now.size() == asked && isSure && !mustGoOn())
            break;
        if (auto over = whyOver(step, Clock::now() - sentAt - step.pause, now))
            return over;
    }
    m_waits = m_sessions.isAnybodyAsked() ? before.value_or(LessonWaits()) : LessonWaits();
    return lost;
}

/// After so long without an end.
std::optional<LockError> LessonRun::whyOver(const LessonStep &step, Clock::duration spent,
                                            const LessonWaits &waits) const
{
    if (m_stop.stop_requested())
        return runStopped();
    if (step.kind == LessonStep::Kind::Await && spent > 2 * m_statementLimit)
        return interrupted(QStringLiteral("%1, which waits, was not answered within %2 s.")
                               .arg(step.session)
                               .arg(2 * m_statementLimit.count()));
    const auto busy = std::ranges::find_if(
        m_sessions.all(), [&waits](const auto &each) { return each.second->isAsked() && !waits.contains(each.first); });
    if (busy != m_sessions.all().end() && spent > m_statementLimit)
        return endless(busy->first, m_statementLimit);
    return std::nullopt;
}

std::optional<LockError> LessonRun::look(LessonWaits *waits)
{
    ServerWaits seen;
    const auto error = m_reader.read(&seen);
    m_lookedAt = Clock::now();
    if (error)
        return error;
    *waits = lessonWaits(seen, m_sessions);
    return std::nullopt;
}

/// The indexes each time anew: a step may be an ALTER.
std::optional<LockError> LessonRun::lookAtLocks(LessonStepResult *result)
{
    const QString &schema = m_schema->learner().url.schema;
    auto error = readIndexColumns(*m_watcher, schema, &m_indexes);
    if (!error)
        error = readLocks(*m_watcher, schema, m_indexes, &result->locks);
    const bool isTableLocked = std::any_of(m_waits.cbegin(), m_waits.cend(), [](const LessonAnswer &answer) {
        return answer.on == QLatin1String("metadata") || answer.on == QLatin1String("table");
    });
    if (error || isTableLocked)
        return error; // reading would wait too
    if (auto refused = readEntries(*m_watcher, schema, m_indexes, &result->entries); refused && refused->connectionGone)
        return refused;
    return std::nullopt;
}

LessonOutcome LessonRun::outcomeOf(const LessonStep &step) const
{
    using Kind = LessonAnswer::Kind;
    LessonOutcome outcome{{step.kind == LessonStep::Kind::Statement ? Kind::NotSent : Kind::Ok}, {}};
    if (step.kind == LessonStep::Kind::Statement && m_isSent)
        outcome.answer = m_waits.value(step.session, LessonAnswer{Kind::Blocked});
    for (const auto &[name, answered] : m_answers) {
        if (step.kind == LessonStep::Kind::Statement && m_isSent && name == step.session)
            outcome.answer = answered.answer;
        else
            outcome.freed.append({{name}, answered.answer});
    }
    return outcome;
}

} // namespace lockscope
