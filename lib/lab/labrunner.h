// SPDX-License-Identifier: MIT
#pragma once

#include "labrun.h"

#include <QtCore/QObject>
#include <QtCore/QThread>

namespace lockscope {

/// What a run tells somebody who may be slower than it: the newest counts, and of the events no more than are said.
/// Thread: any.
class LabMailbox
{
public:
    static constexpr qsizetype MostEvents = 200'000;

    /// True: nothing waited, so somebody has to be told that something does.
    bool put(LabProgress progress);
    LabProgress take();

private:
    std::mutex m_mutex;
    std::optional<LabProgress> m_waiting;
};

/// Runs plans one after the other beside the thread that watches them. Thread: that of its creator; every call returns
/// at once, every signal arrives through the event loop. The destructor stops the run and waits for it, a second or so.
class LabRunner : public QObject
{
    Q_OBJECT
public:
    explicit LabRunner(QObject *parent = nullptr);
    ~LabRunner() override;

    bool isRunning() const { return m_thread != nullptr; }
    /// Does nothing while a run goes on.
    void start(const QList<LabPlan> &plans, LabPlace place);
    /// Keeps what there is so far; plans that have not begun are left out.
    void stop();
    /// To the run that goes on.
    void inject(const LabFault &fault);

Q_SIGNALS:
    void begun(const lockscope::LabPlan &plan);
    void progressed(const lockscope::LabProgress &progress);
    void ended(const lockscope::LabResult &result);
    /// After the last one.
    void finished();

private:
    std::stop_source m_stop;
    std::shared_ptr<LabCommands> m_commands;
    QThread *m_thread = nullptr; ///< child, while it runs
};

} // namespace lockscope
