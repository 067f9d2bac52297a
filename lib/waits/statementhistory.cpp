// SPDX-License-Identifier: MIT
#include "statementhistory.h"

#include "inferredwaits.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

/// Columns of waits/history.
enum HistoryColumn { SessionCol, ThreadCol, EventCol, EndCol, NameCol, TextCol };

/// At which a session took what others wait for: of rows with its thread, of metadata with none.
struct Origin
{
    LockOrigin at;
    QString table; ///< of rows

    bool operator==(const Origin &) const = default;
};
using Origins = QMultiHash<quint64, Origin>;

/// A row of waits/history.
struct Told
{
    quint64 thread = 0;
    quint64 event = 0;
    quint64 end = 0;
    QByteArray text;
};

Origins originsOf(const ServerWaits &waits)
{
    QSet<std::pair<quint64, ServerObject>> wanted;
    Origins origins;
    for (const WaitEdge &edge : waits.edges) {
        wanted.insert({edge.blocker, edge.object});
        const Origin origin{edge.origin.value_or(LockOrigin()), QString::fromUtf8(edge.object.name)};
        if (edge.origin && !origins.contains(edge.blocker, origin))
            origins.insert(edge.blocker, origin);
    }
    for (const ServerLock &lock : waits.locks) {
        if (lock.isGranted && lock.event && wanted.contains({lock.session, lock.object}))
            origins.insert(lock.session, {{0, *lock.event}, {}});
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

/// A commit or the begin of a transaction: what was before belongs to another one.
bool isBoundary(const QString &event)
{
    return event == QLatin1String("statement/sql/begin") || event == QLatin1String("statement/sql/commit")
        || event == QLatin1String("statement/sql/rollback") || event == QLatin1String("statement/sql/xa_start")
        || event == QLatin1String("statement/sql/xa_commit") || event == QLatin1String("statement/sql/xa_rollback");
}

/// Neither locks anything nor changes anything that others see.
bool isOfNoInterest(const QString &event)
{
    return event == QLatin1String("statement/sql/set_option") || event.startsWith(QLatin1String("statement/sql/show_"));
}

/// The number of a lock is that of the next event: each begins with the number as it is, and counts it up.
bool isOf(const LockOrigin &origin, const Told &told)
{
    return (origin.thread == 0 || origin.thread == told.thread) && origin.event > told.event
        && origin.event <= told.end + 1;
}

bool onlyReads(const QByteArray &text)
{
    static const QRegularExpression pattern(
        QStringLiteral(R"re(^[\s(]*SELECT\b(?!.*\b(?:FOR\s+(?:UPDATE|SHARE)|LOCK\s+IN\s+SHARE\s+MODE)\b))re"),
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
/// was made: the row may have been added by a later statement.
bool lockedIt(const Origin &origin, const QList<Told> &told, qsizetype place, const ServerSession &session)
{
    if (!isOf(origin.at, told[place]))
        return false;
    if (origin.at.thread == 0)
        return true;
    const auto mayHaveAdded = [&](const QByteArray &text) {
        return mayLockRows(text, origin.table) && (onlyReads(told[place].text) || !onlyReads(text));
    };
    const bool isRunning = session.statement.source == Statement::Source::Running;
    return !(isRunning && mayHaveAdded(session.statement.text))
        && std::none_of(told.cbegin() + place + 1, told.cend(),
                        [&](const Told &later) { return mayHaveAdded(later.text); });
}

QList<PastStatement> historyOf(const QList<Told> &told, const ServerSession &session, const Origins &origins)
{
    QList<PastStatement> history;
    const auto [first, last] = origins.equal_range(session.id);
    for (qsizetype i = 0; i < told.size(); ++i) {
        const bool tookLock =
            std::any_of(first, last, [&](const Origin &origin) { return lockedIt(origin, told, i, session); });
        history.append({told[i].text, tookLock});
    }
    return history;
}

} // namespace

std::optional<LockError> readHistory(Session &session, ServerWaits *waits)
{
    const QList<quint64> ids = blockersOf(*waits);
    if (ids.isEmpty())
        return std::nullopt;
    const Reply reply = session.run(
        "waits/history", Params().numberList("ids", ids).number("bytes", qint64(ServerWaits::MaxStatementBytes)));
    QHash<quint64, QList<Told>> told;
    for (const QVariantList &values : reply.set(-1).rows) {
        QList<Told> &those = told[values.value(SessionCol).toULongLong()];
        const QString name = values.value(NameCol).toString();
        if (isBoundary(name))
            those.clear();
        else if (!isOfNoInterest(name))
            those.append({values.value(ThreadCol).toULongLong(), values.value(EventCol).toULongLong(),
                          values.value(EndCol).toULongLong(), values.value(TextCol).toByteArray()});
    }
    const Origins origins = originsOf(*waits);
    for (auto it = told.cbegin(); it != told.cend(); ++it) {
        const auto one = waits->sessions.find(it.key());
        if (one != waits->sessions.end())
            one->history = historyOf(*it, *one, origins);
    }
    return reply.error;
}

} // namespace lockscope
