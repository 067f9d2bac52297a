// SPDX-License-Identifier: MIT
#include "toppicture.h"

#include "blockingtree.h"
#include "console/duration.h"
#include "terminal/columns.h"
#include "terminal/output.h"
#include "waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// Also where the terminal is too small for it.
constexpr int kLeastTreeLines = 1;

QString serverLine(const TopPoll &poll)
{
    const Capabilities &server = poll.capabilities;
    QString line = server.family == Family::MariaDb ? u"MariaDB "_s : u"MySQL "_s;
    line += printable(server.version.section(u'-', 0, 0)) + u"  "_s + serverText(poll.target);
    if (server.isReplica)
        line += u"  a replica: not the locks of its primary"_s;
    if (server.isCluster)
        line += u"  of a cluster: the locks of this node"_s;
    return line;
}

/// Empty where all is seen.
QString limitsLine(const ServerWaits &waits)
{
    QStringList limited;
    for (const SourceStatus &status : waits.sources) {
        if (status.isCut)
            limited.append(u"%1 (only %2)"_s.arg(sourceText(status.source)).arg(status.rows));
        else if (status.state != SourceStatus::State::Complete && status.state != SourceStatus::State::Off)
            limited.append(sourceText(status.source));
    }
    return limited.isEmpty() ? QString() : u"Limited: %1; `lockctl blockers` says why."_s.arg(limited.join(u", "_s));
}

QString inBold(const QString &line)
{
    return u"\x1b[1m"_s + line + u"\x1b[0m"_s;
}

QString faint(const QString &line)
{
    return u"\x1b[2m"_s + line + u"\x1b[0m"_s;
}

/// What of the tree is off the screen.
QString restText(qsizetype above, qsizetype below)
{
    QStringList parts;
    if (above > 0)
        parts.append(counted(above, u"line"_s, u"lines"_s) + u" above"_s);
    if (below > 0)
        parts.append(counted(below, u"more line"_s, u"more lines"_s));
    return u"and %1"_s.arg(parts.join(u", "_s));
}

} // namespace

TopPicture::TopPicture(TopPoll poll)
    : m_poll(std::move(poll))
    , m_graph(buildWaitGraph(m_poll.waits, m_poll.waits.clock.server))
{
}

QString TopPicture::waitingText() const
{
    const int waiting = m_graph.waiting();
    if (waiting > 0)
        return waiting == 1 ? u"1 waits"_s : u"%1 wait"_s.arg(waiting);
    return essentialUnseen(m_poll.waits) ? u"who waits cannot be seen"_s : u"nobody waits"_s;
}

QStringList TopPicture::header(int columns) const
{
    const ServerWaits &waits = m_poll.waits;
    const QString time = toDateTime(waits.clock.server).toUTC().toString(u"yyyy-MM-dd HH:mm:ss"_s);
    const QString counts = u"%1 UTC  looked in %2  %3"_s.arg(time, formatDuration(waits.cost), waitingText());
    QStringList lines{shortened(serverLine(m_poll), columns), shortened(counts, columns)};
    if (const QString limits = limitsLine(waits); !limits.isEmpty())
        lines.append(shortened(limits, columns));
    return lines;
}

QStringList TopPicture::tree(int columns, bool isColoured) const
{
    if (m_graph.roots.isEmpty())
        return {shortened(
            essentialUnseen(m_poll.waits) ? u"Whether somebody waits cannot be seen."_s : u"Nobody waits."_s, columns)};
    return blockingTree(m_poll.waits, m_graph, m_poll.waits.clock.server, {columns, isColoured});
}

QStringList TopPicture::lines(int columns) const
{
    return header(columns) + QStringList{QString()} + tree(columns, false);
}

QStringList TopPicture::lines(TopScreen::Size size, const QStringList &notes, bool isColoured, qsizetype *scroll) const
{
    QStringList lines = header(size.columns);
    if (isColoured)
        lines.first() = inBold(lines.first());
    for (const QString &note : notes)
        lines.append(shortened(note, size.columns));
    lines.append(QString());
    const qsizetype room = qMax<qsizetype>(kLeastTreeLines, size.rows - lines.size() - 1);
    const QStringList all = tree(size.columns, isColoured);
    const bool isCut = all.size() > room;
    const qsizetype shown = isCut ? room - 1 : all.size();
    *scroll = qBound<qsizetype>(0, *scroll, all.size() - shown);
    lines += all.mid(*scroll, shown);
    if (isCut)
        lines.append(restText(*scroll, all.size() - *scroll - shown));
    while (lines.size() < size.rows - 1)
        lines.append(QString());
    const QString keys = shortened(isCut ? u"q quit   p pause   Space refresh now   ↑↓ PgUp PgDn Home End scroll"_s
                                         : u"q quit   p pause   Space refresh now"_s,
                                   size.columns);
    lines.append(isColoured ? faint(keys) : keys);
    return lines;
}

} // namespace lockscope::ctl
