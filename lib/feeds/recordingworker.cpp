// SPDX-License-Identifier: MIT
#include "recordingworker.h"

#include <QtCore/QThread>

#include <algorithm>

namespace lockscope {

RecordingWorker::RecordingWorker(const SessionTarget &target, const RecordingOptions &options)
    : m_target(target)
    , m_options(options)
    , m_timer(this)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &RecordingWorker::look);
}

RecordingWorker::~RecordingWorker()
{
    if (m_recorder)
        m_recorder->end();
}

void RecordingWorker::start()
{
    QString error;
    auto writer = RecordingWriter::open(m_options, m_target.url.toString(), &error);
    if (!writer) {
        Q_EMIT failed(error);
        return;
    }
    m_recorder.emplace(m_options, std::move(writer));
    m_poll.setTarget(m_target);
    look();
}

void RecordingWorker::finish()
{
    m_timer.stop();
    const QString failure = m_recorder ? m_recorder->end() : QString();
    m_recorder.reset();
    Q_EMIT ended(failure);
    thread()->quit();
}

void RecordingWorker::look()
{
    const auto error = m_recorder->look(&m_poll);
    const RecorderStatus status = m_recorder->status();
    if (status.isOver) {
        m_recorder.reset();
        Q_EMIT failed(status.failure);
        return;
    }
    Q_EMIT advanced(status, error ? error->message : status.failure);
    const auto next = m_poll.pace().next();
    if (!next) {
        Q_EMIT failed(error ? error->message : QString());
        return;
    }
    using std::chrono::milliseconds;
    m_timer.start(std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*next - PollPace::Clock::now())));
}

} // namespace lockscope
