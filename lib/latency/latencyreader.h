// SPDX-License-Identifier: MIT
#pragma once

#include "engine/records/histogram.h"
#include "locks/snapshot.h"
#include "session/session.h"

#include <map>
#include <set>

namespace lockscope {

/// Which measurements belong together. The names are those of the table, so that a newer engine's are shown as well.
struct LatencyKey
{
    QByteArray mode;    ///< "unique", "pessimistic", "optimistic"
    QByteArray kind;    ///< "acquire", "hold"
    QByteArray outcome; ///< "granted", "busy", …; empty for "hold"
    ServerTime slot;    ///< beginning of the time slot; a multiple of its length since 1970

    /// Whether their durations are those that percentiles are made of.
    bool isGranted() const { return kind == "hold" || outcome == "granted" || outcome == "committed"; }
    bool operator==(const LatencyKey &) const = default;
    friend bool operator<(const LatencyKey &a, const LatencyKey &b);
};

/// Who measured in a time slot, and of which resources: no engine counts single ones.
struct LatencyUserKey
{
    QByteArray kind;
    QString program;
    QByteArray prefix;
    ServerTime slot;

    bool operator==(const LatencyUserKey &) const = default;
    friend bool operator<(const LatencyUserKey &a, const LatencyUserKey &b);
};

/// What they asked for, or held.
struct LatencyUse
{
    Histogram granted;
    Histogram others; ///< those that were not granted

    void add(const LatencyUse &other);
};

/// Which measurements to read.
struct LatencyOptions
{
    ServerTime from = {};                         ///< rows written at this time or later …
    ServerTime to = {};                           ///< … and before this one
    Microseconds slot = std::chrono::seconds(10); ///< length of a time slot
    std::optional<QString> program = {};          ///< only engines of this service; none: all
    std::optional<QByteArray> prefix = {};        ///< only engines with this EngineConfig::namePrefix; none: all
    int limit = 500'000;                          ///< at most this many rows are read
};

/// Measurements of all engines, merged. Ask the histograms for percentiles, count and maximum.
struct LatencySeries
{
    std::map<LatencyKey, Histogram> histograms;
    std::map<LatencyUserKey, LatencyUse> uses; ///< whatever program and prefix were asked for
    std::set<QString> programs;                ///< services that measured in this time, whatever was asked for
    std::set<QByteArray> prefixes;             ///< … and their prefixes
    int rows = 0;                              ///< that were merged
    int unreadable = 0;                        ///< damaged, or written by a newer engine
    bool isComplete = true;                    ///< false: the limit was reached, the rest is missing

    /// All slots of a series together.
    Histogram total(const QByteArray &mode, const QByteArray &kind, const QByteArray &outcome) const;
};

/// Reads `lock_latency` along its primary key. Writes nothing and takes no lock.
///
/// An engine writes every 5 s; after the server was away, what it counted in the meantime is in one row, in the slot in
/// which it was written. To follow a running system, read again from the last slot's beginning and replace the slots
/// that come. Thread: that of `session`, which must outlive the reader.
class LatencyReader
{
public:
    explicit LatencyReader(Session &session);

    /// `*series` is as it was after an error.
    std::optional<LockError> read(const LatencyOptions &options, LatencySeries *series);

private:
    std::optional<LockError> findStart(ServerTime from, quint64 *after);
    std::optional<LockError> readPage(const LatencyOptions &options, quint64 *after, LatencySeries *series,
                                      bool *isLast);

    void merge(const LatencyOptions &options, const QVariantList &row, LatencySeries *series);

    Session &m_session;
    QHash<QByteArray, QString> m_services; ///< of owners as they are stored
};

} // namespace lockscope
