// SPDX-License-Identifier: MIT
#pragma once

#include "deadlocks/deadlock.h"

#include <QtCore/QLineF>
#include <QtCore/QRectF>
#include <QtCore/QStringList>
#include <QtGui/QFont>
#include <QtGui/QPalette>

#include <utility>

class QPainter;

namespace lockscope::ui {

/// The cycle of a deadlock: each transaction as a box on a ring, and an arrow from who waits to who holds, with the
/// lock that it is for. Laid out once, painted at any size.
class DeadlockDrawing
{
public:
    /// More are not drawn, and counted below.
    static constexpr int MaxSides = 12;

    DeadlockDrawing() = default;
    DeadlockDrawing(const Deadlock &deadlock, const QFont &font);

    bool isEmpty() const { return m_boxes.isEmpty(); }
    QSizeF size() const { return m_size; }
    void paint(QPainter *painter, const QPalette &palette) const;

    /// Of a side that is drawn; empty of another.
    QRectF boxOf(int side) const;
    /// Where the locks stand that are waited for, in the order of the arrows.
    QList<QRectF> labels() const;

private:
    struct Box
    {
        int side = 0;
        QRectF rect;
        QString name;
        QString statement;
        bool isVictim = false;
    };
    struct Arrow
    {
        int waiter = 0;
        int holder = 0;
        QPointF from = {};
        QPointF bend = {}; ///< of the curve
        QPointF to = {};
        QRectF label = {};
        QStringList lines = {};
    };

    void placeBoxes(const Deadlock &deadlock);
    void addArrows(const Deadlock &deadlock, const QList<DeadlockEdge> &edges);
    void bendArrows();
    void moveToOrigin();
    void paintBox(QPainter *painter, const QPalette &palette, const Box &box) const;
    static std::pair<QString, QString> firstLine(const QString &statement, const QFont &font, double width);
    void paintArrow(QPainter *painter, const QPalette &palette, const Arrow &arrow) const;
    void paintLabel(QPainter *painter, const QPalette &palette, const Arrow &arrow) const;

    QFont m_font;
    QList<Box> m_boxes;
    QList<Arrow> m_arrows;
    QString m_more;
    QSizeF m_size{0, 0};
};

} // namespace lockscope::ui
