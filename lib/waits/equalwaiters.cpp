// SPDX-License-Identifier: MIT
#include "equalwaiters.h"

#include "statementshape.h"

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

} // namespace

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
