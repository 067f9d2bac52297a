// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lesson.h"
#include "ui/widgets/headedmodel.h"

#include <QtCore/QAbstractTableModel>

namespace lockscope::ui {

/// What articles tell about locks, with what is true about it and the lesson that shows it.
class LessonClaimModel : public HeadedModel<QAbstractTableModel>
{
    Q_OBJECT
public:
    enum Column { Claim, Verdict, ColumnCount };
    enum Role {
        SearchRole = Qt::UserRole + 100, ///< all words that it is found by
        LessonRole                       ///< the lesson's id
    };

    explicit LessonClaimModel(QObject *parent);

    /// Those of these lessons behind what is there.
    void add(const QList<Lesson> &lessons);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Row
    {
        LessonClaim claim;
        QString lesson;
        QString title;
    };

    QList<Row> m_rows;
};

} // namespace lockscope::ui
