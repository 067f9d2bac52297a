// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonfile.h"
#include "ui/widgets/headedmodel.h"

#include <QtCore/QAbstractTableModel>
#include <QtCore/QSet>

namespace lockscope::ui {

/// The lessons that there are: those of one's own, then the library, which is the course in its order and what does not
/// belong to it. Which of them were played to the end is kept.
class LessonListModel : public HeadedModel<QAbstractTableModel>
{
    Q_OBJECT
public:
    enum Column { Number, Title, Level, ColumnCount };
    enum Role { SearchRole = Qt::UserRole + 100 }; ///< all words that it is found by

    explicit LessonListModel(QObject *parent);

    /// Reads all of them, once: that takes a tenth of a second. In this language where they are there in it.
    void load(const QString &language);
    /// What stands in place of a number beside those of one's own.
    static QString own();
    /// Those of the library.
    const QList<Lesson> &lessons() const { return m_lessons; }
    /// The lesson of a row; of a faulty file one without steps.
    const Lesson &lesson(int row) const;
    /// By what it is chosen, remembered and counted: the path of one's own, a name of the library.
    QString key(int row) const;
    /// Null: of the library.
    const LessonFile *file(int row) const { return row < m_files.size() ? &m_files[row] : nullptr; }
    /// As it is now; behind the others of one's own if it is new. Its row.
    int setFile(const LessonFile &file);
    void removeFile(const QString &path);
    /// "12 of 51 of the course played"; empty before they are read.
    QString progress() const;
    /// -1: there is none.
    int rowOf(const QString &key) const;
    void setPlayed(const QString &key);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QString text(int row, int column) const;
    QString titleOf(int row) const;
    QString tipOf(int row) const;
    QVariant markOf(int row) const;
    QString wordsOf(int row) const;

    QList<LessonFile> m_files;
    QList<Lesson> m_lessons;
    QSet<QString> m_played; ///< keys
};

} // namespace lockscope::ui
