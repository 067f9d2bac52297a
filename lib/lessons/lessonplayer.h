// SPDX-License-Identifier: MIT
// Plays one lesson at a time in a thread of its own, as far as it is told.
#pragma once

#include "lessonrun.h"

#include <QtCore/QObject>
#include <QtCore/QThread>

#include <atomic>
#include <functional>
#include <stop_token>

namespace lockscope {

/// What a step did, and how things stand after it.
struct LessonMoment
{
    qsizetype step = 0; ///< its index
    LessonStepResult result;
    QStringList waiting;            ///< sessions whose statement waits
    QMap<quint64, QString> holders; ///< the sessions of `result.locks`, by connection
};

/// Thread: its maker's, which must have an event loop. The lesson's sessions live in another one, and end with this.
class LessonPlayer : public QObject
{
    Q_OBJECT
public:
    /// Finds or starts the server to play on; called in the other thread, and may take seconds. None after an error.
    using FindServer = std::function<std::optional<SessionTarget>(LockError *)>;

    explicit LessonPlayer(QObject *parent = nullptr);
    /// Ends the step that is played, and waits for its end.
    ~LessonPlayer() override;

    /// Another run, of the first `steps` steps; the one before ends, and nothing more is told of it.
    void begin(const FindServer &findServer, const Lesson &lesson, LessonIsolation isolation, qsizetype steps);
    /// The next step of this run. Only while it is not busy.
    void playNext();
    /// Ends the run and what it has on the server.
    void end();
    bool isBusy() const { return m_isBusy; }

Q_SIGNALS:
    void begun(const lockscope::LessonPlace &place);
    void played(const lockscope::LessonMoment &moment);
    /// The run has ended with it.
    void failed(const lockscope::LockError &error);
    /// `isBusy` has changed.
    void busyChanged();

private:
    /// Of the other thread.
    struct Stage;
    struct Order
    {
        FindServer findServer;
        Lesson lesson;
        LessonIsolation isolation = LessonIsolation::RepeatableRead;
        qsizetype steps = 0;
        std::stop_token stop = {};
    };

    /// Nothing more of the run so far is wanted.
    void drop();
    void post(const std::function<void(Stage &)> &work);
    void open(Stage &stage, const Order &order, quint64 run);
    void play(Stage &stage, quint64 run);
    void tell(quint64 run, const std::function<void()> &news);
    void setBusy(bool isBusy);

    std::atomic<quint64> m_run = 0; ///< the number of the run that is wanted
    std::stop_source m_stop;        ///< of that run
    bool m_isBusy = false;
    QThread m_thread;
    std::unique_ptr<Stage> m_stage; ///< made here, used and destroyed in the thread
};

} // namespace lockscope
