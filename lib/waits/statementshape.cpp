// SPDX-License-Identifier: MIT
#include "statementshape.h"

#include <cctype>

namespace lockscope {

namespace {

bool isDigit(char letter)
{
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

bool isInWord(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$'
        || static_cast<unsigned char>(letter) >= 0x80;
}

/// The place after the quoted text or name that begins at `from`.
qsizetype endOfQuoted(const QByteArray &text, qsizetype from)
{
    const char quote = text[from];
    for (qsizetype i = from + 1; i < text.size(); ++i) {
        if (text[i] == '\\' && quote != '`') {
            ++i;
        } else if (text[i] == quote) {
            if (i + 1 == text.size() || text[i + 1] != quote)
                return i + 1;
            ++i; // doubled: it is one of the text
        }
    }
    return text.size();
}

qsizetype endOfWord(const QByteArray &text, qsizetype from)
{
    const bool isNumber = isDigit(text[from]);
    const auto isSignOfExponent = [&](qsizetype at) {
        return isNumber && (text[at] == '-' || text[at] == '+') && (text[at - 1] == 'e' || text[at - 1] == 'E')
            && at + 1 < text.size() && isDigit(text[at + 1]);
    };
    qsizetype end = from;
    while (end < text.size()
           && (isInWord(text[end]) || (isNumber && text[end] == '.') || (end > from && isSignOfExponent(end))))
        ++end;
    return end;
}

/// The place after the comment that begins at `from`; `from` itself when none does.
qsizetype endOfComment(const QByteArray &text, qsizetype from)
{
    const auto after = [&](const char *end, qsizetype begin) {
        const qsizetype found = text.indexOf(end, begin);
        return found < 0 ? text.size() : found + qsizetype(qstrlen(end));
    };
    if (text[from] == '#')
        return after("\n", from);
    const auto two = QByteArrayView(text).sliced(from, qMin(qsizetype(2), text.size() - from));
    if (two == "/*")
        return after("*/", from + 2);
    const bool isDashes =
        two == "--" && (from + 2 == text.size() || std::isspace(static_cast<unsigned char>(text[from + 2])) != 0);
    return isDashes ? after("\n", from) : from;
}

/// Where these letters begin at the end of `shape`, whatever blanks are between them; -1: they are not there.
qsizetype beginOfLast(const QByteArray &shape, QByteArrayView letters)
{
    qsizetype begin = shape.size();
    for (qsizetype i = letters.size() - 1; i >= 0; --i) {
        while (begin > 0 && std::isspace(static_cast<unsigned char>(shape[begin - 1])) != 0)
            --begin;
        if (begin == 0 || shape[begin - 1] != letters[i])
            return -1;
        --begin;
    }
    return begin;
}

/// A list of values is one, and so is one of lists.
void add(QByteArray *shape, char letter)
{
    *shape += letter;
    if (letter != '?' && letter != ')')
        return;
    if (const qsizetype begin = beginOfLast(*shape, letter == '?' ? "?,?" : "(?),(?)"); begin >= 0)
        shape->replace(begin, shape->size() - begin, letter == '?' ? "?" : "(?)");
}

/// Appends what stands at `from` and tells the place after it.
qsizetype takePart(const QByteArray &statement, qsizetype from, QByteArray *shape)
{
    const char letter = statement[from];
    if (letter == '\'' || letter == '"' || letter == '`') {
        const qsizetype end = endOfQuoted(statement, from);
        if (letter == '`')
            *shape += statement.mid(from, end - from);
        else
            add(shape, '?');
        return end;
    }
    if (isInWord(letter)) {
        const qsizetype end = endOfWord(statement, from);
        if (isDigit(letter))
            add(shape, '?');
        else
            *shape += statement.mid(from, end - from);
        return end;
    }
    if (const qsizetype end = endOfComment(statement, from); end > from) {
        *shape += ' ';
        return end;
    }
    add(shape, letter);
    return from + 1;
}

} // namespace

QByteArray statementShape(const QByteArray &statement)
{
    QByteArray shape;
    for (qsizetype i = 0; i < statement.size();)
        i = takePart(statement, i, &shape);
    return shape.simplified();
}

} // namespace lockscope
