// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"

#include <QtWidgets/QWidget>

namespace lockscope::ui {

/// The indexes of a lesson as rulers: entries are ticks, gaps the room between them, and on these the locks, a line a
/// session. A lock that is waited for is hollow.
class IndexRuler : public QWidget
{
    Q_OBJECT
public:
    explicit IndexRuler(QWidget *parent = nullptr);

    /// `sessions` in the order of their colours.
    void show(const LessonMoment &moment, const QStringList &sessions);
    void clear() { show({}, {}); }

    /// What is painted for a lock: from and to which tick, counted from 0; a gap is half way to the tick before.
    struct Bar
    {
        qsizetype ruler = 0;
        double from = 0;
        double to = 0;
        QString session;
        bool isWaiting = false;
        bool isInsert = false; ///< asks to insert into the gap

        bool operator==(const Bar &) const = default;
    };
    const QList<Bar> &bars() const { return m_bars; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    void addBar(const LessonLock &lock, const QString &session);
    QStringList lanesOf(qsizetype ruler) const;
    int heightOf(qsizetype ruler) const;
    int tickWidth(qsizetype ruler) const;
    int nameWidth() const;
    QRectF rectOf(const Bar &bar, int top) const;
    void paintRuler(QPainter *painter, qsizetype ruler, int top) const;
    void paintBar(QPainter *painter, const Bar &bar, const QRectF &rect) const;
    QColor colorOf(const QString &session) const;

    QList<LessonEntries> m_rulers;
    QList<Bar> m_bars;
    QStringList m_sessions;
};

} // namespace lockscope::ui
