// SPDX-License-Identifier: MIT
#include "preparedtext.h"

#include "ui/text/commontext.h"

namespace lockscope::ui {

namespace {

constexpr qsizetype kMaxNames = 3;

QString names(const QList<Xid> &xids)
{
    QStringList names;
    for (const Xid &xid : xids.first(qMin(xids.size(), kMaxNames)))
        names += QString::fromLatin1(xid.toSql());
    const QString text = names.join(PreparedText::tr(", "));
    return xids.size() > kMaxNames
        ? PreparedText::tr("%1 and %2 more").arg(text, CommonText::count(xids.size() - kMaxNames))
        : text;
}

} // namespace

QString PreparedText::holder(quint64 number)
{
    return isPreparedNumber(number) ? tr("transaction %1").arg(number & ~kPreparedBit) : QString::number(number);
}

QString PreparedText::name(const PreparedTransaction &prepared)
{
    if (prepared.xids.isEmpty())
        return prepared.isAttached ? tr("XA") : tr("no session");
    return (prepared.isTold ? tr("XA %1") : tr("XA, one of %1")).arg(names(prepared.xids));
}

QString PreparedText::state(const PreparedTransaction &prepared)
{
    return prepared.xids.isEmpty() && !prepared.isAttached ? tr("Without a session") : tr("Prepared (XA)");
}

QString PreparedText::ends(const PreparedTransaction &prepared)
{
    const QString text = prepared.isTold ? tr("XA COMMIT %1 or XA ROLLBACK %1 ends it.").arg(names(prepared.xids))
        : prepared.xids.isEmpty()
        ? tr("XA RECOVER lists the names of prepared transactions; XA COMMIT or XA ROLLBACK ends them.")
        : tr("XA COMMIT or XA ROLLBACK ends it; the server does not tell which name it has.");
    return prepared.isAttached
        ? tr("%1 Only session %2 can do that, until it has ended.").arg(text).arg(prepared.session)
        : text;
}

QString PreparedText::warning(const ServerWaits &waits, quint64 session)
{
    if (const PreparedTransaction *prepared = waits.preparedBy(session))
        return tr("Transaction %1 (%2) outlives this connection with all its locks. %3")
            .arg(QString::number(prepared->transaction.id), name(*prepared), ends(*prepared));
    const ServerSession *known = waits.session(session);
    const bool mayBe = known && known->isIdle() && known->transaction && known->transaction->mayBePrepared;
    return mayBe
        ? tr("Its transaction may be a prepared one (XA): then it outlives this connection with all its locks, "
             "and only XA COMMIT or XA ROLLBACK ends it.")
        : QString();
}

QString PreparedText::hint(const ServerWaits &waits)
{
    QList<Xid> xids;
    for (const PreparedTransaction &one : waits.prepared) {
        for (const Xid &xid : one.xids) {
            if (!xids.contains(xid))
                xids.append(xid);
        }
    }
    return xids.isEmpty() ? tr("a transaction without a session may hold it: see XA RECOVER")
                          : tr("a prepared transaction may hold it: XA %1, see XA RECOVER").arg(names(xids));
}

} // namespace lockscope::ui
