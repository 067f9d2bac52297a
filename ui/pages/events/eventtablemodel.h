// SPDX-License-Identifier: MIT
#pragma once

#include "actions/recordedacts.h"
#include "ui/widgets/mergedmodel.h"

namespace lockscope::ui {

/// The audit of a server and of this machine as one, newest first: takeovers, losses, and what people did. Keeps a
/// bounded number.
class EventTableModel : public MergedModel<RecordedEvent>
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
        ResultColumn,
        RecordColumn,
        ColumnCount
    };
    Q_ENUM(Column)

    static constexpr int MaxEvents = 5000;

    explicit EventTableModel(QObject *parent = nullptr);

    /// More of the server's; `events` is oldest first, as they come.
    void add(const QList<Event> &events);
    /// These in place of those of the server that are there.
    void setEvents(const QList<Event> &events);
    /// All that the record of this machine has of the server, oldest first.
    void setActs(const QList<AuditLine> &acts);
    void clear();
    /// The newest row that tells of this act; none: -1.
    int rowOf(const AuditEntry &act) const;

    QVariant data(const QModelIndex &index, int role) const override;

protected:
    bool isSame(const RecordedEvent &a, const RecordedEvent &b) const override { return a.isSame(b); }

private:
    void merge();
    static QVariant sorted(const RecordedEvent &row, Column column);
    static QString kind(const RecordedEvent &row);
    static QString record(const RecordedEvent &row);
    static QString text(const RecordedEvent &row, Column column);
    static QString tip(const RecordedEvent &row, Column column);

    QList<Event> m_events; ///< of the server
    QList<AuditLine> m_acts;
};

} // namespace lockscope::ui
