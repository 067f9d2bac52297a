// SPDX-License-Identifier: MIT
#include "lessonplayer.h"

namespace lockscope {

/// A receiver of calls in the other thread, and what they work on.
struct LessonPlayer::Stage
{
    QObject caller;
    std::unique_ptr<LessonRun> run;
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

void LessonPlayer::begin(const FindServer &findServer, const Lesson &lesson, LessonIsolation isolation,
                         const QList<LessonStep> &steps)
{
    drop();
    if (!m_thread.isRunning())
        m_thread.start();
    setBusy(true);
    // What a run leaves is of interest whatever is wanted by then.
    const auto onRemains = [this](const LessonRemains &remains) {
        QMetaObject::invokeMethod(
            this, [this, remains] { Q_EMIT leftBehind(remains); }, Qt::QueuedConnection);
    };
    post([this, order = Order{findServer, lesson, isolation, steps, {m_stop.get_token(), onRemains}},
          run = m_run.load()](Stage &stage) { open(stage, order, run); });
}

void LessonPlayer::play(const QList<LessonStep> &steps)
{
    if (m_isBusy)
        return;
    setBusy(true);
    post([this, steps, run = m_run.load()](Stage &stage) {
        play(stage, steps, run);
        tell(run, [this] { setBusy(false); });
    });
}

void LessonPlayer::check(const QString &query)
{
    if (m_isBusy)
        return;
    setBusy(true);
    post([this, query, run = m_run.load()](Stage &stage) {
        LockError error;
        const auto isOne = stage.run ? stage.run->isOne(query, &error) : std::nullopt;
        tell(run, [this, isOne, error] {
            setBusy(false);
            Q_EMIT checked(isOne, error);
        });
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
        stage.run = LessonRun::start(*server, order.lesson, order.isolation, &error, order.orders);
    if (!stage.run) {
        tell(run, [this, error] { Q_EMIT failed(error); });
    } else {
        tell(run, [this, place = stage.run->place()] { Q_EMIT begun(place); });
        play(stage, order.steps, run);
    }
    tell(run, [this] { setBusy(false); });
}

void LessonPlayer::play(Stage &stage, const QList<LessonStep> &steps, quint64 run)
{
    for (const LessonStep &step : steps) {
        if (stage.run && run == m_run)
            playOne(stage, step, run);
    }
}

void LessonPlayer::playOne(Stage &stage, const LessonStep &step, quint64 run)
{
    LessonMoment moment;
    moment.step = step;
    moment.result = stage.run->play(step);
    moment.waiting = stage.run->waiting();
    moment.frozen = stage.run->frozen();
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
