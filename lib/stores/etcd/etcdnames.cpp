// SPDX-License-Identifier: MIT
#include "etcdnames.h"

#include "etcdclient.h"
#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace Qt::StringLiterals;

constexpr qsizetype kMaxLeaseDigits = 16;
constexpr qsizetype kLongestName = 4096; ///< of another program's, which may be longer than an engine's

const QString kSince = u"since"_s; // milliseconds
const QString kEnded = u"ended"_s;

QString base64(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray bytesOf(const QJsonValue &value)
{
    return QByteArray::fromBase64(value.toString().toLatin1());
}

bool isLeaseName(const QByteArray &leaf)
{
    return !leaf.isEmpty() && leaf.size() <= kMaxLeaseDigits && std::all_of(leaf.begin(), leaf.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
}

} // namespace

QByteArray rootOf(const EtcdUrl &server)
{
    return server.path.isEmpty() ? QByteArray() : server.path.toUtf8() + '/';
}

QByteArray queuePrefix(const EtcdUrl &server, const QByteArray &resource)
{
    return rootOf(server) + resource + '/';
}

QByteArray requestKey(const EtcdUrl &server, const QByteArray &resource, qint64 lease)
{
    return queuePrefix(server, resource) + QByteArray::number(lease, 16);
}

QByteArray endOfPrefix(const QByteArray &prefix)
{
    QByteArray end = prefix;
    while (end.endsWith('\xff'))
        end.chop(1);
    if (end.isEmpty())
        return QByteArray(1, '\0'); // as etcd has it
    end.back() = char(quint8(end.back()) + 1);
    return end;
}

EtcdKey keyOf(const QJsonObject &kv)
{
    return {bytesOf(kv["key"_L1]), bytesOf(kv["value"_L1]), etcdNumber(kv["create_revision"_L1]),
            etcdNumber(kv["mod_revision"_L1]), etcdNumber(kv["lease"_L1])};
}

QByteArray resourceOf(const EtcdUrl &server, const EtcdKey &key)
{
    const QByteArray root = rootOf(server);
    const qsizetype slash = key.key.lastIndexOf('/');
    if (slash <= root.size() - 1 || !key.key.startsWith(root) || key.lease == 0)
        return {};
    const QByteArray resource = key.key.mid(root.size(), slash - root.size());
    const bool isName = !resource.isEmpty() && resource.size() <= kLongestName && !resource.contains('\0');
    return isName && isLeaseName(key.key.mid(slash + 1)) ? resource : QByteArray();
}

QByteArray mailPrefix(const EtcdUrl &server, const QByteArray &session)
{
    return rootOf(server) + "lockscope/mail/" + session + '/';
}

/// Not like a request's key.
QByteArray mailKey(const EtcdUrl &server, const QByteArray &session, quint64 token)
{
    return mailPrefix(server, session) + "to-" + QByteArray::number(token);
}

QByteArray noteValue(const QByteArray &ownerJson, const QByteArray &note, ServerTime now)
{
    QJsonObject data = storeNote(ownerJson, note);
    data[kSince] = double(std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count());
    return compactJson(data);
}

EtcdNote etcdNoteOf(const QByteArray &value)
{
    EtcdNote note;
    const QJsonObject object = objectIn(value);
    note.isOurs = isStoreNote(object);
    if (!note.isOurs) {
        note.owner.service = strangerIn(value);
        return note;
    }
    note.owner = ownerIn(object);
    note.note = noteIn(object);
    const double since = object[kSince].toDouble();
    constexpr double year9999 = 253'402'300'799'000;
    if (since > 0 && since < year9999)
        note.since = ServerTime(std::chrono::milliseconds(qint64(since)));
    return note;
}

QByteArray askedMail(const QByteArray &before, const QString &reason)
{
    return compactJson(withAsk(objectIn(before), reason));
}

QByteArray endedMail()
{
    return compactJson({{kEnded, true}});
}

std::optional<StoreAsks> askedIn(const QByteArray &mail)
{
    const StoreAsks asks = asksIn(objectIn(mail));
    return asks.reasons.isEmpty() ? std::nullopt : std::optional(asks);
}

QJsonObject compareCreated(const QByteArray &key, qint64 revision)
{
    return {{u"key"_s, base64(key)},
            {u"target"_s, u"CREATE"_s},
            {u"result"_s, u"EQUAL"_s},
            {u"create_revision"_s, QString::number(revision)}};
}

QJsonObject compareModified(const QByteArray &key, qint64 revision)
{
    return {{u"key"_s, base64(key)},
            {u"target"_s, u"MOD"_s},
            {u"result"_s, u"EQUAL"_s},
            {u"mod_revision"_s, QString::number(revision)}};
}

QJsonObject rangeOf(const QByteArray &key, const QByteArray &end)
{
    QJsonObject range{{u"key"_s, base64(key.isEmpty() ? QByteArray(1, '\0') : key)}};
    if (!end.isEmpty())
        range[u"range_end"_s] = base64(end);
    return range;
}

QJsonObject readOp(const QJsonObject &range)
{
    return {{u"request_range"_s, range}};
}

QJsonObject putOp(const QByteArray &key, const QByteArray &value, qint64 lease)
{
    return {{u"request_put"_s,
             QJsonObject{{u"key"_s, base64(key)}, {u"value"_s, base64(value)}, {u"lease"_s, QString::number(lease)}}}};
}

QJsonObject moveOp(const QByteArray &key, qint64 lease)
{
    return {{u"request_put"_s,
             QJsonObject{{u"key"_s, base64(key)}, {u"ignore_value"_s, true}, {u"lease"_s, QString::number(lease)}}}};
}

QJsonObject deleteOp(const QByteArray &key)
{
    return {{u"request_delete_range"_s, QJsonObject{{u"key"_s, base64(key)}}}};
}

QList<EtcdKey> keysIn(const QJsonObject &range)
{
    QList<EtcdKey> keys;
    for (const QJsonValue kv : range["kvs"_L1].toArray())
        keys.append(keyOf(kv.toObject()));
    return keys;
}

QList<EtcdKey> keysRead(const QJsonObject &txn, int number)
{
    return keysIn(txn["responses"_L1].toArray()[number].toObject()["response_range"_L1].toObject());
}

} // namespace lockscope::detail
