// SPDX-License-Identifier: MIT
#include "latencyworker.h"

#include "monitor.h"
#include "session/schema.h"

namespace lockscope {

using Clock = std::chrono::steady_clock;

namespace {

/// Asking takes at most this part of the time, as a factor on its cost.
constexpr int kRestPerCost = 10;
constexpr std::chrono::seconds kRetryAfter{5};

} // namespace

LatencyWorker::LatencyWorker(SessionTarget target)
    : m_target(std::move(target))
    , m_timer(this)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LatencyWorker::refresh);
}

void LatencyWorker::ask(const std::optional<LatencyQuestion> &question)
{
    if (m_question != question) {
        m_window.clear();
        m_compared.clear();
    }
    m_question = question;
    if (question)
        refresh();
    else
        m_timer.stop();
}

void LatencyWorker::refresh()
{
    const auto started = Clock::now();
    auto picture = std::make_shared<LatencyPicture>();
    auto error = connectToServer();
    if (!error)
        error = read(picture.get());
    if (error) {
        if (error->connectionGone)
            m_session.reset();
        if (isPermanent(*error))
            m_timer.stop();
        else
            m_timer.start(kRetryAfter);
        Q_EMIT failed(*error);
        return;
    }
    const auto cost = Clock::now() - started;
    picture->cost = std::chrono::duration_cast<Microseconds>(cost);
    Q_EMIT pictureReady(picture);
    if (!m_question->to) // what has ended does not change
        m_timer.start(
            std::max(LatencyFeed::interval, kRestPerCost * std::chrono::ceil<std::chrono::milliseconds>(cost)));
}

std::optional<LockError> LatencyWorker::connectToServer()
{
    if (m_session && !m_session->isGone())
        return std::nullopt;
    m_reader.reset();
    LockError error;
    m_session = Session::open(forReading(m_target), &error);
    if (!m_session)
        return error;
    m_reader.emplace(*m_session);
    auto missing = checkSchema(*m_session);
    if (missing)
        m_session.reset();
    return missing;
}

std::optional<LockError> LatencyWorker::read(LatencyPicture *picture)
{
    const Reply clock = m_session->run("monitor/clock", Params());
    if (!clock)
        return clock.error;
    const ServerTime now{Microseconds(clock.value().toLongLong())};
    if (auto error = m_sampler.sample(*m_session, now))
        return error;
    picture->question = *m_question;
    const ServerTime to = m_question->to.value_or(now);
    if (auto error = readPeriod(m_window, to, &picture->period))
        return error;
    if (m_question->compareBefore) {
        picture->compared.emplace();
        if (auto error = readPeriod(m_compared, to - *m_question->compareBefore, &*picture->compared))
            return error;
    }
    for (const WaitSample &sample : m_sampler.samples()) {
        if (sample.at >= picture->period.from && sample.at < picture->period.to)
            picture->samples.push_back(sample);
    }
    picture->serverStart = m_sampler.serverStart();
    picture->programs = m_window.series().programs;
    picture->prefixes = m_window.series().prefixes;
    return std::nullopt;
}

std::optional<LockError> LatencyWorker::readPeriod(LatencyWindow &window, ServerTime to, LatencyPeriod *period)
{
    const ServerTime from = to - m_question->length;
    if (auto error = window.moveTo(*m_reader, *m_question, from, to))
        return error;
    *period = periodOf(window.series(), m_question->kind, from - m_question->slot, to, m_question->slot);
    period->from = from;
    return std::nullopt;
}

} // namespace lockscope
