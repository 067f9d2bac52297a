// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtCore/QThread>

#include <utility>

namespace lockscope {

/// A thread with an event loop and the one object that works in it: made in the caller's thread, deleted when the
/// thread ends. Thread: that of its creator; nothing blocks but the destructor, which waits for what is in flight.
template<typename Worker>
class WorkerThread
{
public:
    template<typename... Args>
    explicit WorkerThread(const QString &name, Args &&...args)
        : m_worker(new Worker(std::forward<Args>(args)...))
    {
        m_worker->moveToThread(&m_thread);
        m_thread.setObjectName(name);
        QObject::connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
        m_thread.start();
    }
    ~WorkerThread()
    {
        stop();
        m_thread.wait();
    }
    WorkerThread(const WorkerThread &) = delete;
    WorkerThread &operator=(const WorkerThread &) = delete;

    /// For connections, and for functions that any thread may call.
    Worker *worker() const { return m_worker; }
    /// For its signal `finished`.
    const QThread *thread() const { return &m_thread; }

    /// Calls this function of the worker in its thread, after those before.
    template<typename Function, typename... Args>
    void post(Function function, const Args &...args)
    {
        QMetaObject::invokeMethod(
            m_worker, [worker = m_worker, function, args...] { (worker->*function)(args...); }, Qt::QueuedConnection);
    }
    /// Ends the thread without waiting for it.
    void stop() { m_thread.quit(); }
    /// The same, after the calls before.
    void stopAfterCalls()
    {
        QMetaObject::invokeMethod(
            m_worker, [this] { m_thread.quit(); }, Qt::QueuedConnection);
    }

private:
    QThread m_thread;
    Worker *const m_worker;
};

} // namespace lockscope
