// SPDX-License-Identifier: MIT
#pragma once

#include "lessonstepmodel.h"

namespace lockscope::ui {

/// How far a lesson is played, in which order, and where it goes on: what the buttons of the page do.
class LessonPlayback : public QObject
{
    Q_OBJECT
public:
    using FindServer = LessonPlayer::FindServer;

    /// `findServer` is asked before each run, and what it returns in the player's thread.
    LessonPlayback(std::function<FindServer()> findServer, QObject *parent);

    LessonStepModel *steps() const { return m_steps; }
    const Lesson &lesson() const { return m_steps->lesson(); }
    /// Ends the run.
    void setLesson(const Lesson &lesson);
    /// For the runs to come.
    void setIsolation(LessonIsolation isolation) { m_isolation = isolation; }
    LessonIsolation isolation() const { return m_isolation; }

    bool isBusy() const { return m_player->isBusy(); }
    /// There is a run.
    bool hasBegun() const { return m_hasBegun; }
    qsizetype playedCount() const { return m_steps->moments().size(); }
    /// Something of the lesson is left that can be played.
    bool canGoOn() const;
    /// Everything was played, and nobody waits any more.
    bool isAllPlayed() const;

    /// The lesson's next step that can be played.
    void next();
    /// In a fresh schema: of what was chosen the first `count` steps, and where these are fewer the lesson's next ones.
    void playTo(qsizetype count);
    /// The session's next statement of the lesson.
    void turn(const QString &session);
    /// A statement or a fault that is not of the lesson.
    void add(const LessonStep &step);
    /// Whether the query is 1 now; `checked` tells.
    void check(const QString &query) { m_player->check(query); }
    /// Replays what another one of the same lesson has played.
    void takeOver(const LessonPlayback *other);
    /// Ends the run and what it has on the server.
    void end();

Q_SIGNALS:
    void begun(const lockscope::LessonPlace &place);
    void played(const lockscope::LessonMoment &moment, const lockscope::LessonMoment &before);
    void checked(std::optional<bool> isOne, const lockscope::LockError &error);
    /// The run has ended with it.
    void failed(const lockscope::LockError &error);
    /// A run, this one or one before it, has left this on its server.
    void leftBehind(const lockscope::LessonRemains &remains);
    /// Any of the above, and whether it is busy.
    void changed();

private:
    void replay();
    void choose(const LessonScript &script);
    void onPlayed(const LessonMoment &moment);

    const std::function<FindServer()> m_findServer;
    LessonPlayer *m_player;
    LessonStepModel *m_steps;
    LessonIsolation m_isolation = LessonIsolation::RepeatableRead;
    bool m_hasBegun = false;
};

} // namespace lockscope::ui
