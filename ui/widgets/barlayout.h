// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QHash>
#include <QtWidgets/QLayout>

#include <memory>
#include <vector>

namespace lockscope::ui {

/// The bars of a BarStack, each at a distance from the stack's foot that it keeps as long as it can.
class BarLayout : public QLayout
{
    Q_OBJECT
public:
    explicit BarLayout(QWidget *parent);
    ~BarLayout() override;

    /// The next time all are placed without gaps.
    void closeGaps();

    void addItem(QLayoutItem *item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;

private:
    /// Above the stack's foot.
    struct Place
    {
        int bottom = 0;
        int height = 0;

        int top() const { return bottom + height; }
    };
    using Places = QHash<QLayoutItem *, Place>;

    Places placesIn(int width) const;
    std::vector<QLayoutItem *> fromBelow() const;
    static int topOf(const Places &places);

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
    Places m_places; ///< as they are shown
    int m_width = 0; ///< … in
    bool m_isClosing = false;
};

} // namespace lockscope::ui
