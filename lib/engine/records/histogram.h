// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <QtCore/QByteArray>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <optional>
#include <vector>

namespace lockscope {

/// Durations counted in buckets that grow with them: exact below 32 µs, then 16 buckets per power of two. What is read
/// back is at most 1/32 off what was recorded, from 1 µs to 407 days; longer ones count into the last bucket. Sum and
/// maximum are kept exactly, to the microsecond.
///
/// A plain value; its size follows the buckets in use (at most 672). Merging loses nothing: percentiles of a merged
/// histogram are those of all its durations together.
class Histogram
{
public:
    struct Bucket
    {
        int index = 0;
        quint64 count = 0;
        bool operator==(const Bucket &) const = default;
    };

    static constexpr int BucketCount = 672;
    /// Bound of what toBytes() returns, whatever was recorded.
    static constexpr qsizetype MaxBytes = 8192;

    /// The bucket of a duration; a negative one counts as zero.
    static constexpr int bucketOf(Duration duration)
    {
        const auto value = quint64(std::clamp(duration, Duration::zero(), kBeyond - Duration(1)).count());
        if (value < kPerOctave)
            return int(value);
        const int shift = int(std::bit_width(value)) - kOctaveBits - 1;
        return int(value >> shift) + shift * kPerOctave;
    }
    /// The shortest duration of a bucket.
    static constexpr Duration lowest(int bucket)
    {
        const int shift = std::max(0, bucket / kPerOctave - 1);
        return Duration(qint64(bucket - shift * kPerOctave) << shift);
    }
    /// What a duration in a bucket is read back as: the bucket's middle.
    static constexpr Duration middle(int bucket)
    {
        return lowest(bucket) + (lowest(bucket + 1) - lowest(bucket) - Duration(1)) / 2;
    }

    void add(Duration duration, quint64 count = 1);
    /// Adds everything that `other` counted.
    void add(const Histogram &other);

    bool isEmpty() const { return m_buckets.empty(); }
    quint64 count() const { return m_count; }
    Duration sum() const { return m_sum; }
    Duration max() const { return m_max; }
    /// The duration that `percent` % of all do not exceed (nearest rank), within 1/32; zero when empty.
    Duration percentile(double percent) const;

    /// The buckets for storing: a version byte, then per bucket in use its distance from the one before and its count,
    /// as variable-length numbers. Sum and maximum are stored beside them.
    QByteArray toBytes() const;
    /// Nothing when the bytes are cut short, damaged or of a newer version, or when sum or maximum cannot be theirs.
    static std::optional<Histogram> fromBytes(const QByteArray &bytes, Duration sum, Duration max);

    /// In order of their durations; none is empty.
    const std::vector<Bucket> &buckets() const { return m_buckets; }

    bool operator==(const Histogram &) const = default;

private:
    friend class AtomicHistogram;

    static constexpr int kOctaveBits = 4;
    static constexpr int kPerOctave = 1 << kOctaveBits;
    static constexpr Duration kBeyond{qint64(1) << 45};

    void addToBucket(int index, quint64 count);
    bool appendParsed(quint64 distance, quint64 count);

    std::vector<Bucket> m_buckets;
    quint64 m_count = 0;
    Duration m_sum = Duration::zero();
    Duration m_max = Duration::zero();
};

/// A histogram that many threads record into without a lock.
/// Thread: any. Cost: three atomic additions at most; 5.4 KB.
class AtomicHistogram
{
public:
    void record(Duration duration) noexcept
    {
        const Duration atLeastZero = std::max(duration, Duration::zero());
        const auto value = quint64(atLeastZero.count());
        m_sum.fetch_add(value, std::memory_order_relaxed);
        quint64 max = m_max.load(std::memory_order_relaxed);
        while (value > max && !m_max.compare_exchange_weak(max, value, std::memory_order_relaxed)) { }
        // Last: whoever takes this count finds the sum and the maximum that belong to it.
        m_buckets[std::size_t(Histogram::bucketOf(atLeastZero))].fetch_add(1, std::memory_order_release);
    }

    /// Everything recorded since the last call. A record that runs meanwhile may have its sum and maximum in this
    /// result and its count in the next one; together they are complete.
    Histogram take();

private:
    std::array<std::atomic<quint64>, Histogram::BucketCount> m_buckets{};
    std::atomic<quint64> m_sum = 0;
    std::atomic<quint64> m_max = 0;
};

} // namespace lockscope
