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
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kColumnGap = 2;
constexpr int kLeastLastColumn = 30;
/// A name that is longer is written whole, and only its own line goes on further to the right.
constexpr int kWidestColumn = 60;

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

void JsonArrayPrinter::add(const QJsonArray &part)
{
    if (part.isEmpty())
        return;
    const QByteArray text = visibleJson(QJsonDocument(part).toJson(QJsonDocument::Compact));
    print((m_isBegun ? u","_s : u"["_s) + QString::fromUtf8(text.sliced(1, text.size() - 2)));
    m_isBegun = true;
}

void JsonArrayPrinter::end()
{
    print(m_isBegun ? u"]\n"_s : u"[]\n"_s);
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

QString printableLines(const QString &text)
{
    QStringList lines;
    for (const QString &line : text.split(u'\n'))
        lines.append(printable(line));
    return lines.join(u'\n');
}

namespace {

/// What each column needs, but for those that need less than before, and for one cell's sake not too much.
QList<int> widthsOf(const QList<QStringList> &rows, QList<int> widths)
{
    for (const QStringList &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = qMax(widths[i], qMin(columnsOf(row[i]), kWidestColumn) + kColumnGap);
    }
    return widths;
}

QString lines(const QList<QStringList> &rows, const QList<int> &widths, int columns)
{
    const int before = std::accumulate(widths.cbegin(), widths.cend() - 1, 0);
    const int last = columns == 0 ? std::numeric_limits<int>::max() : qMax(columns - before, kLeastLastColumn);
    QString text;
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            text += i + 1 < row.size() ? row[i] + QString(qMax(kColumnGap, widths[i] - columnsOf(row[i])), u' ')
                                       : shortened(row[i], last);
        while (text.endsWith(u' '))
            text.chop(1);
        text += u'\n';
    }
    return text;
}

} // namespace

QString table(const QStringList &header, const QList<QStringList> &rows, int columns)
{
    const QList<QStringList> all = QList<QStringList>{header} + rows;
    return lines(all, widthsOf(all, {}), columns);
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
            row.hasToken() ? QString::number(row.token) : u"-"_s,
            held ? formatDuration(*held) : u"-"_s,
            traits.hasEnd ? remainingText(row.remaining(now)) : u"-"_s,
            traits.hasQueue ? waitersText(row.waiters) : u"-"_s,
            traits.hasHolder ? printable(row.owner.toString()) : u"-"_s,
            row.attempts ? attemptsText(*row.attempts) : printable(row.note)};
}

QStringList lockHeader()
{
    return {u"RESOURCE"_s, u"MODE"_s,    u"STATE"_s, u"TOKEN"_s, u"HELD"_s,
            u"LEFT"_s,     u"WAITERS"_s, u"OWNER"_s, u"NOTE"_s};
}

} // namespace

void LockTablePrinter::add(const QList<LockRow> &locks, ServerTime now)
{
    QList<QStringList> cells;
    for (const LockRow &lock : locks)
        cells.append(toCells(lock, now));
    add(cells);
}

void LockTablePrinter::add(const QList<QStringList> &cells)
{
    if (m_widths.isEmpty() && m_first.isEmpty()) {
        m_first = QList<QStringList>{lockHeader()} + cells;
        return;
    }
    const QList<QStringList> rows = m_first + cells;
    m_first.clear();
    if (m_widths.isEmpty())
        m_widths = widthsOf(rows, {});
    print(lines(rows, m_widths, m_columns));
}

void LockTablePrinter::end()
{
    while (m_widths.isEmpty()) // the first part waits for a second one
        add(QList<QStringList>());
}

QString lockTable(const QList<LockRow> &locks, ServerTime now)
{
    QList<QStringList> rows;
    for (const LockRow &lock : locks)
        rows.append(toCells(lock, now));
    return table(lockHeader(), rows);
}

void warnAboutWaiters()
{
    printError(u"who waits for a row lock is unknown to this user. Let an administrator GRANT PROCESS ON *.* to it, or "
               "on MySQL GRANT SELECT ON performance_schema.*, which must not be switched off there."_s);
}

QString timeText(ServerTime time)
{
    return toDateTime(time).toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s);
}

QString zoneName(ServerTime time)
{
    return toDateTime(time).toLocalTime().timeZoneAbbreviation();
}

QString remainingText(const std::optional<Microseconds> &remaining)
{
    if (!remaining)
        return u"forever"_s;
    return *remaining <= Microseconds::zero() ? u"-"_s : formatDuration(*remaining);
}

} // namespace lockscope::ctl
