// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/liveclock.h"
#include "waitoutline.h"

#include <QtWidgets/QGraphicsItem>

namespace lockscope::ui {

/// What all items of a graph paint with.
struct WaitGraphLook
{
    const QWidget *widget = nullptr; ///< whose palette and font are used, also in exported pictures
    const LiveClock *clock = nullptr;
    WaitPicturePtr picture;
    std::optional<quint64> selected;
    bool isStale = false;

    QColor text() const;
    static QSizeF boxSize(const QFontMetrics &metrics);
};

/// A session, or what stands for more of them. A blocker has corners, a waiter is round, a member of a ring pointed;
/// the word says the same.
class WaitBox : public QGraphicsItem
{
public:
    WaitBox(const WaitGraphLook *look, const WaitRow &row);

    const WaitRow &row() const { return m_row; }
    /// Stands for that session, alone or with its equals.
    bool isOf(quint64 session) const;
    void setRow(const WaitRow &row);
    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    QRectF frame() const;
    void paintMore(QPainter *painter) const;
    void paintFrame(QPainter *painter, const WaitNode &node) const;
    void paintWords(QPainter *painter, const WaitNode &node) const;
    QString title(const WaitNode &node) const;
    bool isSelected() const { return m_look->selected && isOf(*m_look->selected); }

    const WaitGraphLook *m_look;
    WaitRow m_row;
};

/// From the waiter to the blocker.
class WaitArrow : public QGraphicsItem
{
public:
    enum class Kind { Wait, Inferred, Ring };

    WaitArrow(const WaitGraphLook *look, const QList<QPointF> &curve);

    void setKind(Kind kind);
    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    const WaitGraphLook *m_look;
    QList<QPointF> m_curve;
    Kind m_kind = Kind::Wait;
};

/// Around the sessions of a ring, with what it is called.
class WaitFrame : public QGraphicsItem
{
public:
    WaitFrame(const WaitGraphLook *look, const QRectF &rect, int sessions);

    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    const WaitGraphLook *m_look;
    QRectF m_rect;
    int m_sessions;
};

} // namespace lockscope::ui
