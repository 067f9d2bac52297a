// SPDX-License-Identifier: MIT
#include "preparedtext.h"

#include "terminal/output.h"

#include <QtCore/QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr qsizetype kShownNames = 4;

/// "'x1', 'x2' and 3 more"
QString namesText(const QList<Xid> &xids)
{
    QStringList names;
    for (const Xid &xid : xids.first(qMin(xids.size(), kShownNames)))
        names.append(QString::fromLatin1(xid.toSql()));
    const auto more = xids.size() - names.size();
    return names.join(u", "_s) + (more > 0 ? u" and %1 more"_s.arg(more) : QString());
}

} // namespace

QString holderText(quint64 number)
{
    return isPreparedNumber(number) ? u"transaction %1"_s.arg(number & ~kPreparedBit) : QString::number(number);
}

QJsonValue holderToJson(quint64 number)
{
    return isPreparedNumber(number) ? QJsonValue(holderText(number)) : ctl::number(number);
}

QString preparedText(const PreparedTransaction &prepared)
{
    if (prepared.xids.isEmpty())
        return prepared.isAttached ? u"prepared (XA)"_s : u"without a session"_s;
    return (prepared.isTold ? u"prepared as XA "_s : u"prepared as XA, one of "_s) + namesText(prepared.xids);
}

QString preparedEndText(const PreparedTransaction &prepared)
{
    const QString after = prepared.isAttached ? u", once session %1 has ended"_s.arg(prepared.session) : QString();
    if (prepared.isTold)
        return u"XA COMMIT %1 or XA ROLLBACK %1 ends it%2"_s.arg(namesText(prepared.xids), after);
    if (prepared.xids.isEmpty())
        return u"XA RECOVER lists the names of prepared ones, XA COMMIT or XA ROLLBACK ends them"_s + after;
    return u"XA COMMIT or XA ROLLBACK ends it%1; the server does not tell which name it has"_s.arg(after);
}

QString preparedWarning(const ServerWaits &waits, quint64 session)
{
    if (const PreparedTransaction *prepared = waits.preparedBy(session))
        return u"Its transaction %1 is %2. It outlives the session with all its locks: %3."_s.arg(
            QString::number(prepared->transaction.id), preparedText(*prepared), preparedEndText(*prepared));
    const ServerSession *known = waits.session(session);
    if (known && known->isIdle() && known->transaction && known->transaction->mayBePrepared)
        return u"Its transaction may be a prepared one (XA RECOVER lists some). Then it outlives the session with all "
               "its locks, and only XA COMMIT or XA ROLLBACK ends it."_s;
    return {};
}

QString preparedHint(const ServerWaits &waits)
{
    QList<Xid> xids;
    for (const PreparedTransaction &one : waits.prepared) {
        for (const Xid &xid : one.xids) {
            if (!xids.contains(xid))
                xids.append(xid);
        }
    }
    std::sort(xids.begin(), xids.end(), [](const Xid &a, const Xid &b) { return a.toSql() < b.toSql(); });
    const QString names = xids.isEmpty() ? QString() : u": "_s + namesText(xids);
    return u"a prepared transaction may hold it (XA RECOVER%1)"_s.arg(names);
}

QJsonValue preparedToJson(const PreparedTransaction *prepared)
{
    if (!prepared)
        return {};
    QJsonArray xids;
    for (const Xid &xid : prepared->xids)
        xids.append(QString::fromLatin1(xid.toSql()));
    const bool hasSession = prepared->session != 0;
    return QJsonObject{{u"xids"_s, xids},
                       {u"isTold"_s, prepared->isTold},
                       {u"connectionId"_s, hasSession ? QJsonValue(number(prepared->session)) : QJsonValue()},
                       {u"isAttached"_s, prepared->isAttached}};
}

} // namespace lockscope::ctl
