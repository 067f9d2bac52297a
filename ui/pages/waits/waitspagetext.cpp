// SPDX-License-Identifier: MIT
#include "waitspagetext.h"

#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/widgets/emptystate.h"

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

int rowsOf(const ServerWaits &waits, WaitSource source)
{
    const auto found = std::find_if(waits.sources.cbegin(), waits.sources.cend(),
                                    [source](const SourceStatus &status) { return status.source == source; });
    return found == waits.sources.cend() ? 0 : found->rows;
}

/// Whether anything that tells who waits was read.
bool seesWaits(const ServerWaits &waits)
{
    return std::any_of(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        const bool showsWaits = status.source == WaitSource::RowWaits || status.source == WaitSource::Metadata
            || status.source == WaitSource::UserLocks;
        return showsWaits
            && (status.state == SourceStatus::State::Complete || status.state == SourceStatus::State::Partial);
    });
}

bool seesEverything(const ServerWaits &waits)
{
    return std::all_of(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        const bool showsNoWaits = status.source == WaitSource::Statements || status.source == WaitSource::Attributes;
        return showsNoWaits || !status.isLimited();
    });
}

} // namespace

QString WaitsPageText::help()
{
    return tr(
        "Which sessions wait for locks that the server itself keeps, on rows, tables, definitions or names, and who "
        "blocks them. It does not matter which program took them.\n\n"
        "Sessions that block others and wait for nobody come first, with those that they block below them. \"Frees\" "
        "counts the sessions that go on once it ends. Idle in transaction: it holds locks and runs nothing, usually a "
        "program that forgot to commit. A ring is a deadlock that leads over several kinds of locks, which no server "
        "ends by itself. Inferred: concluded from the text of statements, not reported by the server.\n\n"
        "/ filters, Enter shows or hides the details, Ctrl+G changes between tree and graph, Del ends the selected "
        "session, or all that Ctrl and Shift select in the tree, Space pauses, F5 refreshes now. In the graph: arrow "
        "keys move, + and - zoom, 0 fits it to the view, 1 is life-size.");
}

QString WaitsPageText::graphFailure(GraphLayout::Failure failure)
{
    return failure == GraphLayout::Failure::Missing
        ? tr("The graph needs Graphviz, which is not installed here (package graphviz). The tree shows the same.")
        : failure == GraphLayout::Failure::Late
        ? tr("The graph could not be laid out in time. The tree shows the same.")
        : tr("Graphviz could not lay out the graph. The tree shows the same.");
}

QString WaitsPageText::endTip(int sessions, const ServerConnection &connection, bool isFailing)
{
    if (connection.isRecorded())
        return tr("This is a recording: nobody can be ended in it.");
    if (!connection.isOperator())
        return tr("This server is open read-only. Start operator mode to end a session.");
    if (isFailing)
        return tr("The server does not answer.");
    if (sessions > 1)
        return tr("End these sessions or their statements (Del)");
    return sessions == 1 ? tr("End this session or its statement (Del)") : tr("Select a session to end it.");
}

QString WaitsPageText::kindOfServer(const Capabilities &capabilities)
{
    QStringList texts;
    if (capabilities.isReplica)
        texts += tr("This is a replica: its locks are its own, those of its primary are not seen here.");
    else if (capabilities.isReadOnly)
        texts += tr("This server is read-only.");
    if (capabilities.isCluster)
        texts += tr("This is one node of a cluster: locks of the other nodes are not seen here.");
    if (!capabilities.hosting.isEmpty())
        texts += tr("Hosted by %1: settings, and who may end sessions, are changed there.").arg(capabilities.hosting);
    return texts.join(u' ');
}

/// Of a moment that is over.
void WaitsPageText::explainRecorded(const ServerWaits &waits, EmptyState *empty)
{
    const bool isWhole = seesEverything(waits);
    if (!seesWaits(waits)) {
        empty->setMessage(tr("Waits were not recorded"),
                          tr("Nothing that tells who waits could be read at this moment of the recording."));
        return;
    }
    QString text =
        tr("At this moment of the recording there were %1 and %2.").arg(sessions(waits), transactions(waits));
    if (!isWhole)
        text += u' ' + tr("Not everything could be seen then: the line at the bottom says what is missing.");
    empty->setMessage(isWhole ? tr("Nobody waited") : tr("Nobody was seen to wait"), text);
}

QString WaitsPageText::sessions(const ServerWaits &waits)
{
    return tr("%n session(s)", nullptr, rowsOf(waits, WaitSource::Sessions));
}

QString WaitsPageText::transactions(const ServerWaits &waits)
{
    return tr("%n open transaction(s)", nullptr, rowsOf(waits, WaitSource::Transactions));
}

void WaitsPageText::explainEmpty(const WaitPicturePtr &picture, bool isRecorded, bool isFiltered, EmptyState *empty)
{
    if (!picture) {
        empty->setMessage(isRecorded ? tr("Reading the recording…") : tr("Looking for sessions that wait…"), {});
        return;
    }
    if (isFiltered && !picture->graph.nodes.isEmpty()) {
        empty->setMessage(tr("No session matches"),
                          tr("Hidden by the filter: %1.").arg(CommonText::count(picture->nodes.size())), {},
                          tr("Clear filter"));
        return;
    }
    const ServerWaits &waits = *picture->waits;
    if (isRecorded)
        return explainRecorded(waits, empty);
    QString text = tr("Looked at %1 and %2.").arg(sessions(waits), transactions(waits));
    if (!seesEverything(waits))
        text += u' ' + tr("Not everything can be seen here: the line at the bottom says what is missing.");
    empty->setMessage(seesEverything(waits) ? tr("Nobody waits") : tr("Nobody is seen to wait"), text);
    empty->offerStarts();
}

} // namespace lockscope::ui
