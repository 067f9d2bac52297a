// SPDX-License-Identifier: MIT
#include "zookeepernames.h"

#include <QtCore/QUuid>

#include <algorithm>

namespace lockscope::detail {

namespace {

constexpr QByteArrayView kMark = "lock-";
constexpr qsizetype kDigits = 10;
/// As far as ZooKeeper counts in a folder. Then it gives this number again and again, or goes on with negative ones.
constexpr QByteArrayView kLast = "2147483647";

/// Of those that ZooKeeper takes; "%" and "/" mean something.
bool isPlain(char c)
{
    return c > ' ' && c < 0x7f && c != '%' && c != '/';
}

QByteArray escaped(char c)
{
    return '%' + QByteArray(1, c).toHex().toUpper();
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// What a whole part may not be: the folder itself, the one above, and at the root ZooKeeper's own.
bool isReserved(const QByteArray &part)
{
    return part == "." || part == ".." || part == "zookeeper";
}

} // namespace

QByteArray partOf(const QByteArray &resource)
{
    QByteArray part;
    for (const char c : resource)
        part += isPlain(c) ? QByteArray(1, c) : escaped(c);
    return isReserved(part) ? escaped(part[0]) + part.mid(1) : part;
}

std::optional<QByteArray> resourceOf(const QByteArray &part)
{
    const QByteArray resource = QByteArray::fromPercentEncoding(part);
    return partOf(resource) == part ? std::optional(resource) : std::nullopt;
}

QByteArray newNodePrefix()
{
    return "_c_" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces) + '-' + kMark.toByteArray();
}

/// As Curator looks for it: behind the last "lock-".
QByteArray numberOf(const QByteArray &node)
{
    const qsizetype mark = node.lastIndexOf(kMark);
    const QByteArray number = mark >= 0 ? node.mid(mark + kMark.size()) : QByteArray();
    const bool isNegative = number.startsWith('-');
    const bool isNumber = std::all_of(number.begin() + (isNegative ? 1 : 0), number.end(), isDigit);
    // To ten signs, of which the minus is one.
    const bool isFilledUp = number.size() == kDigits || (isNegative && number.size() == kDigits + 1);
    return isNumber && isFilledUp ? number : QByteArray();
}

bool hasOrder(const QByteArray &node)
{
    const QByteArray number = numberOf(node);
    return !number.isEmpty() && isDigit(number[0]) && number < kLast;
}

QByteArrayList queueOf(const QByteArrayList &children)
{
    QByteArrayList queue = children;
    queue.removeIf([](const QByteArray &node) { return numberOf(node).isEmpty(); });
    std::sort(queue.begin(), queue.end(),
              [](const QByteArray &a, const QByteArray &b) { return numberOf(a) < numberOf(b); });
    return queue;
}

std::optional<QByteArray> before(const QByteArrayList &children, const QByteArray &node)
{
    const QByteArray mine = numberOf(node);
    QByteArray nearest;
    bool isThere = false;
    for (const QByteArray &child : children) {
        const QByteArray number = numberOf(child);
        isThere = isThere || child == node;
        if (!number.isEmpty() && child != node && number <= mine && number > numberOf(nearest))
            nearest = child;
    }
    return isThere ? std::optional(nearest) : std::nullopt;
}

QByteArray noteData(const QByteArray &ownerJson, const QByteArray &note)
{
    return compactJson(storeNote(ownerJson, note));
}

QByteArray askedData(const QByteArray &data, const QString &reason)
{
    return compactJson(withAsk(QJsonDocument::fromJson(data).object(), reason));
}

ZooKeeperNote noteOf(const QByteArray &data)
{
    ZooKeeperNote note;
    const QJsonObject object = objectIn(data);
    note.isOurs = isStoreNote(object);
    if (!note.isOurs) {
        note.owner.host = strangerIn(data);
        return note;
    }
    note.owner = ownerIn(object);
    note.note = noteIn(object);
    note.asks = asksIn(object);
    return note;
}

} // namespace lockscope::detail
