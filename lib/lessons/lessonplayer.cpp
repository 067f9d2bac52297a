// SPDX-License-Identifier: MIT
#include "lessonplayer.h"

namespace lockscope {

/// A receiver of calls in the other thread, and what they work on.
struct LessonPlayer::Stage
{
    QObject caller;
    Lesson lesson;
    std::unique_ptr<LessonRun> run;
    qsizetype next = 0; ///< index of the step
};

LessonPlayer::LessonPlayer(QObject *parent)
    : QObject(parent)
    , m_stage(std::make_unique<Stage>())
{
    m_thread.setObjectName(QStringLiteral("lockscope-lessons"));
    m_stage->caller.moveToThread(&m_thread);
}

LessonPlayer::~LessonPlayer()
{
    if (!m_thread.isRunning())
        return; // nothing was ever played
    drop();
    post([this](Stage &stage) {
        stage.run.reset();
        stage.caller.moveToThread(thread()); // to be destroyed with this object
        m_thread.quit();
    });
    m_thread.wait();
}

void LessonPlayer::begin(const FindServer &findServer, const Lesson &lesson, LessonIsolation isolation, qsizetype steps)
{
    drop();
    if (!m_thread.isRunning())
        m_thread.start();
    setBusy(true);
    post([this, order = Order{findServer, lesson, isolation, steps, m_stop.get_token()},
          run = m_run.load()](Stage &stage) { open(stage, order, run); });
}

void LessonPlayer::playNext()
{
    if (m_isBusy)
        return;
    setBusy(true);
    post([this, run = m_run.load()](Stage &stage) {
        play(stage, run);
        tell(run, [this] { setBusy(false); });
    });
}

void LessonPlayer::end()
{
    drop();
    setBusy(false);
    post([](Stage &stage) { stage.run.reset(); });
}

void LessonPlayer::drop()
{
    ++m_run;
    m_stop.request_stop();
    m_stop = {};
}

void LessonPlayer::post(const std::function<void(Stage &)> &work)
{
    QMetaObject::invokeMethod(
        &m_stage->caller, [stage = m_stage.get(), work] { work(*stage); }, Qt::QueuedConnection);
}

/// What is not wanted any more when its turn comes is not begun, and ends before the next step.
void LessonPlayer::open(Stage &stage, const Order &order, quint64 run)
{
    stage.run.reset();
    if (run != m_run)
        return;
    LockError error;
    const auto server = order.findServer(&error);
    if (server)
        stage.run = LessonRun::start(*server, order.lesson, order.isolation, &error);
    stage.lesson = order.lesson;
    stage.next = 0;
    if (!stage.run) {
        tell(run, [this, error] { Q_EMIT failed(error); });
    } else {
        stage.run->stopOn(order.stop);
        tell(run, [this, place = stage.run->place()] { Q_EMIT begun(place); });
        for (qsizetype i = 0; i < order.steps && stage.run && run == m_run; ++i)
            play(stage, run);
    }
    tell(run, [this] { setBusy(false); });
}

void LessonPlayer::play(Stage &stage, quint64 run)
{
    if (!stage.run || stage.next >= stage.lesson.steps.size())
        return;
    LessonMoment moment;
    moment.step = stage.next++;
    moment.result = stage.run->play(stage.lesson.steps.at(moment.step));
    moment.waiting = stage.run->waiting();
    for (const LessonLock &lock : std::as_const(moment.result.locks.locks))
        moment.holders.insert(lock.connection, stage.run->nameOf(lock.connection));
    if (const auto failure = moment.result.failure) {
        stage.run.reset();
        tell(run, [this, failure] { Q_EMIT failed(*failure); });
    } else {
        tell(run, [this, moment] { Q_EMIT played(moment); });
    }
}

/// Comes to this object's thread; nothing, where another run is wanted by then.
void LessonPlayer::tell(quint64 run, const std::function<void()> &news)
{
    QMetaObject::invokeMethod(
        this,
        [this, run, news] {
            if (run == m_run)
                news();
        },
        Qt::QueuedConnection);
}

void LessonPlayer::setBusy(bool isBusy)
{
    if (m_isBusy == isBusy)
        return;
    m_isBusy = isBusy;
    Q_EMIT busyChanged();
}

} // namespace lockscope
