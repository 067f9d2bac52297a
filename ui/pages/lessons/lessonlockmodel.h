// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"
#include "ui/widgets/headedmodel.h"

#include <QtCore/QAbstractTableModel>

namespace lockscope::ui {

/// The row locks after a step, and which of them it added or took away.
class LessonLockModel : public HeadedModel<QAbstractTableModel>
{
    Q_OBJECT
public:
    enum Column { Session, Table, Index, Strength, Reach, Key, State, ColumnCount };

    explicit LessonLockModel(QObject *parent = nullptr);

    void clear() { show({}, {}); }
    void show(const LessonMoment &moment, const LessonMoment &before);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    enum class Change { None, Added, Gone };
    struct Row
    {
        LessonLock lock;
        QString session;
        Change change = Change::None;
    };

    QString text(const Row &row, int column) const;

    QList<Row> m_rows;
};

} // namespace lockscope::ui
