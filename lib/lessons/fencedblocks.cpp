// SPDX-License-Identifier: MIT
#include "fencedblocks.h"

#include <md4c.h>

#include <algorithm>
#include <functional>

namespace lockscope {

namespace {

struct Reading
{
    const QByteArray &markdown;
    QList<FencedBlock> blocks = {};
    bool isInBlock = false;
    QByteArray text = {};
    const char *position = nullptr; ///< md4c tells no lines, but points into the text that it was given
    int line = 1;                   ///< of `position`

    /// md4c has copies of its own, too: of an info string with an entity, of an empty line.
    bool isOfTheText(const char *place) const
    {
        const std::less<> isBefore;
        return !isBefore(place, position ? position : markdown.constData())
            && !isBefore(markdown.constData() + markdown.size(), place);
    }

    /// The line of a place that md4c points to; where it was before for a copy.
    int lineOf(const char *place)
    {
        if (!isOfTheText(place))
            return line;
        line += int(std::count(position ? position : markdown.constData(), place, '\n'));
        position = place;
        return line;
    }
};

int enterBlock(MD_BLOCKTYPE type, void *detail, void *data)
{
    auto &reading = *static_cast<Reading *>(data);
    const auto *code = static_cast<MD_BLOCK_CODE_DETAIL *>(detail);
    if (type != MD_BLOCK_CODE || code->fence_char == 0)
        return 0;
    FencedBlock block;
    if (code->info.size > 0) { // else its text tells the line
        block.info = QString::fromUtf8(code->info.text, qsizetype(code->info.size)).simplified();
        block.line = reading.lineOf(code->info.text);
    }
    reading.blocks += block;
    reading.text.clear();
    reading.isInBlock = true;
    return 0;
}

int leaveBlock(MD_BLOCKTYPE type, void *, void *data)
{
    auto &reading = *static_cast<Reading *>(data);
    if (type != MD_BLOCK_CODE || !std::exchange(reading.isInBlock, false))
        return 0;
    FencedBlock &block = reading.blocks.back();
    if (block.line == 0) {
        reading.blocks.removeLast();
        return 0;
    }
    block.lastLine = block.line + int(reading.text.count('\n')) + 1;
    if (reading.text.endsWith('\n'))
        reading.text.chop(1);
    block.text = QString::fromUtf8(reading.text);
    return 0;
}

int addText(MD_TEXTTYPE, const MD_CHAR *text, MD_SIZE size, void *data)
{
    auto &reading = *static_cast<Reading *>(data);
    if (!reading.isInBlock)
        return 0;
    if (int &line = reading.blocks.back().line; line == 0 && reading.isOfTheText(text))
        line = reading.lineOf(text) - int(reading.text.count('\n')) - 1;
    reading.text.append(text, qsizetype(size));
    return 0;
}

int ignoreSpan(MD_SPANTYPE, void *, void *)
{
    return 0;
}

} // namespace

QList<FencedBlock> fencedBlocks(const QByteArray &markdown)
{
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_TASKLISTS;
    parser.enter_block = enterBlock;
    parser.leave_block = leaveBlock;
    parser.enter_span = ignoreSpan;
    parser.leave_span = ignoreSpan;
    parser.text = addText;
    Reading reading{markdown};
    md_parse(markdown.constData(), MD_SIZE(markdown.size()), &parser, &reading);
    return reading.blocks;
}

} // namespace lockscope
