// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lesson.h"

#include <QtWidgets/QWidget>

class QSortFilterProxyModel;

namespace lockscope::ui {

class FilterEdit;
class LessonListModel;
class LiveTableView;
class MutedLabel;

/// The lessons to choose from, found by any of their words, and how many steps were foreseen.
class LessonLibraryBox : public QWidget
{
    Q_OBJECT
public:
    explicit LessonLibraryBox(QWidget *parent = nullptr);

    LiveTableView *list() const { return m_view; }
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

private:
    LessonListModel *m_model;
    QSortFilterProxyModel *m_filtered;
    FilterEdit *m_filter;
    LiveTableView *m_view;
    MutedLabel *m_score;
};

} // namespace lockscope::ui
