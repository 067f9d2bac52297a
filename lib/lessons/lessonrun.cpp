// SPDX-License-Identifier: MIT
#include "lessonrun.h"

#include <QtCore/QRegularExpression>

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

QString kindOf(ServerLockKind kind)
{
    switch (kind) {
    case ServerLockKind::Record:
        return QStringLiteral("row");
    case ServerLockKind::Table:
        return QStringLiteral("table");
    case ServerLockKind::Metadata:
        return QStringLiteral("metadata");
    case ServerLockKind::User:
        return QStringLiteral("user lock");
    }
    return {};
}

LockError interrupted(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::Interrupted;
    error.message = message;
    return error;
}

LockError stopped()
{
    return interrupted(QStringLiteral("The run was stopped."));
}

LockError endless(const QString &session, std::chrono::seconds limit)
{
    return interrupted(
        QStringLiteral("%1's statement neither ended nor waited for a lock within %2 s, and is ended with the run.")
            .arg(session)
            .arg(limit.count()));
}

QVersionNumber versionOf(const ServerInfo &info)
{
    return QVersionNumber::fromString(info.version.section(u'-', 0, 0));
}

} // namespace

std::unique_ptr<LessonRun> LessonRun::start(const SessionTarget &server, const Lesson &lesson,
                                            LessonIsolation isolation, LockError *error)
{
    auto schema = LessonSchema::make(server, lesson, error);
    if (!schema)
        return nullptr;
    auto watcher = Session::open(schema->watcher(), error);
    if (!watcher)
        return nullptr;
    std::unique_ptr<LessonRun> run(new LessonRun(std::move(schema), std::move(watcher)));
    run->m_place.isolation = isolation;
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
    for (const auto &[name, session] : m_sessions) {
        if (session->isAsked())
            end(session->connection());
    }
    for (const auto &[name, session] : m_cutOff)
        end(session->connection());
    if (!m_prepared.isEmpty())
        rollBackPrepared();
    m_sessions.clear();
}

void LessonRun::end(quint64 connection)
{
    LockError ignored;
    const auto other = m_watcher->isGone() ? Session::open(m_schema->watcher(), &ignored) : nullptr;
    (other ? *other : *m_watcher).run("KILL CONNECTION " + QByteArray::number(connection), "lesson/kill");
}

/// The schema could not be dropped while they lock its rows.
void LessonRun::rollBackPrepared()
{
    while (!m_sessions.empty())
        disconnect(QString(m_sessions.begin()->first));
    LockError ignored;
    const auto session = Session::open(m_schema->learner(), &ignored);
    for (const QString &xid : std::as_const(m_prepared)) {
        if (session)
            session->run("XA ROLLBACK " + xid.toUtf8(), "lesson/xa"); // an error: it has ended before
    }
}

void LessonRun::notePrepared(const LessonStep &step, const LessonOutcome &outcome)
{
    static const QRegularExpression prepare(QStringLiteral("^\\s*XA\\s+PREPARE\\s+([^;]+)"),
                                            QRegularExpression::CaseInsensitiveOption);
    if (const auto match = prepare.match(step.sql); match.hasMatch() && outcome.answer.kind == LessonAnswer::Kind::Ok)
        m_prepared += match.captured(1).trimmed();
}

void LessonRun::noteHidden(const LessonStep &step, LessonLocks *locks)
{
    QList<quint64> busy;
    const auto add = [this, &busy](const QString &name) {
        if (const auto found = m_sessions.find(name); found != m_sessions.end())
            busy += found->second->connection();
    };
    add(step.session);
    for (const auto &answered : std::as_const(m_answers))
        add(answered.first);
    markHidden(m_locks, busy, &locks->locks);
    m_locks = locks->locks;
}

std::optional<bool> LessonRun::isOne(const QString &query, LockError *error)
{
    const auto session = Session::open(m_schema->learner(), error);
    if (!session)
        return std::nullopt;
    Reply reply = session->run(LessonSchema::opening(LessonIsolation::ReadCommitted), "lessons/opening");
    if (reply)
        reply = session->run(query.toUtf8(), "lesson");
    if (reply)
        return reply.value().toInt() == 1;
    *error = *reply.error;
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
        result.failure = stopped();
    if (!result.failure)
        result.failure = begin(step);
    if (!result.failure)
        result.failure = settle(step, sentAt);
    if (!result.failure)
        result.failure = lookAtLocks(&result);
    result.took = std::chrono::duration_cast<Microseconds>(Clock::now() - sentAt);
    result.outcome = outcomeOf(step);
    noteHidden(step, &result.locks);
    notePrepared(step, result.outcome);
    return result;
}

std::optional<LockError> LessonRun::begin(const LessonStep &step)
{
    using Kind = LessonStep::Kind;
    std::optional<LockError> error;
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
        cutOff(step.session);
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
        if (LessonSession *one = session(step.session, &error); one && !one->isAsked()) {
            one->send(withConnections(step.sql));
            m_isSent = true;
        }
        return error;
    }
    return std::nullopt;
}

void LessonRun::pause(std::chrono::milliseconds time) const
{
    const auto end = Clock::now() + time;
    while (!m_stop.stop_requested() && Clock::now() < end)
        std::this_thread::sleep_for(std::min<Clock::duration>(50ms, end - Clock::now()));
}

LessonSession *LessonRun::session(const QString &name, std::optional<LockError> *error)
{
    auto &session = m_sessions[name];
    if (session && session->isGone())
        session.reset(); // as a program does once it has heard of it
    if (!session)
        session =
            std::make_unique<LessonSession>(m_schema->learner(), m_schema->opening(m_place.isolation), m_bell, error);
    if (!*error)
        return session.get();
    m_sessions.erase(name);
    return nullptr;
}

/// Returns when the server has ended the session, and with it the transaction.
std::optional<LockError> LessonRun::disconnect(const QString &name)
{
    const auto found = m_sessions.find(name);
    if (found == m_sessions.end())
        return std::nullopt;
    const quint64 connection = found->second->connection();
    if (found->second->isAsked())
        end(connection);
    m_sessions.erase(found);
    return awaitEnd(connection);
}

/// The client learns of it from the answer to its statement: to the one that waits, or to its next.
std::optional<LockError> LessonRun::kill(const QString &name)
{
    const auto found = m_sessions.find(name);
    if (found == m_sessions.end())
        return std::nullopt;
    end(found->second->connection());
    return awaitEnd(found->second->connection());
}

void LessonRun::cutOff(const QString &name)
{
    const auto found = m_sessions.find(name);
    if (found == m_sessions.end())
        return;
    m_cutOff.emplace_back(name, std::move(found->second));
    m_sessions.erase(found);
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

/// {A} is the number of A's connection.
QByteArray LessonRun::withConnections(const QString &sql) const
{
    QString text = sql;
    for (const auto &[name, session] : m_sessions)
        text.replace(u'{' + name + u'}', QString::number(session->connection()));
    return text.toUtf8();
}

bool LessonRun::isAnybodyAsked() const
{
    return std::ranges::any_of(m_sessions, [](const auto &each) { return each.second->isAsked(); });
}

bool LessonRun::takeAnswers()
{
    const std::scoped_lock lock(m_bell.mutex);
    const qsizetype before = m_answers.size();
    for (const auto &[name, session] : m_sessions) {
        if (auto answered = session->takeAnswer())
            m_answers.append({name, *answered});
    }
    std::sort(m_answers.begin() + before, m_answers.end(),
              [](const auto &a, const auto &b) { return a.second.at < b.second.at; });
    return m_answers.size() > before;
}

/// Returns at once when one is there.
void LessonRun::waitForAnswer(Clock::time_point until)
{
    while (!takeAnswers() && isAnybodyAsked() && Clock::now() < until) {
        std::unique_lock lock(m_bell.mutex);
        const auto isRung = [this] {
            return std::ranges::any_of(m_sessions, [](const auto &each) { return each.second->hasAnswer(); });
        };
        m_bell.rung.wait_until(lock, until, isRung);
    }
}

/// Until each session has answered, or waits by what two looks in a row say.
std::optional<LockError> LessonRun::settle(const LessonStep &step, Clock::time_point sentAt)
{
    const auto mustGoOn = [this, &step] {
        const auto found = m_sessions.find(step.session);
        return step.kind == LessonStep::Kind::Await && found != m_sessions.end() && found->second->isAsked();
    };
    std::optional<Waits> before;
    waitForAnswer(Clock::now() + kAnswerSoon);
    for (auto nextLook = Clock::now() + kBeforeLook; isAnybodyAsked();) {
        const qsizetype answers = m_answers.size();
        waitForAnswer(std::max(nextLook, m_lookedAt + kBetweenLooks));
        if (m_answers.size() > answers) {
            before.reset();
            nextLook = Clock::now() + kBeforeLook;
            continue;
        }
        if (!isAnybodyAsked())
            break;
        Waits now;
        if (auto error = look(&now))
            return error;
        takeAnswers();
        const auto asked = std::ranges::count_if(m_sessions, [](const auto &each) { return each.second->isAsked(); });
        if (m_answers.size() == answers && now.size() == asked && before == now && !mustGoOn())
            break;
        before = now;
        if (auto over = whyOver(step, Clock::now() - sentAt - step.pause, now))
            return over;
    }
    m_waits = isAnybodyAsked() ? before.value_or(Waits()) : Waits();
    return std::nullopt;
}

/// After so long without an end.
std::optional<LockError> LessonRun::whyOver(const LessonStep &step, Clock::duration spent, const Waits &waits) const
{
    if (m_stop.stop_requested())
        return stopped();
    if (step.kind == LessonStep::Kind::Await && spent > 2 * m_statementLimit)
        return interrupted(QStringLiteral("%1, which waits, was not answered within %2 s.")
                               .arg(step.session)
                               .arg(2 * m_statementLimit.count()));
    const auto busy = std::ranges::find_if(
        m_sessions, [&waits](const auto &each) { return each.second->isAsked() && !waits.contains(each.first); });
    if (busy != m_sessions.end() && spent > m_statementLimit)
        return endless(busy->first, m_statementLimit);
    return std::nullopt;
}

std::optional<LockError> LessonRun::look(Waits *waits)
{
    ServerWaits seen;
    const auto error = m_reader.read(&seen);
    m_lookedAt = Clock::now();
    if (error)
        return error;
    for (const auto &[name, session] : m_sessions) {
        if (!session->isAsked())
            continue;
        const LessonAnswer answer = blockedOn(seen, session->connection());
        if (!answer.blockers.isEmpty())
            waits->insert(name, answer);
    }
    return std::nullopt;
}

/// The indexes each time anew: a step may be an ALTER.
std::optional<LockError> LessonRun::lookAtLocks(LessonStepResult *result)
{
    const QString &schema = m_schema->learner().url.schema;
    auto error = readIndexes(*m_watcher, schema, &m_indexes);
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

LessonAnswer LessonRun::blockedOn(const ServerWaits &waits, quint64 connection) const
{
    LessonAnswer answer{LessonAnswer::Kind::Blocked};
    for (const WaitEdge &edge : waits.edges) {
        if (edge.waiter != connection)
            continue;
        if (const QString blocker = nameOf(edge.blocker); !answer.blockers.contains(blocker))
            answer.blockers += blocker;
        answer.on = kindOf(edge.object.kind);
    }
    answer.blockers.sort();
    return answer;
}

QString LessonRun::nameOf(quint64 connection) const
{
    if (connection == 0 || isPreparedNumber(connection))
        return QStringLiteral("prepared");
    for (const auto &[name, session] : m_cutOff) {
        if (session->connection() == connection)
            return name;
    }
    for (const auto &[name, session] : m_sessions) {
        if (session->connection() == connection)
            return name;
    }
    return QStringLiteral("session %1").arg(connection);
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
