// SPDX-License-Identifier: MIT
#include "latencyworker.h"

#include "locks/leasereader.h"
#include "session/schema.h"

namespace lockscope {

LatencyWorker::LatencyWorker(const SessionTarget &target)
    : FeedWorker(forReading(target), PollPace(LatencyFeed::Interval, LatencyFeed::Interval))
{
}

void LatencyWorker::ask(const std::optional<LatencyQuestion> &question)
{
    if (m_question != question) {
        m_window.clear();
        m_compared.clear();
    }
    m_question = question;
    setPaused(!question);
    if (question)
        poll();
}

void LatencyWorker::poll()
{
    const auto started = PollPace::Clock::now();
    auto picture = std::make_shared<LatencyPicture>();
    if (const auto error = pollServer([&](Session &session) { return read(session, picture.get()); })) {
        Q_EMIT failed(*error);
        return;
    }
    picture->cost = std::chrono::duration_cast<Microseconds>(PollPace::Clock::now() - started);
    Q_EMIT pictureReady(picture);
    if (m_question->to) // what has ended does not change
        setPaused(true);
}

std::optional<LockError> LatencyWorker::onOpened(Session &session)
{
    m_reader.emplace(session);
    return checkSchema(session);
}

std::optional<LockError> LatencyWorker::read(Session &session, LatencyPicture *picture)
{
    const Reply clock = session.run("monitor/clock", Params());
    if (!clock)
        return clock.error;
    const ServerTime now{Microseconds(clock.value().toLongLong())};
    if (auto error = m_sampler.sample(session, now))
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
    const ServerTime from = picture->period.from - m_question->slot;
    picture->waiters = ranksOf(m_window.series(), "acquire", from, to);
    picture->holders = ranksOf(m_window.series(), "hold", from, to);
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
