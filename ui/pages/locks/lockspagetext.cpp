// SPDX-License-Identifier: MIT
#include "lockspagetext.h"

#include "ui/pages/waits/preparedtext.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/text/keylocktext.h"
#include "ui/text/tablelocktext.h"
#include "ui/widgets/emptystate.h"

#include <QtGui/QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

QString LocksPageText::end(const LockRow &lock, const QFontMetrics &metrics)
{
    if (const auto session = lock.endsWith())
        return tr("End session %1…").arg(*session);
    if (isPreparedNumber(lock.key.session))
        return tr("End %1…").arg(PreparedText::holder(lock.key.session));
    const QString name = metrics.elidedText(CommonText::lock(lock.key), Qt::ElideMiddle, 160);
    return tr("Release %1…").arg(CommonText::onButton(name));
}

QString LocksPageText::help()
{
    return tr(
        "Every lock that is not free, as the server reports it twice a second.\n\n"
        "Held: its session is alive. Orphan: its session is gone, but its time is not up. Expired: its time is up and "
        "nobody has taken it yet. Kept: released early, taken for the rest of its minimum time. Held row: a "
        "transaction "
        "holds it. Optimistic: nobody holds it; where others show who waits, it shows the share of attempts to commit "
        "that met a conflict in the last minute. Rows, Metadata and User lock: the server's own locks, of any program; "
        "they end with their session. In a table: another program keeps it in a table of its own; Lockscope reads what "
        "the row says. Redis key, ZooKeeper node, etcd key: another program keeps it there, as Lockscope "
        "knows "
        "from conventions; these are looked for more slowly, and the status line says how old the last look is.\n\n"
        "A triangle beside the state is an alarm: hold the pointer over it. View, Alarms… says when there is one.\n\n"
        "The TTL bar counts down on the server's clock; a living holder renews it at a third of its time.\n\n"
        "The filter finds words in resource, owner and note, and fields: holder:ci waiters:>3 kind:row,metadata "
        "state:orphan held:>5m -note:nightly profile:ShedLock server:cache1. Other fields are resource, host, left, "
        "token, "
        "session "
        "and "
        "pid; = before "
        "a "
        "text means all of it, quotation marks keep spaces and colons together.\n\n"
        "/ filters, Enter shows or hides the inspector, Del releases the selected lock, Space pauses, F5 refreshes "
        "now.");
}

QString LocksPageText::notice(const ServerConnection &connection, const QMap<int, KeyPasses> &passes,
                              const TableLocks &tables, const std::optional<LockError> &tablesFailure)
{
    const LockListUpdate &last = connection.last();
    QStringList texts;
    if (connection.isStore() && last.counts.unknown > 0)
        texts += tr("What is listed as unknown has the name of a lock and is none that Lockscope can read.");
    else if (last.counts.unknown > last.counts.unknownTables)
        texts +=
            tr("This server is read-only, perhaps a replica: it cannot tell whether a holder is alive, and what it "
               "shows may be old.");
    if (last.filterError)
        texts += filterError(*last.filterError);
    if (last.isCut() && !last.isFilling)
        texts += tr("%1 of %2 locks are listed. The filter searches all of them.")
                     .arg(CommonText::count(last.read), CommonText::count(last.counts.total()));
    const bool isAway = connection.status().isFailing(); // which is said above the list
    if (const QString unread = isAway ? QString() : TableLockText::unseen(tables, tablesFailure); !unread.isEmpty())
        texts += unread;
    if (const QString unseen = KeyLockText::unseen(passes); !unseen.isEmpty())
        texts += unseen;
    return texts.join(u' ');
}

QString LocksPageText::filterError(const FilterError &error)
{
    const auto list = [&error] { return error.allowed.join(u", "_s); };
    const QString asItStands = u' ' + tr("Until then the filter looks for the text as it stands.");
    switch (error.kind) {
    case FilterError::Kind::UnknownField:
        return tr("The filter knows no field \"%1\". It has %2. A name with a colon belongs in quotation marks.")
                   .arg(error.word, list())
            + asItStands;
    case FilterError::Kind::UnknownValue:
        return tr("\"%1\" is nothing that %2 can be. It is one of %3.").arg(error.word, error.field, list())
            + asItStands;
    case FilterError::Kind::NotANumber:
        return tr("\"%1\" is no number: write %2:3, %2:>3 or %2:<=3.").arg(error.word, error.field) + asItStands;
    case FilterError::Kind::NotADuration:
        return tr("\"%1\" is no duration: write %2:>30s, %2:<5m or %2:>=2h.").arg(error.word, error.field) + asItStands;
    case FilterError::Kind::NothingToFind:
        return tr("After %1: there is nothing to look for.").arg(error.field) + asItStands;
    case FilterError::Kind::OpenQuote:
        break;
    }
    return tr("A quotation mark is open.") + asItStands;
}

int LocksPageText::inNeed(const LockListUpdate &last, const QHash<LockKey, QString> &alarms)
{
    const auto isBoth = [&alarms](const LockRow &row) {
        return row.state == LockState::Orphan && alarms.contains(row.key);
    };
    const qint64 both = alarms.isEmpty() ? 0 : std::count_if(last.rows.cbegin(), last.rows.cend(), isBoth);
    return int(last.counts.orphan + alarms.size() - both);
}

QString LocksPageText::badge(const LockListUpdate &last, qsizetype alarms)
{
    const QString text = tr("Locks without a living session: %1").arg(last.counts.orphan);
    if (alarms == 0)
        return text;
    if (!last.isCut())
        return text + u'\n' + tr("Locks with an alarm: %1").arg(alarms);
    return text + u'\n'
        + tr("Locks with an alarm, among the %1 that were read: %2").arg(CommonText::count(last.read)).arg(alarms);
}

/// Of a list that is cut the server looks for the filter, and the facets look among what was read.
bool LocksPageText::explainCutList(const LockListUpdate &last, const QString &filter, bool hasFacets, EmptyState *empty)
{
    if (last.isFilling)
        empty->setMessage(tr("Reading…"),
                          tr("%1 of %2 locks were read so far.")
                              .arg(CommonText::count(last.read), CommonText::count(last.counts.total())));
    else if (last.contains != LockFilter::parse(filter).needle())
        empty->setMessage(tr("Searching…"), tr("The server looks through all of its locks."));
    else if (hasFacets && last.isCut())
        empty->setMessage(tr("None among the locks that were read"),
                          tr("%1 of %2 locks were read. The buttons above choose among these, and count these.")
                              .arg(CommonText::count(last.read), CommonText::count(last.counts.total())),
                          {}, tr("Clear filter"));
    else if (!filter.isEmpty())
        empty->setMessage(tr("No lock matches"), tr("All locks of the server were searched."), {}, tr("Clear filter"));
    else
        return false;
    return true;
}

/// Servers of a list of several that nobody can say nothing is locked on.
int LocksPageText::unheard(const ServerConnection &connection)
{
    const auto &further = connection.further()->all();
    if (further.empty() || connection.isRecorded())
        return 0;
    const auto isUnheard = [](const auto &each) {
        return each.second.status.isFailing() || !each.second.clock->isKnown();
    };
    return int(std::count_if(further.begin(), further.end(), isUnheard)) + int(connection.status().isFailing());
}

void LocksPageText::explainEmptyList(const ServerConnection &connection, const QString &filter, bool hasFacets,
                                     EmptyState *empty)
{
    const Phase phase = connection.status().phase;
    const LockListUpdate &last = connection.last();
    const qint64 hidden = last.counts.total();
    const bool isFiltered = !filter.isEmpty() || hasFacets;
    const bool isCut = last.isCut() || !last.contains.isEmpty();
    if (phase == Phase::Failing && !connection.clock()->isKnown())
        empty->tellFailure(!connection.isRecorded());
    else if (phase == Phase::Connecting && connection.profile().isPrivate)
        empty->setMessage(tr("Starting the private server…"), tr("The first start takes a few seconds."));
    else if (phase == Phase::Connecting && connection.isRecorded())
        empty->setMessage(tr("Opening %1…").arg(connection.profile().fullName()), connection.profile().recording);
    else if (phase == Phase::Connecting)
        empty->setMessage(tr("Connecting to %1…").arg(connection.profile().fullName()), connection.urlText());
    else if (isCut && explainCutList(last, filter, hasFacets, empty))
        return;
    else if (isFiltered && hidden > 0)
        empty->setMessage(tr("No lock matches"), tr("Hidden by the filter: %1.").arg(CommonText::count(hidden)), {},
                          tr("Clear filter"));
    else if (const int silent = unheard(connection); silent > 0)
        empty->setMessage(tr("No lock is known"), tr("%n servers of the list do not answer yet.", nullptr, silent));
    else if (connection.isRecorded())
        empty->setMessage(tr("Nothing was locked"), tr("At this moment of the recording no lock was held."));
    else
        empty->setMessage(tr("Nothing is locked"), tr("Locks appear here as soon as a program takes one. Try:"),
                          connection.isStore() ? u"lockctl --url '%1' run demo -- sleep 30"_s.arg(connection.urlText())
                                               : u"lockctl run demo -- sleep 30"_s);
    if (!isFiltered && phase != Phase::Connecting && !connection.isRecorded())
        empty->offerStarts();
}

} // namespace lockscope::ui
