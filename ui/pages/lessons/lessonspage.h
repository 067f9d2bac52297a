// SPDX-License-Identifier: MIT
#pragma once

#include "lessonstage.h"
#include "playserver.h"
#include "ui/pages/page.h"

class QStackedWidget;

namespace lockscope {
struct LessonFile;
}

namespace lockscope::ui {

class LessonAutoPlay;
class LessonFaultBox;
class LessonLibraryBox;

/// Lessons: two or more sessions on a real server, statement by statement, with who waits for whom and what is locked.
/// They play on the private server, which is started when it is needed; side by side on another one too, where the user
/// chooses it.
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
    QString exportName() const override;
    QByteArray exported(const QString &format) const override;

    LessonLibraryBox *library() const { return m_library; }
    LessonFaultBox *fault() const { return m_fault; }
    LessonStage *stage() const { return m_stage; }
    LessonStepModel *steps() const { return m_stage->playback()->steps(); }
    LessonLockModel *locks() const { return m_stage->locks(); }
    IndexRuler *ruler() const { return m_stage->ruler(); }
    LessonLanes *lanes() const { return m_stage->lanes(); }
    LessonTimeline *timeline() const { return m_stage->timeline(); }
    LessonQuestionBox *question() const { return m_stage->question(); }
    QPushButton *nextButton() const { return m_stage->transport()->nextButton(); }
    QPushButton *backButton() const { return m_stage->transport()->backButton(); }
    LessonAutoPlay *autoPlay() const { return m_stage->transport()->autoPlay(); }
    QPushButton *freeButton() const { return m_stage->transport()->freeButton(); }
    FreePlayBar *freePlay() const { return m_stage->freePlay(); }
    QPushButton *exerciseButton() const { return m_stage->transport()->exerciseButton(); }
    LessonExerciseBox *exercise() const { return m_stage->exercise(); }
    LessonCompareBox *comparison() const { return m_stage->comparison(); }
    QComboBox *isolationBox() const { return m_stage->isolationBox(); }
    LessonProse *prose() const { return m_stage->prose(); }
    QString state() const { return m_stage->state(); }
    bool isBusy() const { return m_stage->playback()->isBusy(); }
    /// By its name, or the path of a file of one's own that is listed; nothing, when there is no such lesson.
    void open(const QString &key);
    void next() { m_stage->next(); }
    void back() { m_stage->back(); }
    /// Writes what was played as the file of a lesson, and says so.
    void keepAs(const QString &file);
    /// Goes on with what another page, which is about to go, shows.
    void takeOver(LessonsPage *other);

Q_SIGNALS:
    /// Of the lab, with the mode to run it in: one of Lesson::scenarios.
    void scenarioRequested(const QString &link);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void connectLibrary();
    void connectStage();
    void askWhereToKeep();
    void showLibrary(bool shown);
    void showLesson(const Lesson &lesson);
    void showFault(const LessonFile &file);

    PlayServer m_server; ///< ends after what plays on it
    LessonLibraryBox *m_library;
    QPushButton *m_libraryButton;
    LessonStage *m_stage;
    LessonFaultBox *m_fault;
    QStackedWidget *m_shown; ///< the lesson, or what is wrong with its file
};

} // namespace lockscope::ui
