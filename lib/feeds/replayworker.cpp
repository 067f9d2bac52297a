// SPDX-License-Identifier: MIT
#include "replayworker.h"

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using Kind = RecordedMark::Kind;

/// Measurements are marked this much later than they were made, at most.
constexpr Microseconds kMarkedLater = 30s;

} // namespace

ReplayWorker::ReplayWorker(const QString &path)
    : m_path(path)
{
}

void ReplayWorker::open()
{
    QString error;
    m_recording = Recording::open(m_path, &error);
    if (m_recording && m_recording->info().looks == 0) {
        m_recording.reset();
        error = QStringLiteral("%1 has no look yet.").arg(m_path);
    }
    if (!m_recording) {
        Q_EMIT failed(error);
        return;
    }
    const RecordingInfo &info = m_recording->info();
    Q_EMIT opened(info, incidentsOf(*m_recording, info.from, info.to));
}

void ReplayWorker::show(int number, ServerTime at)
{
    if (!m_recording || number != m_wanted)
        return;
    auto found = m_recording->at(at);
    if (!found)
        return;
    auto shown = std::make_shared<ReplayedMoment>();
    shown->moment = std::move(*found);
    shown->wanted = at;
    QList<AuditLine> lines;
    for (const RecordedMark &mark : m_recording->marks(m_recording->info().from - 1h, at, {Kind::Event, Kind::Act})) {
        if (mark.kind == Kind::Event)
            shown->events.append(eventOf(mark.body));
        else
            lines.append(actOf(mark.body));
    }
    shown->acts = auditActs(lines);
    shown->deadlocks = m_deadlocks.until(*m_recording, at);
    shown->noDeadlocks = m_deadlocks.refusal();
    m_at = at;
    Q_EMIT this->shown(shown);
    if (m_question && !m_question->to)
        answer();
}

void ReplayWorker::ask(const std::optional<LatencyQuestion> &question)
{
    m_question = question;
    if (m_question && m_recording && m_at != ServerTime{})
        answer();
}

void ReplayWorker::answer()
{
    auto picture = std::make_shared<LatencyPicture>();
    picture->question = *m_question;
    LatencySeries series;
    const ServerTime to = m_question->to.value_or(m_at);
    if (m_question->compareBefore)
        picture->compared = periodTo(to - *m_question->compareBefore, &series);
    picture->period = periodTo(to, &series);
    const ServerTime from = picture->period.from - m_question->slot;
    picture->waiters = ranksOf(series, "acquire", from, to);
    picture->holders = ranksOf(series, "hold", from, to);
    picture->programs = series.programs;
    picture->prefixes = series.prefixes;
    Q_EMIT pictureReady(picture);
}

LatencyPeriod ReplayWorker::periodTo(ServerTime to, LatencySeries *series)
{
    const ServerTime from = to - m_question->length;
    *series = seriesOf(from - m_question->slot, to, m_question->slot);
    LatencyPeriod period = periodOf(*series, m_question->kind, from - m_question->slot, to, m_question->slot);
    period.from = from;
    return period;
}

/// Slots are as long as they were recorded, or longer.
LatencySeries ReplayWorker::seriesOf(ServerTime from, ServerTime to, Microseconds slot)
{
    LatencySeries recorded;
    for (const RecordedMark &mark : m_recording->marks(from, to + kMarkedLater, {Kind::Latency}))
        addLatency(mark.body, &recorded);
    LatencySeries series;
    const auto slotOf = [slot](ServerTime time) { return time - time.time_since_epoch() % slot; };
    for (auto &[key, histogram] : recorded.histograms) {
        if (key.slot < from || key.slot >= to)
            continue;
        series.histograms[{key.mode, key.kind, key.outcome, slotOf(key.slot)}].add(histogram);
    }
    for (auto &[key, use] : recorded.uses)
        series.uses[{key.kind, key.program, key.prefix, slotOf(key.slot)}].add(use);
    series.programs = recorded.programs;
    series.prefixes = recorded.prefixes;
    return series;
}

} // namespace lockscope
