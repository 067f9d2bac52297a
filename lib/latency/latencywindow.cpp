// SPDX-License-Identifier: MIT
#include "latencywindow.h"

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

/// Engines write every 5 s, and a statement may take a while: what is younger may still grow.
constexpr Microseconds kMayGrow = 15s;
constexpr Microseconds kSamplesKept = 24h;

} // namespace

void LatencyWindow::clear()
{
    m_series = {};
    m_readUpTo.reset();
}

std::optional<LockError> LatencyWindow::moveTo(LatencyReader &reader, const LatencyQuestion &question, ServerTime from,
                                               ServerTime to)
{
    LatencyOptions options;
    options.from = from;
    if (m_readUpTo) { // the slots that may have grown, whole
        const ServerTime again = std::max(from, *m_readUpTo - kMayGrow);
        options.from = ServerTime(again.time_since_epoch() - again.time_since_epoch() % question.slot);
    }
    options.to = to;
    options.slot = question.slot;
    options.program = question.program;
    options.prefix = question.prefix;
    LatencySeries fresh;
    if (auto error = reader.read(options, &fresh))
        return error;
    replaceFrom(options.from, std::move(fresh));
    const auto isOver = [&](const auto &entry) { return entry.first.slot + question.slot <= from; };
    std::erase_if(m_series.histograms, isOver);
    std::erase_if(m_series.uses, isOver);
    m_readUpTo = to;
    return std::nullopt;
}

void LatencyWindow::replaceFrom(ServerTime first, LatencySeries fresh)
{
    if (!m_readUpTo) {
        m_series = std::move(fresh);
        return;
    }
    const auto isReadAgain = [first](const auto &entry) { return entry.first.slot >= first; };
    std::erase_if(m_series.histograms, isReadAgain);
    std::erase_if(m_series.uses, isReadAgain);
    m_series.histograms.merge(fresh.histograms);
    m_series.uses.merge(fresh.uses);
    m_series.programs.merge(fresh.programs);
    m_series.prefixes.merge(fresh.prefixes);
    m_series.unreadable = std::max(m_series.unreadable, fresh.unreadable);
    m_series.isComplete = m_series.isComplete && fresh.isComplete;
}

std::optional<LockError> WaitSampler::sample(Session &session, ServerTime now)
{
    const Reply counters = session.run("monitor/wait_counters", Params());
    if (!counters)
        return counters.error;
    Counters read{.at = now};
    for (const QVariantList &row : counters.set(-1).rows) {
        const QByteArray name = row.value(0).toByteArray().toLower();
        const qint64 value = row.value(1).toLongLong();
        if (name == "innodb_row_lock_waits")
            read.waits = value;
        else if (name == "innodb_row_lock_time")
            read.milliseconds = value;
        else if (name == "innodb_row_lock_current_waits")
            read.current = value;
        else if (name == "uptime")
            read.uptime = value;
    }
    const Reply retries = session.run("monitor/retries", Params());
    if (!retries)
        return retries.error;
    read.retries = retries.value().toLongLong();
    add(read);
    return std::nullopt;
}

void WaitSampler::add(const Counters &now)
{
    const bool isRestarted = m_last && now.uptime < m_last->uptime;
    if (!m_serverStart || isRestarted)
        m_serverStart = now.at - std::chrono::seconds(now.uptime);
    if (m_last && !isRestarted && now.at > m_last->at && now.at - m_last->at <= LongestGap) {
        const auto grown = [](qint64 before, qint64 after) { return std::max<qint64>(0, after - before); };
        WaitSample sample;
        sample.at = now.at;
        sample.length = now.at - m_last->at;
        sample.waits = grown(m_last->waits, now.waits);
        sample.waited = std::chrono::milliseconds(grown(m_last->milliseconds, now.milliseconds));
        sample.current = now.current;
        sample.retries = grown(m_last->retries, now.retries);
        m_samples.push_back(sample);
    }
    m_last = now;
    const auto old = std::find_if(m_samples.begin(), m_samples.end(),
                                  [&](const WaitSample &sample) { return sample.at >= now.at - kSamplesKept; });
    m_samples.erase(m_samples.begin(), old);
}

} // namespace lockscope
