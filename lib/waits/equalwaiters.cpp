// SPDX-License-Identifier: MIT
#include "equalwaiters.h"

#include <cctype>

namespace lockscope {

namespace {

/// What equal waiters have in common.
struct Likeness
{
    ServerObject object;
    bool isGap = false;
    QString mode;
    bool isInferred = false;
    QList<quint64> alsoBlockedBy;
    QString user;
    QString host;
    QString program;
    Statement::Source source = Statement::Source::None;
    QByteArray statement;

    bool operator==(const Likeness &) const = default;
};

size_t qHash(const Likeness &one, size_t seed = 0) noexcept
{
    return qHashMulti(seed, one.object, one.mode, one.user, one.host, one.program, one.statement);
}

/// None for a session that cannot be one of several.
std::optional<Likeness> likenessOf(const ServerWaits &waits, const WaitNode &node)
{
    const ServerSession *session = waits.session(node.session);
    if (!session || !node.cause || node.cycle >= 0 || node.isLost || !node.children.isEmpty()
        || session->protection != Protection::None)
        return std::nullopt;
    return Likeness{node.cause->object,        node.cause->object.isGap,
                    node.cause->mode,          node.cause->isInferred,
                    node.alsoBlockedBy,        session->user,
                    session->hostName(),       session->programName(),
                    session->statement.source, statementShape(session->statement.text)};
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
        if (text[i] == '\\' && quote != '`')
            ++i;
        else if (text[i] == quote)
            return i + 1; // of a doubled quote the second one begins another text
    }
    return text.size();
}

qsizetype endOfWord(const QByteArray &text, qsizetype from)
{
    const bool isNumber = std::isdigit(static_cast<unsigned char>(text[from])) != 0;
    qsizetype end = from;
    while (end < text.size() && (isInWord(text[end]) || (isNumber && text[end] == '.')))
        ++end;
    return end;
}

} // namespace

QByteArray statementShape(const QByteArray &statement)
{
    QByteArray shape;
    for (qsizetype i = 0; i < statement.size();) {
        const char letter = statement[i];
        if (letter == '\'' || letter == '"' || letter == '`') {
            const qsizetype end = endOfQuoted(statement, i);
            const QByteArray value = letter == '`' ? statement.mid(i, end - i) : "?";
            if (!(value == "?" && shape.endsWith('?'))) // the rest of a text with a quote in it
                shape += value;
            i = end;
        } else if (isInWord(letter)) {
            const qsizetype end = endOfWord(statement, i);
            shape +=
                std::isdigit(static_cast<unsigned char>(letter)) != 0 ? QByteArray("?") : statement.mid(i, end - i);
            i = end;
        } else {
            shape += letter;
            ++i;
        }
    }
    return shape.simplified();
}

QList<QList<int>> equalWaiters(const ServerWaits &waits, const WaitGraph &graph, const QList<int> &siblings)
{
    std::vector<std::optional<Likeness>> likenesses;
    QHash<Likeness, QList<int>> groups;
    for (const int sibling : siblings) {
        likenesses.push_back(likenessOf(waits, graph.nodes[sibling]));
        if (likenesses.back())
            groups[*likenesses.back()].append(sibling);
    }
    QList<QList<int>> result;
    for (qsizetype i = 0; i < siblings.size(); ++i) {
        const auto &likeness = likenesses[size_t(i)];
        const QList<int> group = likeness ? groups.value(*likeness) : QList<int>();
        if (group.size() < MinEqualWaiters)
            result.append(QList<int>{siblings[i]});
        else if (group.first() == siblings[i])
            result.append(group);
    }
    return result;
}

} // namespace lockscope
