// SPDX-License-Identifier: MIT
#include "indexruler.h"

#include "lessontext.h"
#include "ui/style/theme.h"
#include "ui/style/tint.h"
#include "ui/text/commontext.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QToolTip>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHalfRecord = 0.22; ///< of the room between two ticks

} // namespace

IndexRuler::IndexRuler(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Indexes and the locks on them"));
}

void IndexRuler::show(const LessonMoment &moment, const QStringList &sessions)
{
    m_sessions = sessions;
    m_bars.clear();
    const QList<LessonLock> &locks = moment.result.locks.locks;
    m_rulers.clear();
    for (const LessonEntries &of : moment.result.entries) {
        const bool hasLocks = std::any_of(locks.cbegin(), locks.cend(), [&of](const LessonLock &lock) {
            return lock.table == of.table && lock.index == of.index;
        });
        if (hasLocks || of.index == "PRIMARY"_L1)
            m_rulers.append(of);
    }
    for (const LessonLock &lock : locks)
        addBar(lock, moment.holders.value(lock.connection));
    updateGeometry();
    update();
}

/// What is locked and has no entry any more, which the server will purge, has no place here: the list has it.
void IndexRuler::addBar(const LessonLock &lock, const QString &session)
{
    for (qsizetype ruler = 0; ruler < m_rulers.size(); ++ruler) {
        const LessonEntries &of = m_rulers[ruler];
        if (of.table != lock.table || of.index != lock.index)
            continue;
        const qsizetype tick = lock.isAtEnd() ? of.keys.size() : of.keys.indexOf(lock.key);
        if (tick < 0 || (lock.isAtEnd() && of.isCut))
            continue;
        Bar bar{ruler, double(tick), double(tick), session, lock.isWaiting, lock.mode.contains("INSERT"_L1)};
        const bool isRecordAlone = lock.mode.contains("REC_NOT_GAP"_L1);
        bar.from -= isRecordAlone ? kHalfRecord : 1 - kHalfRecord;
        bar.to += lock.isGap() ? -kHalfRecord : kHalfRecord;
        if (!m_bars.contains(bar))
            m_bars.append(bar);
    }
}

QStringList IndexRuler::lanesOf(qsizetype ruler) const
{
    QStringList lanes;
    for (const Bar &bar : m_bars) {
        if (bar.ruler == ruler && !lanes.contains(bar.session))
            lanes += bar.session;
    }
    lanes.sort();
    return lanes;
}

int IndexRuler::nameWidth() const
{
    int width = 0;
    for (const LessonEntries &of : m_rulers)
        width = std::max(width, fontMetrics().horizontalAdvance(of.table + u'.' + of.index));
    return width + 2 * kSpace;
}

int IndexRuler::tickWidth(qsizetype ruler) const
{
    int width = fontMetrics().horizontalAdvance(u"100, 100"_s);
    for (const QString &key : m_rulers[ruler].keys)
        width = std::max(width, fontMetrics().horizontalAdvance(key));
    return std::min(width + 2 * kSpace, 3 * fontMetrics().horizontalAdvance(u"100, 100"_s));
}

int IndexRuler::heightOf(qsizetype ruler) const
{
    const int line = fontMetrics().lineSpacing() + kSpaceInGroup;
    return int(lanesOf(ruler).size()) * line + line + kSpace * 2;
}

QSize IndexRuler::sizeHint() const
{
    int width = 0;
    int height = kSpace;
    for (qsizetype ruler = 0; ruler < m_rulers.size(); ++ruler) {
        width = std::max(width, int(m_rulers[ruler].keys.size() + 2) * tickWidth(ruler));
        height += heightOf(ruler);
    }
    return {nameWidth() + width, std::max(height, 2 * fontMetrics().lineSpacing())};
}

QColor IndexRuler::colorOf(const QString &session) const
{
    const QList<Tint> tints{Tint::Blue, Tint::Orange, Tint::Green, Tint::Violet, Tint::Red};
    const qsizetype number = m_sessions.indexOf(session);
    return number < 0 ? mutedText(palette()) : Tints::color(tints[number % tints.size()], palette());
}

QRectF IndexRuler::rectOf(const Bar &bar, int top) const
{
    const int line = fontMetrics().lineSpacing() + kSpaceInGroup;
    const int width = tickWidth(bar.ruler);
    const double left = nameWidth() + (bar.from + 1) * width;
    return {left, top + double(lanesOf(bar.ruler).indexOf(bar.session)) * line + 1, (bar.to - bar.from) * width,
            double(line) - 2};
}

void IndexRuler::paintBar(QPainter *painter, const Bar &bar, const QRectF &rect) const
{
    const QColor color = colorOf(bar.session);
    QColor fill = color;
    fill.setAlphaF(bar.isWaiting ? 0.F : 0.25F);
    painter->setPen(QPen(color, 1.5, bar.isWaiting ? Qt::DashLine : Qt::SolidLine));
    painter->setBrush(fill);
    painter->drawRoundedRect(rect, 3, 3);
    painter->setPen(palette().color(QPalette::Text));
    const QString text = bar.isInsert ? bar.session + u" ↓"_s : bar.session;
    painter->drawText(rect, Qt::AlignCenter, text);
}

void IndexRuler::paintRuler(QPainter *painter, qsizetype ruler, int top) const
{
    const LessonEntries &of = m_rulers[ruler];
    const int line = fontMetrics().lineSpacing() + kSpaceInGroup;
    const int base = top + int(lanesOf(ruler).size()) * line + 2;
    const int left = nameWidth();
    const int width = tickWidth(ruler);
    const auto xOf = [&](qsizetype tick) { return left + int(tick + 1) * width; };
    painter->setPen(lineColor(palette()));
    painter->drawLine(left, base, xOf(of.keys.size()) + width / 2, base);
    painter->setPen(palette().color(QPalette::Text));
    painter->drawText(QRect(0, base, left - kSpace, line), Qt::AlignRight | Qt::AlignVCenter,
                      of.table + u'.' + of.index);
    for (qsizetype tick = 0; tick < of.keys.size(); ++tick) {
        painter->drawLine(xOf(tick), base - 3, xOf(tick), base + 3);
        const QRect room(xOf(tick) - width / 2, base + 2, width, line);
        painter->drawText(room, Qt::AlignCenter,
                          fontMetrics().elidedText(of.keys[tick], Qt::ElideRight, width - kSpaceInGroup));
    }
    painter->setPen(mutedText(palette()));
    painter->drawText(QRect(xOf(of.keys.size()) - width / 2, base + 2, width, line), Qt::AlignCenter,
                      of.isCut ? u"…"_s : tr("end"));
}

void IndexRuler::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (m_rulers.isEmpty()) {
        painter.setPen(mutedText(palette()));
        painter.drawText(rect(), Qt::AlignCenter, tr("Nothing to draw: no entries are known here"));
        return;
    }
    int top = kSpace;
    for (qsizetype ruler = 0; ruler < m_rulers.size(); ++ruler) {
        paintRuler(&painter, ruler, top);
        for (const Bar &bar : m_bars) {
            if (bar.ruler == ruler)
                paintBar(&painter, bar, rectOf(bar, top));
        }
        top += heightOf(ruler);
    }
}

/// What a bar is, in words.
bool IndexRuler::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    int top = kSpace;
    for (qsizetype ruler = 0; ruler < m_rulers.size(); ++ruler) {
        for (const Bar &bar : m_bars) {
            if (bar.ruler != ruler || !rectOf(bar, top).contains(help->pos()))
                continue;
            const QString text = bar.isInsert ? tr("%1 waits to insert into this gap")
                : bar.isWaiting               ? tr("%1 waits for this lock")
                                              : tr("%1 holds this lock");
            QToolTip::showText(help->globalPos(), CommonText::tip(text.arg(bar.session)), this);
            return true;
        }
        top += heightOf(ruler);
    }
    QToolTip::hideText();
    return true;
}

} // namespace lockscope::ui
