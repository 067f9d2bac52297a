// SPDX-License-Identifier: MIT
#include "output.h"

#include "columns.h"
#include "console/duration.h"
#include "console/visibletext.h"
#include "exitcode.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QStringDecoder>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kColumnGap = 2;
constexpr int kLeastLastColumn = 30;

QString escaped(const QByteArray &bytes)
{
    QString text;
    for (const char byte : bytes)
        text += u"\\x"_s + QString::fromLatin1(QByteArray(1, byte).toHex());
    return text;
}

/// Length in bytes of the UTF-8 character at the front of `bytes`; 0 when it is none.
int characterLength(QByteArrayView bytes)
{
    for (int length = 1; length <= qMin<qsizetype>(4, bytes.size()); ++length) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString text = decoder.decode(bytes.first(length));
        if (!decoder.hasError() && !text.isEmpty())
            return length;
    }
    return 0;
}

} // namespace

void print(const QString &text, int unwritten)
{
    const QByteArray bytes = text.toUtf8();
    const bool isWritten =
        std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stdout) == std::size_t(bytes.size())
        && std::fflush(stdout) == 0;
    if (isWritten)
        return;
    if (errno != EPIPE)
        printError(u"the output cannot be written: %1"_s.arg(QString::fromLocal8Bit(std::strerror(errno))));
    std::_Exit(unwritten);
}

void printLine(const QString &line, int unwritten)
{
    print(line + u'\n', unwritten);
}

void printJson(const QJsonObject &object, int unwritten)
{
    print(QString::fromUtf8(visibleJson(QJsonDocument(object).toJson(QJsonDocument::Compact))) + u'\n', unwritten);
}

void printJson(const QJsonArray &array)
{
    print(QString::fromUtf8(visibleJson(QJsonDocument(array).toJson(QJsonDocument::Compact))) + u'\n');
}

void printError(const QString &text)
{
    const QByteArray bytes = "lockctl: " + visibleLines(text).toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stderr);
}

int printError(const LockError &error)
{
    printError(printable(error.toString()));
    return exitCodeFor(error);
}

QString printable(const QByteArray &bytes)
{
    QString text;
    for (qsizetype at = 0; at < bytes.size();) {
        const int length = characterLength(QByteArrayView(bytes).sliced(at));
        const QByteArray character = bytes.mid(at, qMax(1, length));
        const QString decoded = QString::fromUtf8(character);
        if (character == "\\")
            text += u"\\\\"_s;
        else if (length > 0 && !isUnseen(decoded.toUcs4().constFirst()))
            text += decoded;
        else
            text += escaped(character);
        at += character.size();
    }
    return text;
}

QString printable(const QString &text)
{
    return printable(text.toUtf8());
}

QString table(const QStringList &header, const QList<QStringList> &rows, int columns)
{
    const QList<QStringList> all = QList<QStringList>{header} + rows;
    QList<int> widths(header.size());
    for (const QStringList &row : all) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = qMax(widths[i], columnsOf(row[i]) + kColumnGap);
    }
    const int before = std::accumulate(widths.cbegin(), widths.cend() - 1, 0);
    const int last = columns == 0 ? widths.last() : qMax(columns - before, kLeastLastColumn);
    QString text;
    for (const QStringList &row : all) {
        for (qsizetype i = 0; i < row.size(); ++i)
            text +=
                i + 1 < row.size() ? row[i] + QString(widths[i] - columnsOf(row[i]), u' ') : shortened(row[i], last);
        while (text.endsWith(u' '))
            text.chop(1);
        text += u'\n';
    }
    return text;
}

namespace {

QString waitersText(const std::optional<int> &waiters)
{
    return waiters ? QString::number(*waiters) : u"unknown"_s;
}

QString attemptsText(const Attempts &attempts)
{
    QString text = u"%1 commits, %2 conflicts"_s.arg(attempts.total.commits).arg(attempts.total.conflicts);
    if (const auto rate = attempts.total.conflictRate())
        text += u" (%1 %)"_s.arg(qRound(*rate * 100));
    if (attempts.version)
        text += u", version %1"_s.arg(*attempts.version);
    return text;
}

QStringList toCells(const LockRow &row, ServerTime now)
{
    const LockTraits traits = traitsOf(row.key.kind);
    const auto held = row.heldFor(now);
    return {printable(row.key.resource),
            modeText(row.key.kind),
            stateText(row.state),
            traits.hasToken ? QString::number(row.token) : u"-"_s,
            held ? formatDuration(*held) : u"-"_s,
            traits.hasEnd ? remainingText(row.remaining(now)) : u"-"_s,
            traits.hasQueue ? waitersText(row.waiters) : u"-"_s,
            traits.hasHolder ? printable(row.owner.toString()) : u"-"_s,
            row.attempts ? attemptsText(*row.attempts) : printable(row.note)};
}

} // namespace

QString lockTable(const QList<LockRow> &locks, ServerTime now, const QList<QStringList> &more, int columns)
{
    QList<QStringList> rows;
    for (const LockRow &lock : locks)
        rows.append(toCells(lock, now));
    return table(
        {u"RESOURCE"_s, u"MODE"_s, u"STATE"_s, u"TOKEN"_s, u"HELD"_s, u"LEFT"_s, u"WAITERS"_s, u"OWNER"_s, u"NOTE"_s},
        rows + more, columns);
}

QJsonValue toJson(const std::optional<ServerTime> &time)
{
    return time ? QJsonValue(toDateTime(*time).toUTC().toString(Qt::ISODateWithMs)) : QJsonValue();
}

QJsonValue milliseconds(const std::optional<Microseconds> &duration)
{
    if (!duration)
        return {};
    return qint64(std::chrono::floor<std::chrono::milliseconds>(*duration).count());
}

QJsonValue number(const std::optional<quint64> &value)
{
    return value ? QJsonValue(static_cast<qint64>(*value)) : QJsonValue();
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonObject toJson(const Owner &owner)
{
    return {{u"service"_s, owner.service},
            {u"host"_s, owner.host},
            {u"pid"_s, owner.pid},
            {u"thread"_s, owner.thread},
            {u"session"_s, QString::fromLatin1(owner.session)}};
}

void addResource(QJsonObject *object, const QByteArray &resource)
{
    object->insert(u"resource"_s, QString::fromUtf8(resource));
    object->insert(u"resourceHex"_s, QString::fromLatin1(resource.toHex()));
}

QString stateText(LockState state)
{
    switch (state) {
    case LockState::Held:
        return u"held"_s;
    case LockState::Orphan:
        return u"orphan"_s;
    case LockState::Expired:
        return u"expired"_s;
    case LockState::Kept:
        return u"kept"_s;
    case LockState::Open:
        return u"free"_s;
    case LockState::Unknown:
        break;
    }
    return u"unknown"_s;
}

QString modeText(LockKind kind)
{
    switch (kind) {
    case LockKind::Row:
        return u"pessimistic"_s;
    case LockKind::Version:
        return u"optimistic"_s;
    case LockKind::Transaction:
    case LockKind::Metadata:
    case LockKind::User:
        return u"server"_s;
    case LockKind::Lease:
        break;
    }
    return u"unique"_s;
}

namespace {

QString kindText(LockKind kind)
{
    switch (kind) {
    case LockKind::Row:
        return u"row"_s;
    case LockKind::Version:
        return u"version"_s;
    case LockKind::Transaction:
        return u"row"_s;
    case LockKind::Metadata:
        return u"metadata"_s;
    case LockKind::User:
        return u"user"_s;
    case LockKind::Lease:
        break;
    }
    return u"lease"_s;
}

void addAttempts(QJsonObject *object, const Attempts &attempts)
{
    const auto rate = attempts.total.conflictRate();
    object->insert(u"version"_s, number(attempts.version));
    object->insert(u"committedAt"_s, toJson(attempts.committedAt));
    object->insert(u"commits"_s, number(attempts.total.commits));
    object->insert(u"conflicts"_s, number(attempts.total.conflicts));
    object->insert(u"retries"_s, number(attempts.retries));
    object->insert(u"conflictRate"_s, rate ? QJsonValue(*rate) : QJsonValue());
    object->insert(u"countedSince"_s, toJson(attempts.since));
    object->insert(u"countedAt"_s, toJson(attempts.countedAt));
}

} // namespace

QJsonObject toJson(const LockRow &row, ServerTime now)
{
    QJsonObject object{{u"kind"_s, kindText(row.key.kind)}, {u"mode"_s, modeText(row.key.kind)}};
    addResource(&object, row.key.resource);
    // For a program a lock that is kept for its minimum hold time is held: nobody else gets it.
    object.insert(u"state"_s, stateText(row.state == LockState::Kept ? LockState::Held : row.state));
    object.insert(u"owner"_s, toJson(row.owner));
    object.insert(u"connectionId"_s, number(row.connectionId));
    object.insert(u"token"_s, traitsOf(row.key.kind).hasToken ? number(row.token) : QJsonValue());
    object.insert(u"note"_s, QString::fromUtf8(row.note));
    object.insert(u"acquiredAt"_s, toJson(row.acquiredAt));
    object.insert(u"expiresAt"_s, toJson(row.expiresAt));
    object.insert(u"remainingMs"_s, milliseconds(row.remaining(now)));
    object.insert(u"ttlMs"_s, milliseconds(row.ttl));
    object.insert(u"waiters"_s, row.waiters ? QJsonValue(*row.waiters) : QJsonValue());
    object.insert(u"sessionAlive"_s, row.sessionAlive);
    if (row.attempts)
        addAttempts(&object, *row.attempts);
    return object;
}

QJsonObject toJson(const Waiter &waiter, ServerTime now)
{
    std::optional<Microseconds> waited;
    if (waiter.since)
        waited = now - *waiter.since;
    return {{u"position"_s, waiter.position},
            {u"owner"_s, toJson(waiter.owner)},
            {u"connectionId"_s, number(waiter.connectionId)},
            {u"account"_s, textOrNull(waiter.account)},
            {u"note"_s, QString::fromUtf8(waiter.note)},
            {u"since"_s, toJson(waiter.since)},
            {u"waitedMs"_s, milliseconds(waited)},
            {u"ttlMs"_s, milliseconds(waiter.ttl)}};
}

void warnAboutWaiters()
{
    printError(u"who waits for a row lock is unknown to this user. Let an administrator GRANT PROCESS ON *.* to it, or "
               "on MySQL GRANT SELECT ON performance_schema.*, which must not be switched off there."_s);
}

QString remainingText(const std::optional<Microseconds> &remaining)
{
    if (!remaining)
        return u"forever"_s;
    return *remaining <= Microseconds::zero() ? u"-"_s : formatDuration(*remaining);
}

} // namespace lockscope::ctl
