// SPDX-License-Identifier: MIT
#pragma once

#include "locks/lockgroups.h"
#include "ui/widgets/mergedmodel.h"

#include <QtWidgets/QWidget>

class QComboBox;

namespace lockscope::ui {

class LiveTableView;

/// Groups of locks with how many they have; the first row stands for all of them.
class LockGroupModel : public MergedModel<LockGroup>
{
    Q_OBJECT
public:
    enum Column { NameColumn, LocksColumn, WaitingColumn, ColumnCount };
    Q_ENUM(Column)

    explicit LockGroupModel(QObject *parent = nullptr);

    void show(const QList<LockGroup> &groups, LockGrouping grouping);
    QVariant data(const QModelIndex &index, int role) const override;

protected:
    bool isSame(const LockGroup &a, const LockGroup &b) const override { return a.name == b.name; }

private:
    QString nameOf(const QModelIndex &index) const;

    LockGrouping m_grouping = LockGrouping::None;
};

/// The list of groups beside the list of locks, and the choice of what they are made by. Hidden while there are none.
class LockGroupList : public QWidget
{
    Q_OBJECT
public:
    explicit LockGroupList(QWidget *parent = nullptr);

    /// For the row of the filter; belongs to this.
    QComboBox *chooser() const { return m_chooser; }
    LockGrouping grouping() const;
    /// The group that is looked into; none: all.
    std::optional<QString> within() const { return m_within; }
    void show(const QList<LockGroup> &groups);
    void clear();

Q_SIGNALS:
    /// Another grouping, or another group.
    void changed();

private:
    void onChosen();
    void onSelected();

    QComboBox *m_chooser;
    LockGroupModel *m_model;
    LiveTableView *m_view;
    std::optional<QString> m_within;
};

} // namespace lockscope::ui
