// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QAbstractItemModel>
#include <QtCore/QList>

#include <utility>

namespace lockscope::ui {

/// What stands over a column. A model has them in the order of its columns.
struct ColumnHead
{
    QString title;
    Qt::AlignmentFlag side = Qt::AlignLeft; ///< where the title and the cells stand
    QString tip = {};
};

/// A model of columns with heads; `Model` is what Qt has for a table or a tree.
template<typename Model>
class HeadedModel : public Model
{
public:
    HeadedModel(QList<ColumnHead> heads, QObject *parent)
        : Model(parent)
        , m_heads(std::move(heads))
    {
    }

    /// Of a table; a tree has them below each row.
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_heads.size());
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= m_heads.size())
            return {};
        const ColumnHead &head = m_heads[section];
        if (role == Qt::DisplayRole)
            return head.title;
        if (role == Qt::ToolTipRole && !head.tip.isEmpty())
            return head.tip;
        return role == Qt::TextAlignmentRole ? alignmentOf(section) : QVariant();
    }

    QStringList titles() const
    {
        QStringList titles;
        for (const ColumnHead &head : m_heads)
            titles += head.title;
        return titles;
    }

protected:
    QVariant alignmentOf(int column) const { return int(m_heads[column].side | Qt::AlignVCenter); }

private:
    const QList<ColumnHead> m_heads;
};

} // namespace lockscope::ui
