// SPDX-License-Identifier: MIT
#include "recordeditems.h"

#include <QtCore/QDataStream>
#include <QtCore/QtEndian>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

enum Change : quint8 { Removed, Set };

constexpr auto kStream = QDataStream::Qt_6_0;
constexpr int kCompression = 6;
/// A checksum stands before the rest.
constexpr qsizetype kCheckBytes = sizeof(quint16);
/// More than any look: a hundred thousand leases are a fifth of it.
constexpr quint32 kMaxBytes = 256 * 1024 * 1024;

} // namespace

QByteArray packed(const QByteArray &bytes)
{
    const QByteArray small = qCompress(bytes, kCompression);
    QByteArray checked(kCheckBytes, '\0');
    qToBigEndian(qChecksum(small), checked.data());
    return checked + small;
}

bool unpack(const QByteArray &packed, QByteArray *bytes)
{
    const QByteArrayView small = QByteArrayView(packed).sliced(qMin(kCheckBytes, packed.size()));
    constexpr qsizetype lengthBytes = 4; // qCompress() writes it before the rest
    if (small.size() <= lengthBytes || qFromBigEndian<quint16>(packed.constData()) != qChecksum(small)
        || qFromBigEndian<quint32>(small.data()) > kMaxBytes)
        return false;
    *bytes = qUncompress(packed.sliced(kCheckBytes));
    return !bytes->isEmpty();
}

QByteArray packedChanges(const RecordedItems &before, const RecordedItems &after)
{
    QByteArrayList removed;
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        if (!after.contains(it.key()))
            removed.append(it.key());
    }
    QByteArrayList set;
    for (auto it = after.cbegin(); it != after.cend(); ++it) {
        const auto known = before.constFind(it.key());
        if (known == before.cend() || known.value() != it.value())
            set.append(it.key());
    }
    // Equals beside each other compress to half of what they do in a hash's order.
    std::sort(removed.begin(), removed.end());
    std::sort(set.begin(), set.end());
    QByteArray changes;
    QDataStream stream(&changes, QIODevice::WriteOnly);
    stream.setVersion(kStream);
    for (const QByteArray &key : std::as_const(removed))
        stream << quint8(Removed) << key;
    for (const QByteArray &key : std::as_const(set))
        stream << quint8(Set) << key << after.value(key);
    return changes.isEmpty() ? QByteArray() : packed(changes);
}

bool applyChanges(const QByteArray &packed, RecordedItems *items)
{
    if (packed.isEmpty())
        return true;
    QByteArray changes;
    if (!unpack(packed, &changes))
        return false;
    QDataStream stream(changes);
    stream.setVersion(kStream);
    while (!stream.atEnd()) { // no count is read: a damaged one would be believed
        quint8 change = 0;
        QByteArray key;
        QByteArray value;
        stream >> change >> key;
        if (change == Set)
            stream >> value;
        if (stream.status() != QDataStream::Ok || change > Set)
            return false;
        if (change == Set)
            items->insert(key, value);
        else
            items->remove(key);
    }
    return true;
}

} // namespace lockscope
