// SPDX-License-Identifier: MIT
#pragma once

#include "lessonscore.h"

#include <QtWidgets/QWidget>

class QSortFilterProxyModel;
class QTableView;
class QTabWidget;

namespace lockscope::ui {

class FilterEdit;
class LessonClaimModel;
class LessonListModel;
class LinkLabel;
class LiveTableView;
class MutedLabel;

/// The lessons to choose from, by themselves or by what articles say, found by any word of theirs; how much of the
/// course was played, how many steps were foreseen, and which were not.
class LessonLibraryBox : public QWidget
{
    Q_OBJECT
public:
    explicit LessonLibraryBox(QWidget *parent = nullptr);

    LiveTableView *list() const { return m_view; }
    QTableView *claims() const { return m_claimView; }
    QTabWidget *tabs() const { return m_tabs; }
    LinkLabel *again() const { return m_again; }
    /// How far the course was played, and how many steps were foreseen.
    QString progress() const;
    /// Reads the lessons, once: that takes a tenth of a second.
    void load();
    /// Chooses the first one, unless one is chosen.
    void chooseAny();
    /// Chooses one by its name; nothing, when there is no such lesson.
    void choose(const QString &id);
    void setPlayed(const QString &id);
    void takeFilter();
    /// After an answer.
    void showScore();

Q_SIGNALS:
    void chosen(const lockscope::Lesson &lesson);
    /// After its lesson was chosen: the question is to be asked again.
    void askedAgain(qsizetype number);

private:
    void setupLessons();
    void setupClaims();
    void filterBy(const QString &text);
    void askAgain();

    LessonListModel *m_model;
    QSortFilterProxyModel *m_filtered;
    LessonClaimModel *m_claims;
    QSortFilterProxyModel *m_filteredClaims;
    FilterEdit *m_filter;
    QTabWidget *m_tabs;
    LiveTableView *m_view;
    QTableView *m_claimView;
    MutedLabel *m_progress;
    MutedLabel *m_score;
    LinkLabel *m_again;
};

} // namespace lockscope::ui
