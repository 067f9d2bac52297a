// SPDX-License-Identifier: MIT
#include "serverwaits.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace lockscope {

namespace {

QString metadataText(const ServerObject &object)
{
    if (object.scope == QLatin1String("SCHEMA"))
        return QStringLiteral("schema ") + object.schema;
    if (object.schema.isEmpty() && object.name.isEmpty())
        return QStringLiteral("the whole server (%1)").arg(object.scope.toLower());
    QString name = QString::fromUtf8(object.name);
    if (!object.schema.isEmpty())
        name.prepend(object.schema + u'.');
    return object.isOfTable() || object.scope.isEmpty() ? name : object.scope.toLower() + u' ' + name;
}

/// What follows the index.
QString recordText(const ServerObject &object)
{
    if (object.record.isEmpty())
        return {};
    if (object.isAtEnd())
        return QStringLiteral(", gap at the end");
    const QString key = u'(' + QString::fromUtf8(object.record) + u')';
    return object.isGap ? QStringLiteral(", gap before ") + key : u' ' + key;
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
    return table + u' ' + index + recordText(*this);
}

bool ServerObject::operator==(const ServerObject &other) const
{
    const auto identity = [](const ServerObject &one) {
        return std::tie(one.kind, one.scope, one.schema, one.name, one.index, one.record);
    };
    return identity(*this) == identity(other);
}

size_t qHash(const ServerObject &object, size_t seed) noexcept
{
    return qHashMulti(seed, int(object.kind), object.scope, object.schema, object.name, object.index, object.record);
}

QString ServerSession::hostName() const
{
    const qsizetype colon = host.lastIndexOf(u':');
    bool isPort = false;
    host.mid(colon + 1).toUShort(&isPort);
    return colon > 0 && isPort ? host.left(colon) : host;
}

QString ServerSession::programName() const
{
    return program.isEmpty() ? owner.service : program;
}

const PastStatement *ServerSession::culprit() const
{
    const auto took = [](const PastStatement &one) { return one.tookLock; };
    const auto found = std::find_if(history.cbegin(), history.cend(), took);
    if (found == history.cend() || std::any_of(std::next(found), history.cend(), took))
        return nullptr;
    const bool isLast = isIdle() && found == std::prev(history.cend());
    return isLast ? nullptr : &*found;
}

QString ServerSession::account() const
{
    return host.isEmpty() ? user : user + u'@' + host;
}

QString ServerSession::accountWithoutPort() const
{
    return host.isEmpty() ? user : user + u'@' + hostName();
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

bool ServerWaits::isAsked(ServerLockKind kind) const
{
    const WaitSource source = kind == ServerLockKind::Metadata ? WaitSource::Metadata
        : kind == ServerLockKind::User                         ? WaitSource::UserLocks
                                                               : WaitSource::RowWaits;
    return std::none_of(sources.cbegin(), sources.cend(), [source](const SourceStatus &one) {
        return one.source == source && one.state == SourceStatus::State::Off;
    });
}

const PreparedTransaction *ServerWaits::preparedBy(quint64 session) const
{
    const auto found = std::find_if(prepared.cbegin(), prepared.cend(), [session](const PreparedTransaction &one) {
        return session != 0 && one.session == session;
    });
    return found == prepared.cend() ? nullptr : &*found;
}

} // namespace lockscope
