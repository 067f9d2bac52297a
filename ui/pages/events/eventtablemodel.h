// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"
#include "ui/widgets/mergedmodel.h"

namespace lockscope::ui {

/// The audit, newest first: takeovers, losses, force releases. Keeps a bounded number.
class EventTableModel : public MergedModel<Event>
{
    Q_OBJECT
public:
    enum Column {
        TimeColumn,
        KindColumn,
        ResourceColumn,
        TokenColumn,
        OwnerColumn,
        OperatorColumn,
        ReasonColumn,
        ColumnCount
    };
    Q_ENUM(Column)

    static constexpr int MaxEvents = 5000;

    explicit EventTableModel(QObject *parent = nullptr);

    /// Puts new events on top; `events` is oldest first, as they come.
    void add(const QList<Event> &events);
    void clear();

    QVariant data(const QModelIndex &index, int role) const override;

protected:
    bool isSame(const Event &a, const Event &b) const override { return a.id == b.id; }

private:
    static QString text(const Event &event, Column column);
};

} // namespace lockscope::ui
