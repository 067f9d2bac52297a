// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QLayout>

#include <memory>
#include <vector>

namespace lockscope::ui {

/// Controls beside each other, each as wide as it wants to be, in as many rows as that takes.
class FlowLayout : public QLayout
{
    Q_OBJECT
public:
    /// The space between them; none around.
    FlowLayout(int spacing, QWidget *parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem *item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// In one row.
    QSize sizeHint() const override;
    /// In one column.
    QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;

private:
    /// Of those that are shown, in a room of this width.
    std::vector<std::pair<QLayoutItem *, QRect>> placesIn(int width) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace lockscope::ui
