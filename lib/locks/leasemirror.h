// SPDX-License-Identifier: MIT
#pragma once

#include "leasedigests.h"
#include "leasequeues.h"
#include "leaserow.h"
#include "session/session.h"
#include "snapshot.h"

#include <QtCore/QMap>
#include <QtCore/QSet>

#include <limits>

namespace lockscope {

/// All leases that are not free, kept up to date by what changed, however many there are: the table is read in parts by
/// its key, each small enough for one answer within some 50 ms. At first all are read, page by page; from then on each
/// reading asks every part for digests of its leases and for the names of those that were granted since, and reads
/// again by name what has another digest or none. So grants, renewals, ends and queues are of the last reading.
///
/// Whose session went is written nowhere, and to ask for each lease costs more than all else. A reading asks for
/// `HoldersAPass` leases, part after part, and for one lease of each connection, with which all of it are lost; beyond
/// a thousand connections, and leases without a living holder, these take turns too. So up to HoldersAPass leases are
/// exact at each reading. Of more, one whose name alone was freed, and not its connection ended, is seen after as many
/// readings as it takes to ask for all.
///
/// Cost of a reading: one pass over lock_lease, and the rows that changed (100,000 leases: see tests/bench).
/// Thread: that of `session`, which must outlive the mirror.
class LeaseMirror
{
public:
    static constexpr int HoldersAPass = 10'000;

    /// `partRows`: rows of the table that are asked about at once, at first. `holdersAPass`: as HoldersAPass.
    explicit LeaseMirror(Session &session, int partRows = 2500, int holdersAPass = HoldersAPass)
        : m_session(session)
        , m_queueReader(session)
        , m_partRows(partRows)
        , m_holdersAPass(holdersAPass)
    {
    }

    /// Only leases with these bytes in resource, owner or note; empty: all. Another question starts over.
    void setContains(const QByteArray &contains);
    /// At most this many, the first ones by name. One that is smaller starts over.
    void setLimit(int limit);
    /// One pass. Until everything has been read once, it goes on reading for about `budget`.
    std::optional<LockError> read(std::chrono::milliseconds budget);

    /// Everything has been read once, or as much as the limit allows.
    bool isFilled() const { return m_isFilled; }
    /// There are more than the limit allows.
    bool isLimited() const { return m_isFilled && m_filledUpTo < m_parts.size(); }
    /// Of the pass's first question.
    const SnapshotClock &clock() const { return m_clock; }
    /// Sorted by key, judged by the pass's clock.
    QList<SharedLockRow> rows();
    LockCounts counts() const;

private:
    static constexpr int PageRows = 1000;
    static constexpr int PassesASurvey = 30;

    struct Entry
    {
        SharedLockRow row;
        quint32 digest = 0;
        quint32 holder = 0;               ///< the last bits of the connection's number; 0: none
        std::optional<ServerTime> endsAt; ///< unless it is kept
        bool isPast = false;
        bool isKept = false;

        /// As monitor/lease_digests makes it.
        quint32 digestOf(bool withHolder) const { return withHolder ? digest ^ holder : digest; }
    };
    /// Rows of the table up to a resource, from that of the part before.
    struct Part
    {
        QByteArray upTo;
        std::optional<ServerTime> readAt; ///< none: not read yet
        qint64 held = 0;                  ///< by the survey
    };
    using Changes = QMap<LockKey, std::optional<Entry>>; ///< none: it ended
    /// What one pass has been answered about a part.
    struct Answer
    {
        bool withHolders = false;
        LeaseDigests unknown; ///< of no lease as it was before
    };
    using Names = QSet<QByteArray>;     ///< of resources to be read again
    using Witnesses = QList<qsizetype>; ///< entries that tell whether a connection is still there

    std::optional<LockError> survey();
    void endAtLimit();
    std::optional<LockError> fill(std::chrono::milliseconds budget);
    std::optional<LockError> fillPage(bool *isEnd);
    std::optional<LockError> update();
    std::optional<LockError> askPart(qsizetype index, Answer *answer, Names *names);
    QList<bool> holderTurns();
    Witnesses chooseWitnesses(const Names &names);
    Names leftBehind(const Witnesses &witnesses, const Changes &changes) const;
    std::optional<LockError> readNamed(const Names &names, Changes *changes);
    std::optional<LockError> readMissed(const QList<Answer> &answers, Changes *changes);
    std::optional<LockError> readAgain(qsizetype index, Changes *changes);
    std::optional<LockError> askQueues();
    Params params(qsizetype part) const;
    Entry toEntry(const QVariantList &values);
    void take(const QList<QVariantList> &rows, Changes *changes);
    LeaseDigests knownDigests(qsizetype part, bool withHolders) const;
    LeaseDigests digestsOf(const Changes &changes, qsizetype part, bool withHolders) const;
    void addMissing(qsizetype part, const LeaseDigests &missing, bool withHolders, Names *names) const;
    QByteArray behind(qsizetype part) const { return part == 0 ? QByteArray() : m_parts[part - 1].upTo; }
    std::pair<qsizetype, qsizetype> entriesOf(qsizetype part) const;
    void apply(const Changes &changes);
    void setWaiters(Entry *entry, int waiters);
    void adapt();

    Session &m_session;
    LeaseQueues m_queueReader;
    OwnerTexts m_owners;
    QByteArray m_contains;
    qsizetype m_limit = std::numeric_limits<int>::max();
    QList<Part> m_parts;
    qsizetype m_partRows;
    const qint64 m_holdersAPass;
    QByteArray m_holdersUpTo; ///< of the last part whose holders were asked for
    LockKey m_witnessed;      ///< the last witness, if there were more
    int m_passes = 0;         ///< since the survey
    UnknownDigests m_unknown;
    std::chrono::steady_clock::duration m_slowest{}; ///< answer of a part in this pass
    bool m_hasGrown = false;                         ///< a part has, far beyond what it was by the survey
    int m_quickPasses = 0;                           ///< one after another
    QList<Entry> m_entries;
    QMap<LockKey, QByteArray> m_queues; ///< as stored, of leases that have one
    std::optional<LockKey> m_asked;     ///< whose queue was asked about last
    SnapshotClock m_clock;
    LockKey m_cursor;           ///< of the filling
    qsizetype m_filledUpTo = 0; ///< parts that are kept up to date; none before everything was read once
    bool m_isFilled = false;
};

} // namespace lockscope
