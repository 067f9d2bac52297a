// SPDX-License-Identifier: MIT
#include "columns.h"

#include <QtCore/QList>

#include <array>

#include <sys/ioctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kFileColumns = 160;
constexpr int kSmallestColumns = 40;
constexpr int kWideColumns = 120;

struct Range
{
    char32_t first;
    char32_t last;
};

/// East Asian wide and full-width characters, and pictures.
constexpr std::array<Range, 10> kWide = {{{0x1100, 0x115f},
                                          {0x2e80, 0x303e},
                                          {0x3041, 0xa4cf},
                                          {0xac00, 0xd7a3},
                                          {0xf900, 0xfaff},
                                          {0xfe30, 0xfe6f},
                                          {0xff00, 0xff60},
                                          {0xffe0, 0xffe6},
                                          {0x1f300, 0x1f9ff},
                                          {0x20000, 0x3fffd}}};

int columnsOf(char32_t c)
{
    const auto category = QChar::category(c);
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing)
        return 0;
    for (const Range &range : kWide) {
        if (c >= range.first && c <= range.last)
            return 2;
    }
    return 1;
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
