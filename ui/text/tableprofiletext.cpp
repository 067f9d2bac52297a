// SPDX-License-Identifier: MIT
#include "tableprofiletext.h"

#include <algorithm>
#include <iterator>

namespace lockscope::ui {

namespace {

constexpr const char *kTexts[] = {
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "with the default locker the broker holds the row in a transaction instead"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "the broker stops at its next renewal, and another one takes over"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its token is random: the table does not tell who the holder is"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder is not told"),
    QT_TRANSLATE_NOOP(
        "lockscope::ui::TableProfileText",
        "a session holds it by locking the row in a transaction; end that session, and never remove the row"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "it has no end: after a crash the row stays; it tells neither since when it is held nor by whom"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "whether and when others take it over is for the program to say"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "after how long others take it over is for the program to say"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "it has no end: after a crash the row stays"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "if the task still runs, it is run a second time"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "if the job still runs, it is run a second time"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its time is the setting DB_MUTEX_TTL_SECONDS, taken for 1800 s here"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder finds at its end that its lock has timed out"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "see first that no migration runs; one that does ends with an error"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one text
                      "since is when a server last began the task; others may not for its interval, 10 minutes to 12 "
                      "hours, taken for 10 minutes here"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "another server may begin the task at once, also while it still runs"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "whoever asks takes it for free when it is older than the time that they would wait"),
    QT_TRANSLATE_NOOP(
        "lockscope::ui::TableProfileText",
        "the table tells neither since when nor by whom; until a migration changes a table, its transaction holds it"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "see first that no migration runs: two at once can break the schema"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "lock is -1 where somebody writes, else how many read; the key is a hash of the file's path"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "whoever still works on the file can be disturbed by the next one"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "the nodes elect a leader anew, as after its own command to re-elect"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its servers' tasks; locks of rows are in lock_table, and only Seata may end these"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "if the server of the holder still runs its task, another one runs it too"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the job may be over: a lock is kept for its lockAtLeastFor"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "if its job still runs, it runs on, and the next one may begin beside it"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "value tells how many permits are left; the jobs that have the others are not told here"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "one more job than allowed may run until those that hold permits have ended"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "without EXPIRED_AFTER its time is the client's setting, taken for 10 s here"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "the holder's unlock throws an exception when it finds its row gone"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder learns of it at its next refresh"),
    // Of conventions.
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder is a worker's token"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "the queue would take its job for stalled and run it again beside the one that runs"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "another process becomes the leader; the one that leads learns of it from ZooKeeper"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "the one that leads is registered in another node too, so the next could not take over: restart "
                      "the one that leads, or have Solr move its leaders (REBALANCELEADERS)"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "its holder is not told: it works on, and so may two"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "several may hold it; the last ones may still wait"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "its holder is not told: it works on"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "who leads is in bytes of Hadoop's own"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "who leads is in bytes of HBase's own"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder is a broker's number"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "without an end it is kept until somebody gives it back"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "another process becomes the leader; the one that leads learns of it from etcd"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "only its name says so"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "the token is a UUID of the moment and the network card of its holder"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its holder is not told: it works on, and gets an error when it gives back the lock"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its holder is not told: it works on, and gets an error when it extends or gives back the lock"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "several may hold it; since is their last refresh"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "its holder is told by an error at its next refresh"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "the holder is a client and its thread; one that writes ends with :write"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its holder is not told: it works on, and learns of it when it unlocks"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder is a client and its thread"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "it may stand on other servers too: most of them decide"),
    QT_TRANSLATE_NOOP(
        "lockscope::ui::TableProfileText",
        "its holder is not told; where several servers keep the lock, it is only free when most of them are released"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder is a job"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText", "the holder is a registry, one in each process"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its holder is not told, and gets an exception when it unlocks"),
    QT_TRANSLATE_NOOP("lockscope::ui::TableProfileText",
                      "its holder is not told: it works on, and gets an exception when it refreshes the lock"),
};

} // namespace

QString TableProfileText::of(const QString &text)
{
    const auto *known = std::find_if(std::begin(kTexts), std::end(kTexts),
                                     [&text](const char *one) { return text == QLatin1String(one); });
    return known == std::end(kTexts) ? text : tr(*known);
}

} // namespace lockscope::ui
