// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QFont>
#include <QtGui/QFontMetrics>
#include <QtGui/QPalette>

class QPainter;

namespace lockscope::ui {

/// The indexes of a lesson as rulers, as a picture: entries are ticks, gaps the room between them, and on these the
/// locks, a line a session. A lock that is waited for is hollow, one that the
/// server did not show before somebody waited for it dotted.
class IndexPicture
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::IndexPicture)
public:
    /// What is painted for a lock: from and to which tick, counted from 0; a gap is half way to the tick before.
    struct Bar
    {
        qsizetype ruler = 0;
        double from = 0;
        double to = 0;
        QString session;
        bool isWaiting = false;
        bool isInsert = false;  ///< asks to insert into the gap
        bool wasHidden = false; ///< the server shows it only since somebody waits for it

        bool operator==(const Bar &) const = default;
    };

    IndexPicture() = default;
    /// `sessions` in the order of their colours.
    IndexPicture(const LessonMoment &moment, const QStringList &sessions);

    bool isEmpty() const { return m_rulers.isEmpty(); }
    const QList<Bar> &bars() const { return m_bars; }
    QSize size(const QFont &font) const;
    void paint(QPainter *painter, const QFont &font, const QPalette &palette) const;
    /// Null where none is.
    const Bar *barAt(const QPointF &position, const QFont &font) const;
    /// "A holds this lock".
    static QString toString(const Bar &bar);
    /// All of them, a line each: "goods.PRIMARY, before 20: A holds this lock".
    QString toString() const;
    bool operator==(const IndexPicture &) const = default; ///< the same picture

private:
    void addBar(const LessonLock &lock, const QString &session);
    QStringList lanesOf(qsizetype ruler) const;
    int heightOf(qsizetype ruler, const QFontMetrics &metrics) const;
    int tickWidth(qsizetype ruler, const QFontMetrics &metrics) const;
    int nameWidth(const QFontMetrics &metrics) const;
    int topOf(qsizetype ruler, const QFontMetrics &metrics) const;
    QRectF rectOf(const Bar &bar, const QFontMetrics &metrics) const;
    void paintRuler(QPainter *painter, qsizetype ruler, const QPalette &palette) const;
    void paintBar(QPainter *painter, const Bar &bar, const QPalette &palette) const;

    QList<LessonEntries> m_rulers;
    QList<Bar> m_bars;
    QStringList m_sessions;
};

} // namespace lockscope::ui
