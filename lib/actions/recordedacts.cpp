// SPDX-License-Identifier: MIT
#include "recordedacts.h"

#include "console/serveraccess.h"
#include "forcerelease.h"
#include "keyrelease.h"
#include "killtarget.h"
#include "lockscope/lockrequest.h"
#include "preparedend.h"
#include "sources/storeaddress.h"
#include "tablerelease.h"

#include <QtCore/QMultiHash>
#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

QString leaseTarget(const LockKey &key, quint64 token)
{
    return u"lease "_s + QString::fromUtf8(key.resource) + u", token "_s + QString::number(token);
}

/// What a line tells, as the server would.
Event eventOf(const AuditLine &line)
{
    static const QRegularExpression session(u"^(session \\d+) of (.*)@([^@]*?)(, transaction \\d+)?$"_s,
                                            QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression prepared(u"^(XA (?:COMMIT|ROLLBACK) .+?)(, transaction \\d+)?$"_s);
    static const QRegularExpression row(u"^row (.*) of (.*?)$"_s, QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression lease(u"^lease (.*), token (\\d+)$"_s,
                                          QRegularExpression::DotMatchesEverythingOption);
    Event event;
    event.at = toServerTime(line.at);
    event.operatorName = line.operatorName;
    event.reason = line.reason;
    event.account = line.account;
    if (const auto match = session.match(line.target); match.hasMatch()) {
        event.kind = Event::Kind::Kill;
        event.kindName = "kill";
        event.key.resource = match.captured(1).toUtf8(); // as its own event names it
        event.owner.service = match.captured(2);
        event.owner.host = match.captured(3);
    } else if (const auto ended = prepared.match(line.target); ended.hasMatch()) {
        event.kind = Event::Kind::Kill;
        event.kindName = "kill";
        event.key.resource = ended.captured(1).toUtf8();
    } else if (const auto named = lease.match(line.target); named.hasMatch()) {
        event.kind = Event::Kind::ForceRelease;
        event.kindName = "force_release";
        event.key.resource = named.captured(1).toUtf8();
        event.token = named.captured(2).toULongLong();
    } else if (const auto inTable = row.match(line.target); inTable.hasMatch()) {
        event.kind = Event::Kind::TableRelease;
        event.kindName = "table_release";
        event.key.kind = LockKind::Table;
        event.key.resource = (inTable.captured(2) + u' ' + inTable.captured(1)).toUtf8(); // as the list names it
    } else {
        event.key.resource = line.target.toUtf8();
    }
    return event;
}

/// A server's record tells there what was done and what came of it, too.
QString recordedReason(const Event &event)
{
    static const QRegularExpression done(u" \\((KILL (CONNECTION|QUERY) \\d+|XA (COMMIT|ROLLBACK)): .*\\)$"_s,
                                         QRegularExpression::DotMatchesEverythingOption);
    return event.kind == Event::Kind::Kill ? QString(event.reason).remove(done) : event.reason;
}

/// The same for an act in both records. A server has room for the beginning of a long name, and beside what was done
/// for that of a long reason.
QString actKey(const Event &event)
{
    LockKey key = event.key;
    key.resource.truncate(MaxResourceBytes);
    return QStringList{QString::number(int(event.kind)), leaseTarget(key, event.token), event.operatorName,
                       recordedReason(event).left(MaxReasonCharacters - MaxDoneCharacters)}
        .join(u'\n');
}

bool isNothing(const AuditLine &line)
{
    return line.outcome.startsWith("nothing was done"_L1) || line.outcome.startsWith("failed"_L1);
}

bool isNewer(const RecordedEvent &a, const RecordedEvent &b)
{
    return a.event.at != b.event.at ? a.event.at > b.event.at : a.event.id > b.event.id;
}

} // namespace

QString failureText(const std::optional<LockError> &error, bool mayBeDone)
{
    return (mayBeDone ? u"not known, it may have ended: "_s : u"failed: "_s) + (error ? error->toString() : QString());
}

QString whyNotOnServer(const std::optional<LockError> &error)
{
    using Kind = LockError::Kind;
    if (!error || error->kind == Kind::SchemaMissing || error->kind == Kind::NoPermission)
        return {};
    if (error->kind == Kind::Contention)
        return QStringLiteral("The server's own record was not written: nobody may write there at present, as under "
                              "FLUSH TABLES WITH READ LOCK. What was asked went on all the same.");
    return QStringLiteral("The server's own record could not be written: ") + error->toString();
}

QString reasonWithResult(const QString &reason, const QString &done, const QString &outcome)
{
    const QString result = u" (%1: %2"_s.arg(done, outcome).left(MaxDoneCharacters - 1) + u')';
    return reason.left(MaxReasonCharacters - result.size()) + result;
}

QString recordedTarget(const ReleaseOrder &order)
{
    return leaseTarget(order.key, order.token);
}

QString recordedTarget(const KillTarget &target)
{
    QString text = u"session %1 of %2@%3"_s.arg(QString::number(target.session), target.user, target.host);
    if (target.transaction)
        text += u", transaction %1"_s.arg(*target.transaction);
    return text;
}

QString recordedTarget(const PreparedOrder &order)
{
    const QString text = QString::fromLatin1(preparedCommand(order));
    return order.target.transaction == 0 ? text : text + u", transaction %1"_s.arg(order.target.transaction);
}

QString recordedTarget(const TableReleaseOrder &order)
{
    return u"row %1 of %2"_s.arg(QString::fromUtf8(order.lock.name()), order.lock.table.place());
}

QString recordedTarget(const KeyReleaseOrder &order)
{
    return u"key %1, guard %2"_s.arg(QString::fromUtf8(order.key.resource), QString::fromUtf8(order.guard));
}

AuditEntry recordedAct(const QString &target, const QString &reason)
{
    AuditEntry act;
    act.target = target;
    act.reason = reason;
    return act;
}

bool RecordedEvent::isDone() const
{
    const auto begins = [this](const QString &word) { return line->outcome.startsWith(word); };
    return isOnServer || !line || begins(u"released"_s) || begins(u"ended"_s) || begins(u"the statement was ended"_s);
}

bool RecordedEvent::isSame(const RecordedEvent &other) const
{
    if (line && other.line && line->at == other.line->at && line->target == other.line->target)
        return true;
    if (isOnServer || other.isOnServer)
        return isOnServer && other.isOnServer && event.id == other.event.id;
    return !line && !other.line && event.at == other.event.at; // seen by a watcher
}

QList<AuditLine> actsOnStore(const QString &url, const QList<AuditLine> &acts)
{
    QList<AuditLine> found;
    std::copy_if(acts.cbegin(), acts.cend(), std::back_inserter(found),
                 [&url](const AuditLine &act) { return isSameStore(act.server, url); });
    return found;
}

QList<AuditLine> actsOn(const ServerUrl &url, const QList<AuditLine> &acts)
{
    QList<AuditLine> found;
    std::copy_if(acts.cbegin(), acts.cend(), std::back_inserter(found), [&url](const AuditLine &act) {
        ServerUrl recorded;
        QString error;
        const QString address = act.server.section(u" ("_s, 0, 0); // which run of it stands behind
        return ServerUrl::parse(address, &recorded, &error) && isSameServer(recorded, url);
    });
    return found;
}

/// Clocks differ: of several acts that are alike the newest of one record is the newest of the other.
QList<RecordedEvent> mergedRecords(const QList<Event> &events, const QList<AuditLine> &acts)
{
    QList<RecordedEvent> merged;
    QMultiHash<QString, qsizetype> told; // newest last
    for (const Event &event : events) {
        if (event.kind == Event::Kind::ForceRelease || event.kind == Event::Kind::Kill)
            told.insert(actKey(event), merged.size());
        merged.append({event, event.kind != Event::Kind::ServerStart, {}});
    }
    std::for_each(acts.crbegin(), acts.crend(), [&](const AuditLine &act) {
        const Event event = eventOf(act);
        const auto same = isNothing(act) ? told.end() : told.find(actKey(event)); // the one that was inserted last
        if (same == told.end()) {
            merged.append({event, false, act});
            return;
        }
        merged[*same].line = act;
        told.erase(same);
    });
    std::stable_sort(merged.begin(), merged.end(), isNewer);
    return merged;
}

} // namespace lockscope
