// SPDX-License-Identifier: MIT
#pragma once

#include <QtGui/QPen>
#include <QtWidgets/QWidget>

namespace lockscope::ui {

/// What the lines of a chart mean: a piece of each line, and its word.
class ChartLegend : public QWidget
{
    Q_OBJECT
public:
    struct Entry
    {
        QPen pen;
        QString text;
    };

    explicit ChartLegend(QWidget *parent = nullptr);

    void setEntries(const QList<Entry> &entries);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {0, heightForWidth(width())}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<QRect> placesIn(int width) const;

    QList<Entry> m_entries;
};

} // namespace lockscope::ui
