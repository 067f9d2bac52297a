// SPDX-License-Identifier: MIT
#include "serverwaits.h"

#include <algorithm>

namespace lockscope {

namespace {

QString metadataText(const ServerObject &object)
{
    if (object.scope == QLatin1String("SCHEMA"))
        return QStringLiteral("schema ") + object.schema;
    if (object.schema.isEmpty() && object.name.isEmpty())
        return QStringLiteral("the whole server (%1)").arg(object.scope.toLower());
    const QString name = QString::fromUtf8(object.name);
    return object.schema.isEmpty() ? name : object.schema + u'.' + name;
}

} // namespace

QString ServerObject::toString() const
{
    switch (kind) {
    case ServerLockKind::User:
        if (!isLease())
            return QString::fromUtf8(name);
        return name.isEmpty() ? QStringLiteral("a lease") : QStringLiteral("lease ") + QString::fromUtf8(name);
    case ServerLockKind::Metadata:
        return metadataText(*this);
    case ServerLockKind::Table:
    case ServerLockKind::Record:
        break;
    }
    if (name.isEmpty()) // gone before it was looked up
        return QStringLiteral("a row lock");
    const QString table = schema + u'.' + QString::fromUtf8(name);
    if (kind == ServerLockKind::Table)
        return table;
    return record.isEmpty() ? table + u' ' + index
                            : QStringLiteral("%1 %2 (%3)").arg(table, index, QString::fromUtf8(record));
}

size_t qHash(const ServerObject &object, size_t seed) noexcept
{
    return qHashMulti(seed, int(object.kind), object.scope, object.schema, object.name, object.index, object.record);
}

QString ServerSession::account() const
{
    return host.isEmpty() ? user : user + u'@' + host;
}

Owner ServerSession::asOwner() const
{
    if (!(owner == Owner()))
        return owner;
    Owner found;
    found.service = program.isEmpty() ? user : program;
    found.host = host;
    found.pid = osPid;
    return found;
}

const ServerSession *ServerWaits::session(quint64 id) const
{
    const auto found = sessions.constFind(id);
    return found == sessions.cend() ? nullptr : &*found;
}

const PreparedTransaction *ServerWaits::preparedTransaction(quint64 number) const
{
    const auto found = prepared.constFind(number);
    return found == prepared.cend() ? nullptr : &*found;
}

const PreparedTransaction *ServerWaits::preparedBy(quint64 session) const
{
    const auto found = std::find_if(prepared.cbegin(), prepared.cend(), [session](const PreparedTransaction &one) {
        return session != 0 && one.session == session;
    });
    return found == prepared.cend() ? nullptr : &*found;
}

} // namespace lockscope
