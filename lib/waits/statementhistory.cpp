// SPDX-License-Identifier: MIT
#include "statementhistory.h"

#include "inferredwaits.h"
#include "metadatamodes.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Columns of waits/history.
enum HistoryColumn { SessionCol, ThreadCol, EventCol, EndCol, NameCol, TextCol, IsOfTransactionCol };

/// At which a session took what others wait for: of rows with its thread, of metadata with none.
struct Origin
{
    LockOrigin at;
    QString table; ///< of rows

    bool operator==(const Origin &) const = default;
};

struct Origins
{
    QMultiHash<quint64, Origin> known;   ///< of each session
    QMultiHash<quint64, QString> untold; ///< its tables of which others want something whose origin is not told
};

/// A row of waits/history.
struct Told
{
    quint64 thread = 0;
    quint64 event = 0;
    quint64 end = 0;
    QByteArray text;
    bool isOfTransaction = false; ///< of the one that the session is in
};

template<typename T>
void addOnce(quint64 session, const T &value, QMultiHash<quint64, T> *all)
{
    if (!all->contains(session, value))
        all->insert(session, value);
}

/// Granted locks of metadata whose event is told, by session and object.
using HeldLocks = QMultiHash<std::pair<quint64, ServerObject>, const ServerLock *>;

/// Of the locks that hold up a waiter, the first: the others came when it was held.
std::optional<Origin> originOf(const WaitEdge &edge, const HeldLocks &held)
{
    if (edge.origin)
        return Origin{*edge.origin, QString::fromUtf8(edge.object.name)};
    std::optional<quint64> first;
    const auto [begin, end] = held.equal_range({edge.blocker, edge.object});
    for (auto lock = begin; lock != end; ++lock) {
        if (waitsFor(edge.object, edge.mode, (*lock)->mode, true))
            first = std::min(first.value_or(*(*lock)->event), *(*lock)->event);
    }
    return first ? std::optional(Origin{{0, *first}, {}}) : std::nullopt;
}

Origins originsOf(const ServerWaits &waits)
{
    HeldLocks held;
    for (const ServerLock &lock : waits.locks) {
        if (lock.isGranted && lock.event)
            held.insert({lock.session, lock.object}, &lock);
    }
    Origins origins;
    for (const WaitEdge &edge : waits.edges) {
        const auto origin = originOf(edge, held);
        if (!origin)
            addOnce(edge.blocker, QString::fromUtf8(edge.object.name), &origins.untold);
        else
            addOnce(edge.blocker, *origin, &origins.known);
    }
    return origins;
}

QList<quint64> blockersOf(const ServerWaits &waits)
{
    QSet<quint64> blockers;
    for (const WaitEdge &edge : waits.edges) {
        if (waits.session(edge.blocker))
            blockers.insert(edge.blocker);
    }
    QList<quint64> ids(blockers.cbegin(), blockers.cend());
    std::sort(ids.begin(), ids.end());
    return ids.mid(0, MaxHistories);
}

using Words = QSet<QString>;

/// A commit or the begin of a transaction: what was before belongs to another one.
bool isBoundary(const QString &event)
{
    static const Words kThose{"begin"_L1, "commit"_L1, "rollback"_L1, "xa_start"_L1, "xa_commit"_L1, "xa_rollback"_L1};
    return kThose.contains(event);
}

bool isBegin(const QString &event)
{
    return event == "begin"_L1 || event == "xa_start"_L1;
}

/// Neither locks anything nor changes anything that others see.
bool isOfNoInterest(const QString &event)
{
    return event == "set_option"_L1 || event.startsWith("show_"_L1);
}

/// Leaves the transaction open that it runs in. Most others commit it first.
bool keepsTransaction(const QString &event)
{
    static const Words kThose{"select"_L1,
                              "insert"_L1,
                              "insert_select"_L1,
                              "update"_L1,
                              "update_multi"_L1,
                              "delete"_L1,
                              "delete_multi"_L1,
                              "replace"_L1,
                              "replace_select"_L1,
                              "load"_L1,
                              "savepoint"_L1,
                              "do"_L1,
                              "rollback_to_savepoint"_L1,
                              "release_savepoint"_L1,
                              "call_procedure"_L1,
                              "execute_sql"_L1,
                              "Execute"_L1,
                              "prepare_sql"_L1,
                              "Prepare"_L1,
                              "dealloc_sql"_L1,
                              "xa_end"_L1};
    return kThose.contains(event) || isOfNoInterest(event);
}

/// The number of a lock is that of the next event: each begins with the number as it is, and counts it up.
bool isOf(const LockOrigin &origin, const Told &told)
{
    return (origin.thread == 0 || origin.thread == told.thread) && origin.event > told.event
        && origin.event <= told.end + 1;
}

/// Or comes and goes within its transaction.
bool onlyReads(const QByteArray &text)
{
    static const QRegularExpression pattern(
        QStringLiteral(
            R"re(^(?>[\s(]|/\*(?!M?!).*?\*/|(?:--\s|#)[^\n]*\n)*+)re"
            R"re((?:(?:SELECT|TABLE|VALUES)\b(?!.*\b(?:FOR\s+(?:UPDATE|SHARE)|LOCK\s+IN\s+SHARE\s+MODE)\b))re"
            R"re(|WITH\b(?!.*\b(?:UPDATE|DELETE|FOR\s+SHARE|LOCK\s+IN\s+SHARE\s+MODE)\b))re"
            R"re(|SAVEPOINT\b|RELEASE\b|ROLLBACK\b|PREPARE\b|DEALLOCATE\b))re"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    return pattern.match(QString::fromLatin1(text)).hasMatch();
}

/// Rows of the table, as far as its words tell.
bool mayLockRows(const QByteArray &text, const QString &table)
{
    static const QRegularExpression calls(QStringLiteral(R"re(^\s*(?:CALL|EXECUTE|DO)\b)re"),
                                          QRegularExpression::CaseInsensitiveOption);
    const QString words = QString::fromUtf8(text);
    return table.isEmpty() || text.size() >= ServerWaits::MaxStatementBytes || calls.match(words).hasMatch()
        || mentions(words, table);
}

/// InnoDB keeps one lock for all rows of a page that a transaction locks in the same mode, with the event at which it
/// was made: the row may have been added by a later statement, also by one that does not name the table, over a
/// trigger, a view or a foreign key.
bool lockedIt(const Origin &origin, const QList<Told> &told, qsizetype place, const ServerSession &session)
{
    if (!isOf(origin.at, told[place]))
        return false;
    if (origin.at.thread == 0)
        return true;
    const auto mayHaveAdded = [&](const QByteArray &text) {
        return !onlyReads(text) || (onlyReads(told[place].text) && mayLockRows(text, origin.table));
    };
    const bool isRunning = session.statement.source == Statement::Source::Running;
    return !(isRunning && mayHaveAdded(session.statement.text))
        && std::none_of(told.cbegin() + place + 1, told.cend(),
                        [&](const Told &later) { return mayHaveAdded(later.text); });
}

/// Each that writes may have: see lockedIt(). What reads a table may lock its rows too: the isolation level is not
/// told.
bool lockedByThese(const QString &table, const QSet<qsizetype> &places, const QList<Told> &told,
                   const ServerSession &session)
{
    const auto mayHave = [&table](const QByteArray &text) { return !onlyReads(text) || mayLockRows(text, table); };
    bool isLocked = false;
    for (qsizetype i = 0; i < told.size(); ++i) {
        if (places.contains(i))
            isLocked = isLocked || (!onlyReads(told[i].text) && mayLockRows(told[i].text, table));
        else if (mayHave(told[i].text))
            return false;
    }
    const bool isRunning = session.statement.source == Statement::Source::Running;
    return isLocked && !(isRunning && mayHave(session.statement.text));
}

/// The places of those that took what others wait for; none where that is not told of all of it.
QSet<qsizetype> takersOf(const QList<Told> &told, const ServerSession &session, const Origins &origins)
{
    QSet<qsizetype> takers;
    const auto [first, last] = origins.known.equal_range(session.id);
    bool isTold = true;
    for (auto origin = first; origin != last && isTold; ++origin) {
        qsizetype place = 0;
        while (place < told.size() && !lockedIt(*origin, told, place, session))
            ++place;
        isTold = place < told.size();
        takers.insert(place);
    }
    const auto tables = origins.untold.values(session.id);
    isTold = isTold && std::all_of(tables.cbegin(), tables.cend(), [&](const QString &table) {
                 return lockedByThese(table, takers, told, session);
             });
    return isTold ? takers : QSet<qsizetype>();
}

QList<PastStatement> historyOf(const QList<Told> &told, const ServerSession &session, const Origins &origins)
{
    QList<PastStatement> history;
    const QSet<qsizetype> takers = takersOf(told, session, origins);
    for (qsizetype i = 0; i < told.size(); ++i) {
        if (takers.contains(i) || told[i].isOfTransaction)
            history.append({told[i].text, takers.contains(i)});
    }
    return history;
}

/// Since the last boundary of each. Where the server does not tell what belongs to the transaction, that is what
/// followed its begin, as long as nothing committed it unasked: under autocommit each statement is a transaction of its
/// own.
QHash<quint64, QList<Told>> toldBySession(const QList<QVariantList> &rows)
{
    QHash<quint64, QList<Told>> told;
    QSet<quint64> begun;
    for (const QVariantList &values : rows) {
        const quint64 id = values.value(SessionCol).toULongLong();
        const QString event = values.value(NameCol).toString().section(u'/', -1);
        const bool isTracked = values.value(IsOfTransactionCol).toBool();
        QList<Told> &those = told[id];
        if (isBoundary(event)) {
            those.clear();
        } else if (!keepsTransaction(event)) {
            for (Told &earlier : those)
                earlier.isOfTransaction = isTracked;
        }
        if (isBegin(event))
            begun.insert(id);
        else if (!keepsTransaction(event))
            begun.remove(id);
        if (!isBoundary(event) && !isOfNoInterest(event))
            those.append({values.value(ThreadCol).toULongLong(), values.value(EventCol).toULongLong(),
                          values.value(EndCol).toULongLong(), values.value(TextCol).toByteArray(),
                          isTracked || begun.contains(id)});
    }
    return told;
}

} // namespace

std::optional<LockError> readHistory(Session &session, ServerWaits *waits)
{
    const QList<quint64> ids = blockersOf(*waits);
    if (ids.isEmpty())
        return std::nullopt;
    const Reply reply = session.run(
        "waits/history", Params().numberList("ids", ids).number("bytes", qint64(ServerWaits::MaxStatementBytes)));
    const auto told = toldBySession(reply.set(-1).rows);
    const Origins origins = originsOf(*waits);
    for (auto it = told.cbegin(); it != told.cend(); ++it) {
        const auto one = waits->sessions.find(it.key());
        if (one != waits->sessions.end())
            one->history = historyOf(*it, *one, origins);
    }
    return reply.error;
}

} // namespace lockscope
