// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtCore/QThread>

#include <memory>
#include <optional>
#include <utility>

namespace lockscope::ui {

/// Runs calls that block, each on a thread of its own, and brings the answer back to the GUI thread.
/// The destructor waits for those still running. GUI thread only.
class BackgroundCalls : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    ~BackgroundCalls() override { waitForAll(); }

    void waitForAll()
    {
        for (QThread *thread : findChildren<QThread *>())
            thread->wait();
    }

    /// Calls `work()` elsewhere, then `done(result)` here unless `context` is gone by then. What the work has with it
    /// ends there too: to let go of a long list takes long.
    template<typename Work, typename Done>
    void run(Work work, QObject *context, Done done)
    {
        const auto result = std::make_shared<std::optional<decltype(work())>>();
        QThread *thread = QThread::create([result, own = std::optional(std::move(work))]() mutable {
            *result = (*own)();
            own.reset();
        });
        thread->setParent(this);
        connect(thread, &QThread::finished, context, [result, done] { done(**result); });
        connect(thread, &QThread::finished, thread, &QObject::deleteLater);
        thread->start();
    }
};

} // namespace lockscope::ui
