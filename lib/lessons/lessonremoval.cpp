// SPDX-License-Identifier: MIT
#include "lessonremoval.h"

#include "session/runnames.h"
#include "waits/preparedtransactions.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <algorithm>
#include <atomic>
#include <thread>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

/// For rollbacks that go on and for whoever else looks at a table just now.
constexpr auto kPatience = 10s;
constexpr auto kGoneWithin = 2s;
/// To find out who holds a run's tables.
constexpr auto kAskingFor = 3s;
constexpr auto kBetweenLooks = 20ms;
/// InnoDB serves its tables of locks from a cache of 100 ms, which only time without a reader refreshes.
constexpr auto kBetweenLocks = 120ms;

/// The account last, by which the rest is found. Where there is no right to drop the schema it was never made.
std::optional<LockError> drop(Session &control, const LessonMade &made)
{
    const Reply dropped = control.run("lessons/drop_schema", made.params());
    if (dropped.error && dropped.error->kind != LockError::Kind::NoPermission)
        return dropped.error;
    return control.run("lessons/drop_account", made.params()).error;
}

QSet<quint64> numbersOf(const Reply &reply)
{
    QSet<quint64> numbers;
    for (const QVariantList &row : reply.set(-1).rows)
        numbers += row.value(0).toULongLong();
    return numbers;
}

QSet<quint64> sessionsOf(Session &control, const LessonMade &made)
{
    return numbersOf(control.run("lessons/sessions", Params().text("user", made.user)));
}

/// The prepared transactions that hold something in the schema.
class Holders
{
public:
    Holders(Session &control, const SessionTarget &watcher, const LessonMade &made)
        : m_control(control)
        , m_watcher(watcher)
        , m_schema(made.schema)
    {
    }

    /// How many there are at least.
    qsizetype count()
    {
        if (m_control.info().family == Family::MariaDb)
            return preparedOf(findWaitedFor()).size();
        const Reply readers = m_control.run("lessons/prepared_readers", schema());
        return std::max(preparedOf(numbersOf(m_control.run("lessons/prepared_holders", schema()))).size(),
                        numbersOf(readers).size());
    }

private:
    Params schema() const { return Params().text("schema", m_schema); }

    /// MariaDB tells of locks that somebody waits for, so a session waits for each table meanwhile.
    QSet<quint64> findWaitedFor()
    {
        const Reply tables = m_control.run("lessons/tables", schema());
        QSet<quint64> found;
        std::atomic<bool> isDone = false;
        const std::jthread waiting([&] {
            LockError ignored;
            const auto session = Session::open(m_watcher, &ignored);
            const auto end = Clock::now() + kAskingFor;
            for (const QVariantList &row : tables.set(-1).rows) {
                if (session && Clock::now() < end)
                    session->run("lessons/lock_table", Params().table("table", m_schema, row.value(0).toString()));
            }
            isDone = true;
        });
        while (!isDone) {
            std::this_thread::sleep_for(kBetweenLocks);
            found += numbersOf(m_control.run("lessons/prepared_holders", schema()));
        }
        return found;
    }

    /// Those that a restart of the server found open, and that are not prepared, have no session either while they are
    /// rolled back.
    QSet<quint64> preparedOf(QSet<quint64> transactions)
    {
        if (transactions.isEmpty())
            return transactions;
        static const QRegularExpression pattern(u"^---TRANSACTION (\\d+), ACTIVE \\(PREPARED\\)"_s,
                                                QRegularExpression::MultilineOption);
        const Reply status = m_control.run("waits/innodb_status", Params());
        const QString text = QString::fromLatin1(status.set(-1).rows.value(0).value(2).toByteArray());
        QSet<quint64> prepared;
        for (auto each = pattern.globalMatch(text); each.hasNext();)
            prepared += each.next().captured(1).toULongLong();
        return transactions.intersect(prepared);
    }

    Session &m_control;
    const SessionTarget m_watcher;
    const QString m_schema;
};

QByteArray rollbackOf(const Xid &xid)
{
    return "XA ROLLBACK " + xid.toSql();
}

void rollBack(Session &control, const QList<Xid> &xids)
{
    for (const Xid &xid : xids)
        control.run(rollbackOf(xid), "lesson/xa"); // an error: it has ended before
}

/// Of these runs. Each holder has one of the names. Returns those that may not be ended, as some are another's.
QList<Xid> rollBackOwn(Session &control, const SessionTarget &watcher, const QList<LessonMade> &runs)
{
    QList<Xid> names;
    if (readXids(control, &names) || names.isEmpty())
        return {};
    qsizetype holders = 0;
    for (const LessonMade &made : runs)
        holders += Holders(control, watcher, made).count();
    QList<Xid> later;
    if (holders == 0 || readXids(control, &later))
        return {};
    const bool isTheSame = std::ranges::is_permutation(names, later);
    if (!isTheSame || holders != names.size())
        return later;
    rollBack(control, names);
    return {};
}

LessonRemains remainsOf(const LessonMade &made, const LockError &error, const QList<Xid> &doubtful)
{
    LessonRemains remains{
        made.schema, made.account(), error.serverText.isEmpty() ? error.message : error.serverText, {}};
    for (const Xid &xid : doubtful)
        remains.rollbacks += QString::fromUtf8(rollbackOf(xid));
    return remains;
}

bool isHeld(const std::optional<LockError> &error)
{
    return error && error->kind == LockError::Kind::Contention;
}

bool isAlive(Session &control, const LessonMade &made)
{
    return control.run("lessons/take_mark", Params().text("name", made.schema)).value().toInt() != 1
        || !sessionsOf(control, made).isEmpty();
}

} // namespace

QString lessonPassword(const QByteArray &end)
{
    return QStringLiteral("Ls-1'") + QString::fromLatin1(end);
}

Params LessonMade::params() const
{
    return Params().identifier("schema", schema).identifier("user", user).identifier("host", host);
}

void endLessonSessions(Session &control, const LessonMade &made, SessionTarget learner, std::unique_ptr<Session> warden)
{
    LockError ignored;
    if (!warden || warden->isGone()) {
        const QByteArray password = newRunName().toLatin1() + newRunName().toLatin1();
        learner.password = lessonPassword(password);
        control.run("lessons/new_password", made.params().lockName("password", password));
        warden = Session::open(learner, &ignored);
    }
    control.run("lessons/lock_account", made.params());
    const auto end = Clock::now() + kGoneWithin;
    QSet<quint64> killed;
    for (;;) {
        QSet<quint64> others = sessionsOf(control, made);
        if (warden)
            others.remove(warden->connectionId());
        if (others.isEmpty() || Clock::now() > end)
            return;
        for (const quint64 session : others - killed) {
            if (warden)
                warden->run("lessons/kill", Params().number("connection", session));
        }
        killed += others;
        std::this_thread::sleep_for(kBetweenLooks);
    }
}

std::optional<LessonRemains> removeLesson(Session &control, const SessionTarget &watcher, const LessonMade &made,
                                          const QList<Xid> &prepared)
{
    const auto end = Clock::now() + kPatience;
    QList<Xid> doubtful;
    rollBack(control, prepared);      // once: then the names may be another's
    auto error = drop(control, made); // waits for a second itself
    while (isHeld(error) && Clock::now() < end && doubtful.isEmpty()) {
        doubtful = rollBackOwn(control, watcher, {made});
        error = drop(control, made);
    }
    return error ? std::optional(remainsOf(made, *error, doubtful)) : std::nullopt;
}

void removeDeadLessons(Session &control, const SessionTarget &watcher, const OnLessonRemains &onRemains)
{
    const Reply accounts = control.run("lessons/accounts", Params());
    const auto free = [&control](const LessonMade &made) {
        control.run("lessons/free_mark", Params().text("name", made.schema));
    };
    QList<LessonMade> held;
    for (const QVariantList &account : accounts.set(-1).rows) {
        const QString run = runOfLessonUser(account.value(0).toString());
        if (run.isEmpty())
            continue;
        const LessonMade made{lessonSchemaName(run), account.value(0).toString(), account.value(1).toString()};
        if (!isAlive(control, made) && isHeld(drop(control, made)))
            held += made;
        else
            free(made);
    }
    if (held.isEmpty())
        return;
    const QList<Xid> doubtful = rollBackOwn(control, watcher, held);
    for (const LessonMade &made : std::as_const(held)) {
        const auto error = drop(control, made);
        free(made);
        if (error && onRemains)
            onRemains(remainsOf(made, *error, doubtful));
    }
}

} // namespace lockscope
