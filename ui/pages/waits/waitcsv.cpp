// SPDX-License-Identifier: MIT
#include "waitcsv.h"

#include "preparedtext.h"
#include "ui/text/csv.h"

#include <QtCore/QDateTime>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString moment(const std::optional<ServerTime> &time)
{
    return time ? toDateTime(*time).toString(Qt::ISODateWithMs) : QString();
}

QByteArray lineOf(const WaitPicture &picture, const WaitNode &node)
{
    const ServerSession unknown;
    const ServerSession *known = picture.waits->session(node.session);
    const ServerSession &session = known ? *known : unknown;
    const Transaction transaction = session.transaction.value_or(Transaction());
    const auto edges = picture.waitsFor.value(node.session);
    std::optional<WaitEdge> cause = node.cause;
    if (!cause && !edges.isEmpty())
        cause = picture.waits->edges[edges.first()];
    const WaitEdge edge = cause.value_or(WaitEdge());
    QStringList others;
    for (const quint64 other : node.alsoBlockedBy)
        others += PreparedText::holder(other);
    return csvLine({PreparedText::holder(node.session),
                    cause ? PreparedText::holder(edge.blocker) : QString(),
                    others.join(u' '),
                    node.cycle < 0 ? QString() : QString::number(node.cycle + 1),
                    QString::number(node.frees),
                    QString::number(node.atOnce),
                    QString::number(node.behind),
                    session.user,
                    session.host,
                    session.program,
                    session.command,
                    cause ? edge.object.toString() : QString(),
                    edge.mode,
                    edge.isInferred ? u"yes"_s : QString(),
                    moment(picture.waitsSince(node.session)),
                    session.transaction ? QString::number(transaction.id) : QString(),
                    session.transaction ? moment(transaction.started) : QString(),
                    QString::number(transaction.rowsLocked),
                    QString::number(transaction.rowsChanged),
                    QString::fromUtf8(session.statement.text)});
}

void addLines(const WaitPicture &picture, const QList<int> &nodes, QByteArray *out)
{
    for (const int index : nodes) {
        const WaitNode &node = picture.graph.nodes[index];
        if (!node.isCycle())
            *out += lineOf(picture, node);
        addLines(picture, node.children, out);
    }
}

} // namespace

QByteArray waitsToCsv(const WaitPicture &picture)
{
    QByteArray out = csvLine({u"session"_s,
                              u"waits_for_session"_s,
                              u"also_blocked_by"_s,
                              u"ring"_s,
                              u"frees"_s,
                              u"frees_at_once"_s,
                              u"waiters_behind"_s,
                              u"user"_s,
                              u"host"_s,
                              u"program"_s,
                              u"command"_s,
                              u"lock"_s,
                              u"mode"_s,
                              u"inferred"_s,
                              u"waits_since"_s,
                              u"transaction"_s,
                              u"transaction_started"_s,
                              u"rows_locked"_s,
                              u"rows_changed"_s,
                              u"statement"_s});
    addLines(picture, picture.graph.roots, &out);
    return out;
}

} // namespace lockscope::ui
