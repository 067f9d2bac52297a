// SPDX-License-Identifier: MIT
// The fenced code blocks of a Markdown text, by md4c.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

namespace lockscope {

struct FencedBlock
{
    QString info; ///< what stands behind the fence: "sql A ok"; may be empty
    QString text; ///< without the last line's end
    int line = 0; ///< of the opening fence, counted from 1
    int lastLine = 0;
};

/// In their order; without those that have neither an info string nor a text. `markdown` is UTF-8.
QList<FencedBlock> fencedBlocks(const QByteArray &markdown);

} // namespace lockscope
