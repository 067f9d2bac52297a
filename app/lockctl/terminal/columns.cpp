// SPDX-License-Identifier: MIT
#include "columns.h"

#include <QtCore/QStringList>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cwchar>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kFileColumns = 160;
constexpr int kSmallestColumns = 16;
constexpr int kWideColumns = 120;

/// Of a locale that knows every character, whatever the user's is.
int columnsOf(char32_t c)
{
    static const locale_t unicode = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    const locale_t users = ::uselocale(unicode);
    const int columns = ::wcwidth(static_cast<wchar_t>(c));
    ::uselocale(users);
    return columns < 0 ? 1 : columns; // one that is newer than the C library
}

/// As much of `text` as fits into `columns`, one character at least: to its last space behind a word, where one is in
/// the part.
qsizetype fittingLength(const QString &text, int columns)
{
    qsizetype length = 0;
    qsizetype space = 0;
    bool isBehindWord = false;
    for (const char32_t c : text.toUcs4()) {
        columns -= columnsOf(c);
        if (columns < 0 && c != u' ')
            return space > 0 ? space : std::max<qsizetype>(length, QChar::requiresSurrogates(c) ? 2 : 1);
        if (c == u' ' && isBehindWord)
            space = length;
        isBehindWord = isBehindWord || c != u' ';
        length += QChar::requiresSurrogates(c) ? 2 : 1;
    }
    return length;
}

bool isProse(const QString &line)
{
    return !line.isEmpty() && (line.front().isLetter() || "\"'(*_"_L1.contains(line.front()))
        && !line.startsWith("* "_L1);
}

/// Each line as one element, a paragraph's lines joined.
QStringList paragraphs(const QString &text)
{
    QStringList lines;
    bool isCode = false;
    bool isOpen = false; // what follows may belong to the line before
    for (const QString &line : text.split(u'\n')) {
        isCode = line.startsWith("```"_L1) ? !isCode : isCode;
        const bool isJoined = isProse(line) && !isCode;
        if (isJoined && isOpen)
            lines.back() += u' ' + line;
        else
            lines += line;
        isOpen = isJoined;
    }
    return lines;
}

} // namespace

int columnsOf(const QString &text)
{
    int columns = 0;
    for (const char32_t c : text.toUcs4())
        columns += columnsOf(c);
    return columns;
}

QString shortened(const QString &text, int columns)
{
    if (columnsOf(text) <= columns)
        return text;
    QString cut;
    int left = columns - 1;
    for (const char32_t c : text.toUcs4()) {
        left -= columnsOf(c);
        if (left < 0)
            break;
        cut += QChar::fromUcs4(c);
    }
    return cut + u'…';
}

QString wrapped(const QString &text, int columns)
{
    QStringList lines;
    for (QString line : paragraphs(text)) {
        qsizetype spaces = 0;
        while (spaces < line.size() && line.at(spaces) == u' ')
            ++spaces;
        const QString indent(isProse(line) ? 0 : std::min<qsizetype>(spaces + 3, columns / 2), u' ');
        QString begin; // of the next line that is shown
        while (columnsOf(begin + line) > columns) {
            const qsizetype length = fittingLength(line, columns - int(begin.size()));
            lines += begin + line.left(length);
            line = line.mid(length).trimmed();
            begin = indent;
        }
        lines += begin + line;
    }
    return lines.join(u'\n');
}

int outputColumns()
{
    winsize size = {};
    if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return kFileColumns;
    return qMax<int>(size.ws_col, kSmallestColumns);
}

bool isWide(int columns)
{
    return columns == 0 || columns >= kWideColumns;
}

bool isOutputColoured()
{
    return ::isatty(STDOUT_FILENO) != 0 && qEnvironmentVariableIsEmpty("NO_COLOR")
        && qEnvironmentVariable("TERM") != u"dumb"_s;
}

} // namespace lockscope::ctl
