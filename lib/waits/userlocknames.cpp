// SPDX-License-Identifier: MIT
#include "userlocknames.h"

#include "serverwaits.h"

#include <QtCore/QSet>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr quint64 kRailsSalt = 2'053'462'845;
constexpr quint32 kGolangMigrateSalt = 1'486'364'155;

constexpr std::array<quint32, 256> makeCrcTable()
{
    std::array<quint32, 256> table{};
    for (quint32 i = 0; i < table.size(); ++i) {
        quint32 value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320U : 0);
        table[i] = value;
    }
    return table;
}

/// CRC-32 as zlib and MySQL's CRC32() have it.
quint32 crc32(const QByteArray &bytes)
{
    static constexpr auto table = makeCrcTable();
    quint32 value = ~0U;
    for (const char byte : bytes)
        value = (value >> 8) ^ table[(value ^ static_cast<uchar>(byte)) & 0xff];
    return ~value;
}

/// As String.hashCode() of Java.
qint32 javaHash(const QString &text)
{
    quint32 value = 0;
    for (const QChar c : text)
        value = 31 * value + c.unicode();
    return static_cast<qint32>(value);
}

bool isFlyway(const QByteArray &name, const QString &schema)
{
    return name.mid(7) == QByteArray::number(javaHash(u'`' + schema + u"`.`flyway_schema_history`"_s));
}

bool isRails(const QByteArray &name, const QString &schema)
{
    return name == QByteArray::number(kRailsSalt * crc32(schema.toUtf8()));
}

bool isGolangMigrate(const QByteArray &name, const QString &schema)
{
    const quint32 sum = crc32(schema.toUtf8() + ":schema_migrations");
    return name == QByteArray::number(sum * kGolangMigrateSalt * kGolangMigrateSalt);
}

/// "<key>/<schema>/<table>"
bool isVault(const QByteArray &name, const QString &schema)
{
    const auto parts = name.split('/');
    return parts.size() >= 3 && !parts.constFirst().isEmpty() && !parts.constLast().isEmpty()
        && parts[parts.size() - 2].compare(schema.toUtf8(), Qt::CaseInsensitive) == 0;
}

bool isNumber(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "gh-ost.<n>.lock"
bool isGhost(QByteArrayView name)
{
    return name.startsWith("gh-ost.") && name.endsWith(".lock") && name.size() > 12
        && isNumber(name.sliced(7, name.size() - 12));
}

/// Lower case, with 32 characters of base 32 behind something. Hexadecimal digits alone are somebody else's checksum.
bool isDistributedLock(const QByteArray &name)
{
    constexpr int digits = 32;
    if (name.size() <= digits || name.size() > 64 || name != name.toLower())
        return false;
    const QByteArray tail = name.right(digits);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
    return std::all_of(tail.begin(), tail.end(), [&](char c) { return isDigit(c) || isLetter(c); })
        && std::any_of(tail.begin(), tail.end(), isDigit)
        && std::any_of(tail.begin(), tail.end(), [](char c) { return c > 'f' && c <= 'z'; });
}

/// Names that tell by themselves.
QString fixedProgram(const QByteArray &name)
{
    if (name == "prisma_migrate")
        return u"Prisma Migrate"_s;
    if (name == "ea586330-2c93-47c8-908d-981d9d270f9d")
        return u"Kysely migrations"_s;
    if (isGhost(name))
        return u"gh-ost"_s;
    if (name.startsWith("lockscope:init:"))
        return u"lockctl init"_s;
    return {};
}

} // namespace

QString userLockProgram(const QByteArray &name, const QStringList &schemas)
{
    struct Computed
    {
        QString program;
        bool (*matches)(const QByteArray &, const QString &);
    };
    const QByteArray folded = name.toLower();
    if (const QString program = fixedProgram(folded); !program.isEmpty())
        return program;
    const bool isFlywayName = folded.startsWith("flyway-");
    const std::array<Computed, 3> byNumber{
        {{u"Rails migrations"_s, isRails}, {u"golang-migrate"_s, isGolangMigrate}, {u"Vault"_s, isVault}}};
    for (const QString &schema : schemas) {
        if (isFlywayName && isFlyway(folded, schema))
            return u"Flyway of "_s + schema;
        for (const Computed &computed : byNumber) {
            if (computed.matches(name, schema))
                return computed.program + u" of "_s + schema;
        }
    }
    if (isFlywayName && (isNumber(QByteArrayView(folded).sliced(7)) || folded.startsWith("flyway--")))
        return u"Flyway"_s;
    return isDistributedLock(name) ? u"DistributedLock (.NET), by its form"_s : QString();
}

QStringList schemasOf(const ServerWaits &waits)
{
    QSet<QString> schemas;
    for (const ServerSession &session : waits.sessions)
        schemas.insert(session.schema);
    for (const ServerLock &lock : waits.locks)
        schemas.insert(lock.object.schema);
    for (const WaitEdge &edge : waits.edges)
        schemas.insert(edge.object.schema);
    schemas.remove({});
    QStringList sorted(schemas.cbegin(), schemas.cend());
    sorted.sort();
    return sorted;
}

} // namespace lockscope
