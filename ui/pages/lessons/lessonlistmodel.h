// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonlibrary.h"
#include "ui/widgets/headedmodel.h"

#include <QtCore/QAbstractTableModel>
#include <QtCore/QSet>

namespace lockscope::ui {

/// The library: the course in its order, then the other lessons. Which of them were played to the end is kept.
class LessonListModel : public HeadedModel<QAbstractTableModel>
{
    Q_OBJECT
public:
    enum Column { Number, Title, Level, ColumnCount };
    enum Role { SearchRole = Qt::UserRole + 100 }; ///< all words that it is found by

    explicit LessonListModel(QObject *parent);

    /// Reads all of them, once: that takes a tenth of a second. In this language where they are there in it.
    void load(const QString &language);
    const Lesson &lesson(int row) const { return m_lessons[row]; }
    const QList<Lesson> &lessons() const { return m_lessons; }
    /// "12 of 51 of the course played"; empty before they are read.
    QString progress() const;
    /// -1: there is none.
    int rowOf(const QString &id) const;
    void setPlayed(const QString &id);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QString text(const Lesson &lesson, int column) const;

    QList<Lesson> m_lessons;
    QSet<QString> m_played; ///< ids
};

} // namespace lockscope::ui
