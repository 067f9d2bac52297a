// SPDX-License-Identifier: MIT
#include "lessontrial.h"

namespace lockscope {

LessonTrial::Try::Try(LessonPlayer::FindServer server, LessonIsolation at, bool isInOtherOrder)
    : findServer(std::move(server))
    , isolation(at)
    , isOtherOrder(isInOtherOrder)
{
}

LessonTrial::LessonTrial(QObject *parent)
    : QObject(parent)
    , m_player(new LessonPlayer(this))
{
    connect(m_player, &LessonPlayer::begun, this, [this](const LessonPlace &place) {
        m_tries[m_at].place = place;
        Q_EMIT changed();
    });
    connect(m_player, &LessonPlayer::played, this, [this](const LessonMoment &moment) {
        m_stuck = moment.waiting;
        m_tries[m_at].seen += moment.result.outcome;
        Q_EMIT changed();
    });
    connect(m_player, &LessonPlayer::failed, this, [this](const LockError &error) { endOne({}, error.message); });
    connect(m_player, &LessonPlayer::checked, this,
            [this](std::optional<bool> isOne, const LockError &error) { endOne(isOne, error.message); });
    connect(m_player, &LessonPlayer::leftBehind, this, &LessonTrial::leftBehind);
    connect(m_player, &LessonPlayer::busyChanged, this, &LessonTrial::goOn);
}

void LessonTrial::begin(const QList<Try> &tries, const Lesson &lesson, const QString &query)
{
    m_lesson = lesson;
    m_query = query;
    m_tries = tries;
    m_at = 0;
    beginNext();
}

void LessonTrial::stop()
{
    m_at = m_tries.size();
    m_player->end();
}

void LessonTrial::beginNext()
{
    if (!isRunning()) {
        m_player->end();
        Q_EMIT finished();
        return;
    }
    const Try &next = m_tries.at(m_at);
    m_script = LessonScript(m_lesson);
    m_turns = next.isOtherOrder ? LessonScript::otherOrder(m_lesson) : QStringList();
    m_stuck.clear();
    m_isPlayed = false;
    m_player->begin(next.findServer, m_lesson, next.isolation, {});
}

/// Step by step: whose turn it is depends on who waits.
void LessonTrial::goOn()
{
    if (!isRunning() || m_player->isBusy() || m_isPlayed)
        return;
    if (m_script.takeTurn(&m_turns, m_stuck)) {
        m_player->play({m_script.chosen().constLast()});
        return;
    }
    m_isPlayed = true;
    if (m_query.isEmpty())
        endOne({}, {});
    else
        m_player->check(m_query);
}

void LessonTrial::endOne(std::optional<bool> isOne, const QString &failure)
{
    if (!isRunning())
        return;
    m_isPlayed = true;
    m_tries[m_at].isOne = isOne;
    m_tries[m_at].failure = failure;
    ++m_at;
    Q_EMIT changed();
    // Not within the player's own signal.
    QMetaObject::invokeMethod(this, &LessonTrial::beginNext, Qt::QueuedConnection);
}

} // namespace lockscope
