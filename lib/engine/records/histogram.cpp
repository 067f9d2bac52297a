// SPDX-License-Identifier: MIT
#include "histogram.h"

#include <cmath>
#include <limits>

namespace lockscope {

namespace {

constexpr char kVersion = 1;

/// Rows of a table may hold anything: sums stop at the end instead of starting over.
Duration sumOf(Duration a, Duration b)
{
    return a > Duration::max() - b ? Duration::max() : a + b;
}

quint64 sumOf(quint64 a, quint64 b)
{
    return a > std::numeric_limits<quint64>::max() - b ? std::numeric_limits<quint64>::max() : a + b;
}

/// Seven bits a byte, the low ones first; the top bit says that more follow.
void appendNumber(QByteArray &bytes, quint64 number)
{
    while (number > 0x7f) {
        bytes.append(char(number | 0x80));
        number >>= 7;
    }
    bytes.append(char(number));
}

/// Moves `*at` past the number; nothing when it is cut short or does not fit.
std::optional<quint64> readNumber(const QByteArray &bytes, qsizetype *at)
{
    quint64 number = 0;
    for (int shift = 0; shift < 64 && *at < bytes.size(); shift += 7) {
        const auto byte = quint8(bytes[(*at)++]);
        const quint64 bits = byte & 0x7f;
        if ((bits << shift) >> shift != bits)
            return std::nullopt;
        number |= bits << shift;
        if (byte < 0x80)
            return number;
    }
    return std::nullopt;
}

} // namespace

void Histogram::addToBucket(int index, quint64 count)
{
    m_count = sumOf(m_count, count);
    const auto found = std::lower_bound(m_buckets.begin(), m_buckets.end(), index,
                                        [](const Bucket &bucket, int wanted) { return bucket.index < wanted; });
    if (found != m_buckets.end() && found->index == index)
        found->count = sumOf(found->count, count);
    else
        m_buckets.insert(found, {index, count});
}

void Histogram::add(Duration duration, quint64 count)
{
    if (count == 0)
        return;
    const Duration atLeastZero = std::max(duration, Duration::zero());
    addToBucket(bucketOf(atLeastZero), count);
    const bool fits = atLeastZero == Duration::zero() || count <= quint64(Duration::max() / atLeastZero);
    m_sum = fits ? sumOf(m_sum, atLeastZero * qint64(count)) : Duration::max();
    m_max = std::max(m_max, atLeastZero);
}

void Histogram::add(const Histogram &other)
{
    for (const Bucket &bucket : other.m_buckets)
        addToBucket(bucket.index, bucket.count);
    m_sum = sumOf(m_sum, other.m_sum);
    m_max = std::max(m_max, other.m_max);
}

Duration Histogram::percentile(double percent) const
{
    if (isEmpty())
        return Duration::zero();
    const double rank = std::ceil(double(m_count) * std::clamp(percent, 0.0, 100.0) / 100);
    if (rank >= double(m_count))
        return m_max;
    quint64 below = 0;
    for (const Bucket &bucket : m_buckets) {
        below = sumOf(below, bucket.count);
        if (double(below) >= rank)
            return std::min(middle(bucket.index), m_max);
    }
    return m_max;
}

QByteArray Histogram::toBytes() const
{
    QByteArray bytes(1, kVersion);
    int previous = -1;
    for (const Bucket &bucket : m_buckets) {
        appendNumber(bytes, quint64(bucket.index - previous));
        appendNumber(bytes, bucket.count);
        previous = bucket.index;
    }
    return bytes;
}

bool Histogram::appendParsed(quint64 distance, quint64 count)
{
    const int previous = m_buckets.empty() ? -1 : m_buckets.back().index;
    if (distance == 0 || distance > quint64(BucketCount - 1 - previous) || count == 0)
        return false;
    if (count > std::numeric_limits<quint64>::max() - m_count)
        return false;
    m_buckets.push_back({previous + int(distance), count});
    m_count += count;
    return true;
}

std::optional<Histogram> Histogram::fromBytes(const QByteArray &bytes, Duration sum, Duration max)
{
    if (bytes.isEmpty() || bytes[0] != kVersion || bytes.size() > MaxBytes)
        return std::nullopt;
    Histogram histogram;
    qsizetype at = 1;
    while (at < bytes.size()) {
        const auto distance = readNumber(bytes, &at);
        const auto count = readNumber(bytes, &at);
        if (!distance || !count || !histogram.appendParsed(*distance, *count))
            return std::nullopt;
    }
    if (sum < Duration::zero() || max < Duration::zero())
        return std::nullopt;
    if (histogram.isEmpty())
        return sum == Duration::zero() && max == Duration::zero() ? std::optional(histogram) : std::nullopt;
    if (max < lowest(histogram.m_buckets.back().index))
        return std::nullopt;
    histogram.m_sum = sum;
    histogram.m_max = max;
    return histogram;
}

Histogram AtomicHistogram::take()
{
    Histogram taken;
    for (int i = 0; i < Histogram::BucketCount; ++i) {
        auto &bucket = m_buckets[std::size_t(i)];
        // Most are empty: looking is cheaper than exchanging.
        if (bucket.load(std::memory_order_relaxed) == 0)
            continue;
        const quint64 count = bucket.exchange(0, std::memory_order_acquire);
        taken.m_buckets.push_back({i, count});
        taken.m_count += count;
    }
    if (taken.isEmpty())
        return taken; // a sum without a count stays for the next one
    taken.m_sum = Duration(qint64(m_sum.exchange(0, std::memory_order_relaxed)));
    // The maximum may have gone with the result before; it is then at least this.
    const Duration atLeast = Histogram::lowest(taken.m_buckets.back().index);
    taken.m_max = std::max(Duration(qint64(m_max.exchange(0, std::memory_order_relaxed))), atLeast);
    return taken;
}

} // namespace lockscope
