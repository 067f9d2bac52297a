// SPDX-License-Identifier: MIT
#include "columns.h"

#include <QtCore/QList>

#include <sys/ioctl.h>
#include <unistd.h>

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
