// SPDX-License-Identifier: MIT
#include "keylock.h"

#include "stores/storenote.h"

#include <QtCore/QStringDecoder>
#include <QtCore/QUuid>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kYear9999 = 253'402'300'799'000; ///< in milliseconds

/// None: it is no text that a person could read and write again.
std::optional<QString> textIn(const QByteArray &bytes)
{
    if (bytes.size() > kMaxPartBytes)
        return std::nullopt;
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(bytes);
    const bool isText = !decoder.hasError()
        && std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c.isPrint() || c.isSurrogate(); });
    return isText ? std::optional(text) : std::nullopt;
}

/// What a named group caught; empty: there is none.
QString group(const QRegularExpressionMatch &match, const QString &name)
{
    return match.hasMatch() ? match.captured(name) : QString();
}

std::optional<ServerTime> timeOfMilliseconds(double milliseconds)
{
    if (!(milliseconds > 0 && milliseconds < double(kYear9999)))
        return std::nullopt;
    return ServerTime(std::chrono::milliseconds(qint64(milliseconds)));
}

/// ISO 8601, or a number of seconds or milliseconds since 1970.
std::optional<ServerTime> timeIn(const QString &text)
{
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    constexpr double firstMilliseconds = 1e11; // 1973; in seconds the year 5138
    if (isNumber)
        return timeOfMilliseconds(number < firstMilliseconds ? number * 1000 : number);
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    return time.isValid() ? std::optional(toServerTime(time.toUTC())) : std::nullopt;
}

/// When a UUID of version 1 was made: it counts 100 ns from 1582 on. None: by its time it is another number of that
/// many digits, for no lock is so old, or of a day to come.
std::optional<ServerTime> timeOfUuid(const QString &text)
{
    const QByteArray hex = text.toLatin1().replace('-', "");
    if (hex.size() != 32 || hex[12] != '1')
        return std::nullopt;
    constexpr qint64 from1582 = 122'192'928'000'000'000;
    const QByteArray ticks = hex.mid(13, 3) + hex.mid(8, 4) + hex.left(8);
    const auto time = timeOfMilliseconds(double(ticks.toLongLong(nullptr, 16) - from1582) / 10'000);
    constexpr ServerTime first{std::chrono::sys_days(std::chrono::year(2010) / 1 / 1)};
    // In microseconds: nanoseconds, which the clock counts, end in the year 2262.
    const auto now = std::chrono::floor<ServerTime::duration>(std::chrono::system_clock::now());
    const bool isOfLock = time && *time >= first && *time <= now + std::chrono::days(1);
    return isOfLock ? time : std::nullopt;
}

/// Whose lease it is of an engine, whose nodes have Curator's names and are seen from above its path here. Empty:
/// none's.
QString engineIn(const QByteArray &value)
{
    const QJsonObject note = value.startsWith('{') ? detail::objectIn(value) : QJsonObject();
    return detail::isStoreNote(note) ? detail::ownerIn(note).toString() : QString();
}

/// Whether it is one that holds, by member and value.
bool readHolder(const KeyConvention &convention, const KeyPart &part, KeyHolder *holder)
{
    const bool isAnyValue = convention.value.pattern().isEmpty(); // a node's data may be no text
    const auto member = textIn(part.member);
    const auto value = isAnyValue ? textIn(part.value).value_or(QString()) : textIn(part.value);
    if (!member || !value)
        return false;
    const QRegularExpressionMatch ofMember = convention.member.match(*member);
    const QRegularExpressionMatch ofValue = convention.value.match(*value);
    const auto fits = [](const QRegularExpression &shape, const QRegularExpressionMatch &match) {
        return shape.pattern().isEmpty() || match.hasMatch();
    };
    if (!fits(convention.member, ofMember) || !fits(convention.value, ofValue))
        return false;
    const auto caught = [&](const QString &name) {
        const QString text = group(ofMember, name);
        return text.isEmpty() ? group(ofValue, name) : text;
    };
    holder->part = part;
    holder->text = caught(u"holder"_s);
    if (holder->text.isEmpty() && convention.type == KeyType::Folder)
        holder->text = engineIn(part.value);
    const bool isValue = part.member.isEmpty() || (part.token > 0 && !value->isEmpty());
    if (holder->text.isEmpty())
        holder->text = isValue ? *value : *member;
    holder->since = part.madeAt ? part.madeAt : timeIn(caught(u"since"_s));
    if (const QString uuid = caught(u"uuid"_s); !uuid.isEmpty()) {
        holder->since = timeOfUuid(uuid);
        if (!holder->since)
            return false;
    }
    holder->isByMember = convention.score != KeyScore::Nothing;
    const auto scored = timeOfMilliseconds(part.value.toDouble());
    if (convention.score == KeyScore::Until)
        holder->until = scored;
    else if (convention.score == KeyScore::Since)
        holder->since = scored;
    return true;
}

bool isOther(const KeyConvention &convention, const QByteArray &member)
{
    const auto text = textIn(member);
    return text && !convention.others.pattern().isEmpty() && convention.others.match(*text).hasMatch();
}

/// As ZooKeeper counts them on.
QByteArray numberOf(const QByteArray &node)
{
    constexpr qsizetype digits = 10;
    return node.right(digits);
}

bool isReader(const KeyConvention &convention, const QByteArray &node)
{
    return !convention.readers.pattern().isEmpty() && convention.readers.match(QString::fromUtf8(node)).hasMatch();
}

/// Whether two in the order of a folder hold it together. One between them that may not be read tells by its name alone
/// whether it reads too.
bool readTogether(const KeyConvention &convention, const KeyFacts &facts, const QByteArray &first,
                  const QByteArray &second)
{
    const auto isWriterBetween = [&](const QByteArray &refused) {
        const bool isBetween = numberOf(first) < numberOf(refused) && numberOf(refused) < numberOf(second);
        return isBetween && !isReader(convention, refused);
    };
    return isReader(convention, first) && isReader(convention, second)
        && std::none_of(facts.refused.cbegin(), facts.refused.cend(), isWriterBetween);
}

/// Of the nodes of a folder: who holds it, and who waits. What else lies there is left alone.
KeyLock folderLock(const KeyConvention &convention, const KeyFacts &facts)
{
    QList<KeyHolder> requests;
    for (const KeyPart &part : facts.parts) {
        KeyHolder request;
        if (readHolder(convention, part, &request))
            requests.append(request);
    }
    // Two may have the same number: Solr lets one join behind the first with the number of the second.
    const auto place = [](const KeyHolder &each) { return std::pair(numberOf(each.part.member), each.part.member); };
    std::sort(requests.begin(), requests.end(),
              [&place](const KeyHolder &a, const KeyHolder &b) { return place(a) < place(b); });
    qsizetype holding = convention.isHeldByAll ? requests.size() : std::min<qsizetype>(requests.size(), 1);
    while (holding > 0 && holding < requests.size()
           && readTogether(convention, facts, requests[holding - 1].part.member, requests[holding].part.member))
        ++holding;
    KeyLock lock{convention, facts.name, requests.mid(0, holding), facts.until, {}, requests.mid(holding)};
    if (!convention.isHeldByAll)
        lock.waiters = lock.queue.size() + std::max<qint64>(0, facts.size - facts.parts.size());
    return lock;
}

/// None: another one's, or nobody's.
QList<KeyHolder> holdersIn(const KeyConvention &convention, const KeyFacts &facts)
{
    QList<KeyHolder> holders;
    for (const KeyPart &part : facts.parts) {
        KeyHolder holder;
        if (isOther(convention, part.member))
            continue;
        if (!readHolder(convention, part, &holder))
            return {};
        holders.append(holder);
    }
    return holders;
}

bool isKind(const KeyConvention &convention, const QByteArray &name, KeyType type)
{
    return convention.type == type && convention.isNamed(name);
}

} // namespace

QByteArray KeyHolder::guard() const
{
    if (part.token > 0)
        return QByteArray::number(part.token);
    if (part.member.isEmpty())
        return part.value;
    return isByMember ? part.member : part.member + '=' + part.value;
}

const KeyHolder *KeyLock::holder(const QByteArray &guard) const
{
    const auto found = std::find_if(holders.cbegin(), holders.cend(),
                                    [&guard](const KeyHolder &each) { return each.guard() == guard; });
    return found == holders.cend() ? nullptr : &*found;
}

std::optional<KeyLock> recognise(const QList<KeyConvention> &conventions, const KeyFacts &facts)
{
    const bool isFolder = facts.type == KeyType::Folder;
    if (!isFolder && (facts.size > kMaxParts || facts.size > facts.parts.size()))
        return std::nullopt;
    for (const KeyConvention &convention : conventions) {
        if (!isKind(convention, facts.name, facts.type))
            continue;
        if (convention.hasEnd && *convention.hasEnd != facts.until.has_value())
            continue;
        KeyLock lock = isFolder ? folderLock(convention, facts)
                                : KeyLock{convention, facts.name, holdersIn(convention, facts), facts.until, {}, {}};
        if (!lock.holders.isEmpty())
            return lock;
    }
    return std::nullopt;
}

bool mayBeLock(const QList<KeyConvention> &conventions, const QByteArray &name, KeyType type,
               const QByteArrayList &members)
{
    return std::any_of(conventions.cbegin(), conventions.cend(), [&](const KeyConvention &convention) {
        const auto fits = [&convention](const QByteArray &member) {
            const auto text = textIn(member);
            return text && (convention.member.match(*text).hasMatch() || isOther(convention, member));
        };
        return isKind(convention, name, type) && std::all_of(members.cbegin(), members.cend(), fits);
    });
}

} // namespace lockscope
