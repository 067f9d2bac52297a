// SPDX-License-Identifier: MIT
#pragma once

#include "lessonplayback.h"
#include "lessontransport.h"
#include "playserver.h"
#include "ui/pages/page.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTextBrowser;

namespace lockscope::ui {

class FreePlayBar;
class IndexRuler;
class LessonAutoPlay;
class LessonCompareBox;
class LessonExerciseBox;
class LessonFaultBox;
class LessonLanes;
class LessonLibraryBox;
class LessonLockModel;
class LessonMomentBox;
class LessonQuestionBox;
class LinkLabel;
class LessonTimeline;
class LiveTableView;

/// Lessons: two or more sessions on a real server, statement by statement, with who waits for whom and what is locked.
/// They play on the private server alone, which is started when it is needed.
class LessonsPage : public Page
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the page.
    explicit LessonsPage(ServerConnection *connection, QWidget *parent = nullptr);
    ~LessonsPage() override;

    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    QStringList exportFormats() const override;
    QByteArray exported(const QString &format) const override;

    QString exportName() const override;

    LessonLibraryBox *library() const { return m_library; }
    LessonFaultBox *fault() const { return m_fault; }
    LessonStepModel *steps() const { return m_play->steps(); }
    LessonLockModel *locks() const;
    IndexRuler *ruler() const;
    LessonLanes *lanes() const { return m_lanes; }
    LessonTimeline *timeline() const { return m_timeline; }
    LessonQuestionBox *question() const { return m_question; }
    QPushButton *nextButton() const { return m_transport->nextButton(); }
    QPushButton *backButton() const { return m_transport->backButton(); }
    LessonAutoPlay *autoPlay() const { return m_transport->autoPlay(); }
    QPushButton *freeButton() const { return m_transport->freeButton(); }
    FreePlayBar *freePlay() const { return m_free; }
    QPushButton *exerciseButton() const { return m_transport->exerciseButton(); }
    LessonExerciseBox *exercise() const { return m_exercise; }
    LessonCompareBox *comparison() const { return m_comparison; }
    QComboBox *isolationBox() const { return m_isolation; }
    QString state() const;
    bool isBusy() const { return m_play->isBusy(); }
    QTextBrowser *prose() const { return m_prose; }
    /// By its name, or the path of a file of one's own that is listed; nothing, when there is no such lesson.
    void open(const QString &key);
    void next();
    /// Replays the lesson in a fresh schema up to the step before.
    void back();
    /// Writes what was played as the file of a lesson, and says so.
    void keepAs(const QString &file);
    /// Goes on with what another page, which is about to go, shows.
    void takeOver(LessonsPage *other);

Q_SIGNALS:
    /// Of the lab, by its name.
    void scenarioRequested(const QString &name);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void askWhereToKeep();
    void showLibrary(bool shown);
    QWidget *makeLesson();
    QWidget *makeSteps();
    void connectTransport();
    void connectPlayer();
    void showLesson(const Lesson &lesson);
    void showFault(const LessonFile &file);
    void playTo(qsizetype count);
    void playOnTo(qsizetype steps);
    void playOn();
    void onAnswered(bool isRight);
    void onBegun(const LessonPlace &place);
    void onPlayed();
    void onFailed(const LockError &error);
    void showState();
    void showTimeline();
    void showMoment();
    void showProse();
    QString proseOf(qsizetype step) const;
    bool looksBack() const;
    void askIfDue();
    void showNextStep();
    QString progress() const;

    PlayServer m_server; ///< ends after what plays on it
    LessonPlayback *m_play;
    LessonLibraryBox *m_library;
    QPushButton *m_libraryButton;
    LessonFaultBox *m_fault;
    QStackedWidget *m_stage; ///< the lesson, or what is wrong with its file
    QLabel *m_title;
    LinkLabel *m_scenarios;
    QTextBrowser *m_prose;
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
    QString m_proseShown;
    qsizetype m_wanted = 0;       ///< so many steps are to be played, without being asked again
    qsizetype m_answeredFor = -1; ///< the step before which the question was answered
};

} // namespace lockscope::ui
