// SPDX-License-Identifier: MIT
#pragma once

#include "headedmodel.h"

#include <QtCore/QAbstractTableModel>

#include <algorithm>

namespace lockscope::ui {

/// A table over a short list that is read anew each time: rows that are the same thing stay, with their selection.
/// Costs little for rows that stay in their order, and the length of the list for each that comes, goes or moves.
template<typename T>
class MergedModel : public HeadedModel<QAbstractTableModel>
{
public:
    using HeadedModel<QAbstractTableModel>::HeadedModel;

    void setRows(const QList<T> &next)
    {
        removeOthers(next);
        if (m_rows.isEmpty())
            insertAll(next);
        for (int row = 0; row < int(next.size()); ++row)
            place(row, next[row]);
        while (m_rows.size() > next.size())
            removeAt(int(m_rows.size()) - 1); // two that turned out to be one
    }
    const QList<T> &rows() const { return m_rows; }

    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : int(m_rows.size()); }

protected:
    /// Are these two states of one thing?
    virtual bool isSame(const T &a, const T &b) const = 0;

    QList<T> m_rows;

private:
    int find(const T &wanted, const QList<T> &list, int from) const
    {
        const auto found =
            std::find_if(list.cbegin() + from, list.cend(), [&](const T &entry) { return isSame(entry, wanted); });
        return found == list.cend() ? -1 : int(found - list.cbegin());
    }

    void removeAt(int row)
    {
        beginRemoveRows({}, row, row);
        m_rows.removeAt(row);
        endRemoveRows();
    }

    void insertAll(const QList<T> &next)
    {
        if (next.isEmpty())
            return;
        beginInsertRows({}, 0, int(next.size()) - 1);
        m_rows = next;
        endInsertRows();
    }

    void removeOthers(const QList<T> &next)
    {
        int behind = int(next.size()); // of the row below
        for (int row = int(m_rows.size()) - 1; row >= 0; --row) {
            const bool isNext = behind > 0 && isSame(next[behind - 1], m_rows[row]);
            const int found = isNext ? behind - 1 : find(m_rows[row], next, 0);
            if (found < 0)
                removeAt(row);
            else
                behind = found;
        }
    }

    void place(int row, const T &entry)
    {
        const int now = find(entry, m_rows, row);
        if (now == row) {
            if (!(m_rows[row] == entry)) {
                m_rows[row] = entry;
                Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
            }
            return;
        }
        if (now > row)
            removeAt(now); // it changed its place
        beginInsertRows({}, row, row);
        m_rows.insert(row, entry);
        endInsertRows();
    }
};

} // namespace lockscope::ui
