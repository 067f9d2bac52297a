// SPDX-License-Identifier: MIT
#pragma once

#include "lessonplayback.h"
#include "lessontransport.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace lockscope::ui {

class FreePlayBar;
class IndexRuler;
class LessonCompareBox;
class LessonExerciseBox;
class LessonLanes;
class LessonLockModel;
class LessonMomentBox;
class LessonProse;
class LessonQuestionBox;
class LessonTimeline;
class LinkLabel;

/// One lesson: what it says, its steps, what is locked, its questions and exercises, and what plays it.
class LessonStage : public QWidget
{
    Q_OBJECT
public:
    using FindServer = LessonPlayer::FindServer;

    /// `findServer` is asked before each run; what it names must outlive this. `atTheTop` stands beside what is played,
    /// and is owned from now on.
    LessonStage(std::function<FindServer()> findServer, QWidget *atTheTop, QWidget *parent);
    ~LessonStage() override;

    LessonPlayback *playback() const { return m_play; }
    const Lesson &lesson() const { return m_play->lesson(); }
    LessonTransport *transport() const { return m_transport; }
    LessonLockModel *locks() const;
    IndexRuler *ruler() const;
    LessonLanes *lanes() const { return m_lanes; }
    LessonTimeline *timeline() const { return m_timeline; }
    LessonQuestionBox *question() const { return m_question; }
    LessonProse *prose() const { return m_prose; }
    FreePlayBar *freePlay() const { return m_free; }
    LessonExerciseBox *exercise() const { return m_exercise; }
    LessonCompareBox *comparison() const { return m_comparison; }
    QComboBox *isolationBox() const { return m_isolation; }
    QString state() const;

    /// `key` is by what its answers are kept.
    void setLesson(const Lesson &lesson, const QString &key);
    /// Nothing is played or shown.
    void clear();
    void next();
    /// Replays the lesson in a fresh schema up to the step before.
    void back();
    /// Replays it so far; then it is asked again what is to be foreseen.
    void playTo(qsizetype count);
    /// Goes on with what another one of the same lesson shows, and holds the servers that it holds.
    void takeOver(const LessonStage *other);

Q_SIGNALS:
    /// Something is played; what was said of what was before is over.
    void begins();
    void allPlayed();
    void answered();
    /// The lesson is none for this server.
    void refused(const QString &why);
    void failed(const lockscope::LockError &error);
    /// A run, this one or one before it, has left this on its server.
    void leftBehind(const lockscope::LessonRemains &remains);
    /// What was played is to become a lesson of one's own.
    void keepRequested();
    /// Another lesson, by its name.
    void lessonRequested(const QString &id);
    /// Of the lab, with the mode to run it in: one of Lesson::scenarios.
    void scenarioRequested(const QString &link);

private:
    QWidget *makeSteps();
    QWidget *makeParts();
    void layOut(QWidget *atTheTop);
    void connectTransport();
    void connectPlayer();
    void stopGoingOn();
    void playOnTo(qsizetype steps);
    void playOn();
    void onAnswered(bool isRight);
    void onBegun(const LessonPlace &place);
    void onPlayed();
    void onFailed(const LockError &error);
    void askIfDue();
    void showLinks();
    void showState();
    void showTimeline();
    void showMoment();
    void showNextStep();
    void showProse();
    bool looksBack() const;
    QString progress() const;
    LessonStepModel *steps() const { return m_play->steps(); }

    LessonPlayback *m_play;
    QLabel *m_title;
    LinkLabel *m_scenarios;
    LessonProse *m_prose;
    LessonTransport *m_transport;
    FreePlayBar *m_free;
    LessonExerciseBox *m_exercise;
    LessonCompareBox *m_comparison;
    QComboBox *m_isolation;
    QLabel *m_state;
    LessonLanes *m_lanes;
    LessonQuestionBox *m_question;
    LessonTimeline *m_timeline;
    LessonMomentBox *m_moment;
    QString m_key;
    qsizetype m_wanted = 0;       ///< so many steps are to be played, without being asked again
    qsizetype m_answeredFor = -1; ///< the step before which the question was answered
};

} // namespace lockscope::ui
