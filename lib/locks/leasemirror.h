// SPDX-License-Identifier: MIT
#pragma once

#include "leasedigests.h"
#include "leasequeues.h"
#include "leaserow.h"
#include "session/session.h"
#include "snapshot.h"

#include <QtCore/QMap>

#include <limits>

namespace lockscope {

/// All leases that are not free, kept up to date by what changed, however many there are: the table is read in parts by
/// its key, each small enough for one answer within some 50 ms. At first all are read, page by page; from then on each
/// reading asks a part for digests of its leases and for those that were granted since, and reads again by name what
/// has another digest or none. So what ended and whose session went is noticed as well.
///
/// Cost of a reading: one pass over lock_lease, and the rows that changed (100,000 leases: see tests/bench).
/// Thread: that of `session`, which must outlive the mirror.
class LeaseMirror
{
public:
    /// `partRows`: rows of the table that are asked about at once, at first.
    explicit LeaseMirror(Session &session, int partRows = 10'000)
        : m_session(session)
        , m_queueReader(session)
        , m_partRows(partRows)
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
        std::optional<ServerTime> endsAt; ///< unless it is kept
        bool isPast = false;
    };
    /// Rows of the table up to a resource, from that of the part before.
    struct Part
    {
        QByteArray upTo;
        std::optional<ServerTime> readAt; ///< none: not read yet
        qint64 held = 0;                  ///< by the survey
    };
    using Changes = QMap<LockKey, std::optional<Entry>>; ///< none: it ended

    std::optional<LockError> survey();
    void endAtLimit();
    std::optional<LockError> fill(std::chrono::milliseconds budget);
    std::optional<LockError> fillPage(bool *isEnd);
    std::optional<LockError> update();
    std::optional<LockError> updatePart(qsizetype index, Changes *changes);
    std::optional<LockError> readNamed(const QList<QByteArray> &names, Changes *changes);
    std::optional<LockError> readAgain(qsizetype index, Changes *changes);
    std::optional<LockError> askQueues();
    Params params(qsizetype part) const;
    Entry toEntry(const QVariantList &values);
    void take(const QList<QVariantList> &rows, Changes *changes);
    LeaseDigests knownDigests(qsizetype part) const;
    QList<QByteArray> namesOf(qsizetype part, const LeaseDigests &missing, const Changes &changes) const;
    std::pair<qsizetype, qsizetype> entriesOf(qsizetype part) const;
    void apply(const Changes &changes);
    void setWaiters(Entry *entry, int waiters);
    void adapt(std::chrono::steady_clock::duration answer);

    Session &m_session;
    LeaseQueues m_queueReader;
    OwnerTexts m_owners;
    QByteArray m_contains;
    qsizetype m_limit = std::numeric_limits<int>::max();
    QList<Part> m_parts;
    qsizetype m_partRows;
    int m_passes = 0; ///< since the survey
    UnknownDigests m_unknown;
    std::chrono::steady_clock::duration m_asking{}; ///< since the size of the parts was looked at
    QList<Entry> m_entries;
    QMap<LockKey, QByteArray> m_queues; ///< as stored, of leases that have one
    std::optional<LockKey> m_asked;     ///< whose queue was asked about last
    SnapshotClock m_clock;
    LockKey m_cursor;           ///< of the filling
    qsizetype m_filledUpTo = 0; ///< parts that are kept up to date; none before everything was read once
    bool m_isFilled = false;
};

} // namespace lockscope
