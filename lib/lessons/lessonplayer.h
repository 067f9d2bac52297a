// SPDX-License-Identifier: MIT
// Plays steps of one lesson at a time, those it is told, in a thread of its own.
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
    LessonStep step;
    LessonStepResult result;
    QStringList waiting;            ///< sessions whose statement waits
    QStringList frozen;             ///< sessions whose clients stand still
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

    /// Another run in the lesson's schema, of these steps; the one before ends, and nothing more is told of it.
    void begin(const FindServer &findServer, const Lesson &lesson, LessonIsolation isolation,
               const QList<LessonStep> &steps);
    /// Further steps of this run. Only while it is not busy.
    void play(const QList<LessonStep> &steps);
    /// Whether this query answers 1 now. Only while it is not busy.
    void check(const QString &query);
    /// Ends the run and what it has on the server.
    void end();
    bool isBusy() const { return m_isBusy; }

Q_SIGNALS:
    void begun(const lockscope::LessonPlace &place);
    void played(const lockscope::LessonMoment &moment);
    /// None where the query failed with `error`, which does not end the run.
    void checked(std::optional<bool> isOne, const lockscope::LockError &error);
    /// A run that has ended, by itself or not, left this on its server; so did one before it.
    void leftBehind(const lockscope::LessonRemains &remains);
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
        QList<LessonStep> steps;
        LessonOrders orders = {};
    };

    /// Nothing more of the run so far is wanted.
    void drop();
    void post(const std::function<void(Stage &)> &work);
    void open(Stage &stage, const Order &order, quint64 run);
    void play(Stage &stage, const QList<LessonStep> &steps, quint64 run);
    void playOne(Stage &stage, const LessonStep &step, quint64 run);
    void tell(quint64 run, const std::function<void()> &news);
    void setBusy(bool isBusy);

    std::atomic<quint64> m_run = 0; ///< the number of the run that is wanted
    std::stop_source m_stop;        ///< of that run
    bool m_isBusy = false;
    QThread m_thread;
    std::unique_ptr<Stage> m_stage; ///< made here, used and destroyed in the thread
};

} // namespace lockscope
