// SPDX-License-Identifier: MIT
#include "lessonplayback.h"

#include <algorithm>

namespace lockscope::ui {

LessonPlayback::LessonPlayback(std::function<FindServer()> findServer, QObject *parent)
    : QObject(parent)
    , m_findServer(std::move(findServer))
    , m_player(new LessonPlayer(this))
    , m_steps(new LessonStepModel(this))
{
    connect(m_player, &LessonPlayer::begun, this, [this](const LessonPlace &place) {
        m_steps->begin(place);
        Q_EMIT begun(place);
        Q_EMIT changed();
    });
    connect(m_player, &LessonPlayer::played, this, &LessonPlayback::onPlayed);
    connect(m_player, &LessonPlayer::checked, this, &LessonPlayback::checked);
    connect(m_player, &LessonPlayer::failed, this, [this](const LockError &error) {
        m_hasBegun = false;
        LessonScript script = m_steps->script(); // not that step again with the next one
        script.keep(playedCount());
        m_steps->setScript(script);
        Q_EMIT failed(error);
    });
    connect(m_player, &LessonPlayer::leftBehind, this, &LessonPlayback::leftBehind);
    connect(m_player, &LessonPlayer::busyChanged, this, &LessonPlayback::changed);
}

void LessonPlayback::setLesson(const Lesson &lesson)
{
    end();
    m_steps->setLesson(lesson);
    Q_EMIT changed();
}

void LessonPlayback::end()
{
    m_player->end();
    m_hasBegun = false;
}

bool LessonPlayback::canGoOn() const
{
    LessonScript script = m_steps->script();
    return script.takeNext(m_steps->stuck());
}

bool LessonPlayback::isAllPlayed() const
{
    return m_steps->script().left().isEmpty() && playedCount() == m_steps->script().chosen().size()
        && m_steps->stuck().isEmpty();
}

void LessonPlayback::playTo(qsizetype count)
{
    LessonScript script = m_steps->script();
    script.keep(count);
    while (script.chosen().size() < count && script.takeNext()) { }
    m_steps->setScript(script);
    replay();
}

void LessonPlayback::takeOver(const LessonPlayback *other)
{
    m_isolation = other->m_isolation;
    if (other->playedCount() == 0)
        return;
    m_steps->setScript(other->m_steps->script());
    replay();
}

/// What was chosen, in a fresh schema.
void LessonPlayback::replay()
{
    m_hasBegun = true;
    m_steps->begin(m_steps->place());
    m_player->begin(m_findServer(), lesson(), m_isolation, m_steps->script().chosen());
    Q_EMIT changed();
}

/// Its last step is new.
void LessonPlayback::choose(const LessonScript &script)
{
    m_steps->setScript(script);
    if (m_hasBegun)
        m_player->play({script.chosen().constLast()});
    else
        replay();
}

void LessonPlayback::next()
{
    LessonScript script = m_steps->script();
    if (!isBusy() && script.takeNext(m_steps->stuck()))
        choose(script);
}

void LessonPlayback::turn(const QString &session)
{
    LessonScript script = m_steps->script();
    if (!isBusy() && script.take(session))
        choose(script);
}

void LessonPlayback::add(const LessonStep &step)
{
    if (isBusy())
        return;
    LessonScript script = m_steps->script();
    script.add(step);
    choose(script);
}

void LessonPlayback::onPlayed(const LessonMoment &moment)
{
    const LessonMoment before = m_steps->moments().isEmpty() ? LessonMoment() : m_steps->moments().constLast();
    m_steps->add(moment);
    Q_EMIT played(moment, before);
    Q_EMIT changed();
}

} // namespace lockscope::ui
