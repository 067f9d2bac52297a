#include "output.h"

#include "exitcode.h"
#include "monitor/duration.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QStringDecoder>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kColumnGap = 2;

bool isPrintable(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format: // direction marks and zero-width joiners could dress one name up as another
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return false;
    default:
        return c != U'\\';
    }
}

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

void print(const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    const bool isWritten =
        std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stdout) == std::size_t(bytes.size())
        && std::fflush(stdout) == 0;
    if (isWritten)
        return;
    if (errno != EPIPE)
        complain(u"the output cannot be written: %1"_s.arg(QString::fromLocal8Bit(std::strerror(errno))));
    std::_Exit(Failed);
}

void printLine(const QString &line)
{
    print(line + u'\n');
}

void printJson(const QJsonObject &object)
{
    print(QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)) + u'\n');
}

void printJson(const QJsonArray &array)
{
    print(QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Compact)) + u'\n');
}

void complain(const QString &text)
{
    const QByteArray bytes = "lockctl: " + text.toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stderr);
}

int complain(const LockError &error)
{
    complain(error.toString());
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
        else if (length > 0 && isPrintable(decoded.toUcs4().constFirst()))
            text += decoded;
        else
            text += escaped(character);
        at += character.size();
    }
    return text;
}

QString table(const QStringList &header, const QList<QStringList> &rows)
{
    QList<qsizetype> widths;
    for (const QString &cell : header)
        widths.append(cell.size());
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = qMax(widths[i], row[i].size());
    }
    QString text;
    for (const QStringList &row : QList<QStringList>{header} + rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            text += i + 1 < row.size() ? row[i].leftJustified(widths[i] + kColumnGap) : row[i];
        while (text.endsWith(u' '))
            text.chop(1);
        text += u'\n';
    }
    return text;
}

QString lockTable(const QList<LockRow> &locks, ServerTime now)
{
    QList<QStringList> rows;
    for (const LockRow &lock : locks) {
        const auto held = lock.heldFor(now);
        const bool isRow = lock.key.kind == LockKind::Row;
        rows.append({printable(lock.key.resource), stateText(lock.state), isRow ? u"-"_s : QString::number(lock.token),
                     held ? formatDuration(*held) : u"-"_s, isRow ? u"-"_s : remainingText(lock.remaining(now)),
                     QString::number(lock.waiters), printable(lock.owner.toString().toUtf8()), printable(lock.note)});
    }
    return table({u"RESOURCE"_s, u"STATE"_s, u"TOKEN"_s, u"HELD"_s, u"LEFT"_s, u"WAITERS"_s, u"OWNER"_s, u"NOTE"_s},
                 rows);
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
    case LockState::Unknown:
        break;
    }
    return u"unknown"_s;
}

QJsonObject toJson(const LockRow &row, ServerTime now)
{
    const bool isRow = row.key.kind == LockKind::Row;
    QJsonObject object{{u"kind"_s, isRow ? u"row"_s : u"lease"_s}, {u"mode"_s, isRow ? u"pessimistic"_s : u"unique"_s}};
    addResource(&object, row.key.resource);
    // For a program a lock that is kept for its minimum hold time is held: nobody else gets it.
    object.insert(u"state"_s, stateText(row.state == LockState::Kept ? LockState::Held : row.state));
    object.insert(u"owner"_s, toJson(row.owner));
    object.insert(u"connectionId"_s, number(row.connectionId));
    object.insert(u"token"_s, isRow ? QJsonValue() : number(row.token));
    object.insert(u"note"_s, QString::fromUtf8(row.note));
    object.insert(u"acquiredAt"_s, toJson(row.acquiredAt));
    object.insert(u"expiresAt"_s, toJson(row.expiresAt));
    object.insert(u"remainingMs"_s, milliseconds(row.remaining(now)));
    object.insert(u"ttlMs"_s, milliseconds(row.ttl));
    object.insert(u"waiters"_s, row.waiters);
    object.insert(u"sessionAlive"_s, row.sessionAlive);
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
            {u"note"_s, QString::fromUtf8(waiter.note)},
            {u"since"_s, toJson(waiter.since)},
            {u"waitedMs"_s, milliseconds(waited)},
            {u"ttlMs"_s, milliseconds(waiter.ttl)}};
}

QString remainingText(const std::optional<Microseconds> &remaining)
{
    if (!remaining)
        return u"forever"_s;
    return *remaining <= Microseconds::zero() ? u"-"_s : formatDuration(*remaining);
}

} // namespace lockscope::ctl
