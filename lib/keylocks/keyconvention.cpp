// SPDX-License-Identifier: MIT
#include "keyconvention.h"

namespace lockscope {

using namespace Qt::StringLiterals;

QString typeName(KeyType type)
{
    switch (type) {
    case KeyType::String:
        return u"string"_s;
    case KeyType::Hash:
        return u"hash"_s;
    case KeyType::SortedSet:
        return u"zset"_s;
    case KeyType::Folder:
        return u"folder"_s;
    case KeyType::Node:
        return u"node"_s;
    case KeyType::Key:
        break;
    }
    return u"key"_s;
}

KeyStore storeOf(KeyType type)
{
    if (type == KeyType::Key)
        return KeyStore::Etcd;
    return type == KeyType::Folder || type == KeyType::Node ? KeyStore::ZooKeeper : KeyStore::Redis;
}

QRegularExpression globPattern(const QStringList &globs)
{
    QStringList patterns;
    for (const QString &glob : globs)
        patterns.append(QRegularExpression::escape(glob).replace(u"\\*"_s, u".*"_s));
    return QRegularExpression(u"\\A(?:"_s + patterns.join(u'|') + u")\\z"_s,
                              QRegularExpression::CaseInsensitiveOption
                                  | QRegularExpression::DotMatchesEverythingOption);
}

bool KeyConvention::isFor(const QString &server) const
{
    return servers.isEmpty() || globPattern(servers).match(server).hasMatch();
}

/// Byte for byte, whatever they are.
bool KeyConvention::isNamed(const QByteArray &name) const
{
    return namePattern.match(QString::fromLatin1(name)).hasMatch();
}

} // namespace lockscope
