// SPDX-License-Identifier: MIT
#include "recordingfeed.h"

#include "recordingworker.h"

namespace lockscope {

RecordingFeed::RecordingFeed(SessionTarget target, const RecordingOptions &options, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("lockscope-record"), std::move(target), options)
{
    connect(m_thread.worker(), &RecordingWorker::advanced, this, &RecordingFeed::advanced);
    connect(m_thread.worker(), &RecordingWorker::failed, this, &RecordingFeed::failed);
    connect(m_thread.thread(), &QThread::finished, this, &RecordingFeed::stopped);
    m_thread.post(&RecordingWorker::start);
}

RecordingFeed::~RecordingFeed() = default;

} // namespace lockscope
