// SPDX-License-Identifier: MIT
#pragma once

#include "headedmodel.h"

#include <QtCore/QAbstractTableModel>

#include <algorithm>

namespace lockscope::ui {

/// A table over a short list that is read anew each time: rows that are the same thing stay, with their selection.
/// Costs the product of both lengths; for tens of rows, not thousands.
template<typename T>
class MergedModel : public HeadedModel<QAbstractTableModel>
{
public:
    using HeadedModel<QAbstractTableModel>::HeadedModel;

    void setRows(const QList<T> &next)
    {
        removeOthers(next);
        for (int row = 0; row < int(next.size()); ++row)
            place(row, next[row]);
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

    void removeOthers(const QList<T> &next)
    {
        for (int row = int(m_rows.size()) - 1; row >= 0; --row) {
            if (find(m_rows[row], next, 0) < 0)
                removeAt(row);
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
