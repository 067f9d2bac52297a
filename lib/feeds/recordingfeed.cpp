// SPDX-License-Identifier: MIT
#include "recordingfeed.h"

#include "recordingworker.h"

namespace lockscope {

RecordingFeed::RecordingFeed(const SessionTarget &target, const RecordingOptions &options, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("lockscope-record"), target, options)
{
    connect(m_thread.worker(), &RecordingWorker::advanced, this, &RecordingFeed::advanced);
    connect(m_thread.worker(), &RecordingWorker::failed, this, &RecordingFeed::failed);
    connect(m_thread.worker(), &RecordingWorker::ended, this, &RecordingFeed::ended);
    connect(m_thread.thread(), &QThread::finished, this, &RecordingFeed::stopped);
    m_thread.post(&RecordingWorker::start);
}

RecordingFeed::~RecordingFeed() = default;

void RecordingFeed::stop()
{
    m_thread.post(&RecordingWorker::finish);
}

} // namespace lockscope
