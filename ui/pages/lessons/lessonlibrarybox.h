// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonfile.h"
#include "lessonscore.h"

#include <QtWidgets/QWidget>

class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QTabWidget;

namespace lockscope::ui {

class FilterEdit;
class LessonClaimModel;
class LessonFileBar;
class LessonListModel;
class LinkLabel;
class LiveTableView;
class MutedLabel;

/// The lessons to choose from, by themselves or by what articles say, found by any word of theirs; how much of the
/// course was played, how many steps were foreseen, and which were not. Files of one's own are among them.
class LessonLibraryBox : public QWidget
{
    Q_OBJECT
public:
    explicit LessonLibraryBox(QWidget *parent = nullptr);

    LiveTableView *list() const { return m_view; }
    QTableView *claims() const { return m_claimView; }
    QTabWidget *tabs() const { return m_tabs; }
    FilterEdit *filter() const { return m_filter; }
    LinkLabel *again() const { return m_again; }
    LessonFileBar *files() const { return m_files; }
    /// How far the course was played, and how many steps were foreseen.
    QString progress() const;
    /// Reads the lessons, once: that takes a tenth of a second.
    void load();
    /// Chooses the first one of the library, unless one is chosen.
    void chooseAny();
    /// Chooses one by its name or, of one's own, by the file's path; nothing, when there is no such lesson.
    void choose(const QString &key);
    /// The same of the one that is chosen; empty: none.
    const QString &current() const { return m_current; }
    /// Lists a lesson of one's own, from then on.
    void addFile(const QString &path);
    /// Reads the one that is chosen from its file again.
    void readAgain();
    /// The file stays.
    void takeOff(const QString &path);
    void setPlayed(const QString &key);
    void takeFilter();
    /// After an answer.
    void showScore();

Q_SIGNALS:
    void chosen(const lockscope::Lesson &lesson);
    /// One of one's own that cannot be played.
    void refused(const lockscope::LessonFile &file);
    /// After its lesson was chosen: the question is to be asked again.
    void askedAgain(qsizetype number);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void setupTabs();
    void setupLessons();
    void setupClaims();
    QStackedWidget *withEmpty(QWidget *list, const QString &headline);
    void filterBy(const QString &text);
    void openFound();
    void onChosen(const QModelIndex &current);
    void readIfEdited();
    void openFiles(const QStringList &paths);
    void askAgain();

    LessonListModel *m_model;
    QSortFilterProxyModel *m_filtered;
    LessonClaimModel *m_claims;
    QSortFilterProxyModel *m_filteredClaims;
    FilterEdit *m_filter;
    QTabWidget *m_tabs;
    LiveTableView *m_view;
    QTableView *m_claimView;
    LessonFileBar *m_files;
    MutedLabel *m_progress;
    MutedLabel *m_score;
    LinkLabel *m_again;
    QString m_current;       ///< a key; also while the filter hides it
    bool m_hasMoved = false; ///< another row was chosen since the filter changed
};

} // namespace lockscope::ui
