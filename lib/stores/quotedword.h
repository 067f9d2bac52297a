// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>

namespace lockscope::detail {

/// A word as redis-cli, etcdctl and zkCli.sh take it in quotes, with whatever a terminal would act on as \x and two
/// digits. To be read, and of plain text to be typed.
inline QByteArray quotedWord(const QByteArray &word)
{
    QByteArray text;
    for (const char c : word) {
        const bool isPlain = c >= ' ' && c <= '~';
        if (c == '"' || c == '\\')
            text += '\\';
        text += isPlain ? QByteArray(1, c) : "\\x" + QByteArray(1, c).toHex();
    }
    return '"' + text + '"';
}

} // namespace lockscope::detail
