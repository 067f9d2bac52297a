// SPDX-License-Identifier: MIT
#include "indexpicture.h"

#include "sessioncolor.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtGui/QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHalfRecord = 0.22; ///< of the room between two ticks

int lineHeight(const QFontMetrics &metrics)
{
    return metrics.lineSpacing() + kSpaceInGroup;
}

/// A key may contain anything.
QString shown(const QString &key)
{
    return CommonText::note(key.toUtf8());
}

QString nameOf(const LessonEntries &of)
{
    return shown(of.table + u'.' + of.index);
}

} // namespace

IndexPicture::IndexPicture(const LessonMoment &moment, const QStringList &sessions)
    : m_sessions(sessions)
{
    const QList<LessonLock> &locks = moment.result.locks.locks;
    for (const LessonEntries &of : moment.result.entries) {
        const bool hasLocks = std::any_of(locks.cbegin(), locks.cend(), [&of](const LessonLock &lock) {
            return lock.table == of.table && lock.index == of.index;
        });
        if (hasLocks || of.index == "PRIMARY"_L1)
            m_rulers.append(of);
    }
    for (const LessonLock &lock : locks)
        addBar(lock, moment.holders.value(lock.connection));
}

/// What is locked and has no entry any more, which the server will purge, has no place here: the list has it.
void IndexPicture::addBar(const LessonLock &lock, const QString &session)
{
    for (qsizetype ruler = 0; ruler < m_rulers.size(); ++ruler) {
        const LessonEntries &of = m_rulers[ruler];
        if (of.table != lock.table || of.index != lock.index)
            continue;
        const qsizetype tick = lock.isAtEnd() ? of.keys.size() : of.keys.indexOf(lock.key);
        if (tick < 0 || (lock.isAtEnd() && of.isCut))
            continue;
        Bar bar{ruler,         double(tick), double(tick), session, lock.isWaiting, lock.mode.contains("INSERT"_L1),
                lock.wasHidden};
        bar.from -= lock.isRecordAlone() ? kHalfRecord : 1 - kHalfRecord;
        bar.to += lock.isGap() ? -kHalfRecord : kHalfRecord;
        if (!m_bars.contains(bar))
            m_bars.append(bar);
    }
}

QStringList IndexPicture::lanesOf(qsizetype ruler) const
{
    QStringList lanes;
    for (const Bar &bar : m_bars) {
        if (bar.ruler == ruler && !lanes.contains(bar.session))
            lanes += bar.session;
    }
    lanes.sort();
    return lanes;
}

int IndexPicture::nameWidth(const QFontMetrics &metrics) const
{
    int width = 0;
    for (const LessonEntries &of : m_rulers)
        width = std::max(width, metrics.horizontalAdvance(nameOf(of)));
    return width + 2 * kSpace;
}

int IndexPicture::tickWidth(qsizetype ruler, const QFontMetrics &metrics) const
{
    const int usual = metrics.horizontalAdvance(u"100, 100"_s);
    int width = usual;
    for (const QString &key : m_rulers[ruler].keys)
        width = std::max(width, metrics.horizontalAdvance(shown(key)));
    return std::min(width + 2 * kSpace, 3 * usual);
}

int IndexPicture::heightOf(qsizetype ruler, const QFontMetrics &metrics) const
{
    return int(lanesOf(ruler).size() + 1) * lineHeight(metrics) + kSpace * 2;
}

int IndexPicture::topOf(qsizetype ruler, const QFontMetrics &metrics) const
{
    int top = kSpace;
    for (qsizetype before = 0; before < ruler; ++before)
        top += heightOf(before, metrics);
    return top;
}

QSize IndexPicture::size(const QFont &font) const
{
    const QFontMetrics metrics(font);
    int width = 0;
    for (qsizetype ruler = 0; ruler < m_rulers.size(); ++ruler)
        width = std::max(width, int(m_rulers[ruler].keys.size() + 2) * tickWidth(ruler, metrics));
    return {nameWidth(metrics) + width, std::max(topOf(m_rulers.size(), metrics), 2 * metrics.lineSpacing())};
}

QRectF IndexPicture::rectOf(const Bar &bar, const QFontMetrics &metrics) const
{
    const int line = lineHeight(metrics);
    const int width = tickWidth(bar.ruler, metrics);
    const double left = nameWidth(metrics) + (bar.from + 1) * width;
    const double top = topOf(bar.ruler, metrics) + double(lanesOf(bar.ruler).indexOf(bar.session)) * line;
    return {left, top + 1, (bar.to - bar.from) * width, double(line) - 2};
}

const IndexPicture::Bar *IndexPicture::barAt(const QPointF &position, const QFont &font) const
{
    const QFontMetrics metrics(font);
    const auto found = std::find_if(m_bars.cbegin(), m_bars.cend(),
                                    [&](const Bar &bar) { return rectOf(bar, metrics).contains(position); });
    return found == m_bars.cend() ? nullptr : &*found;
}

QString IndexPicture::toString(const Bar &bar)
{
    const QString text = bar.isInsert ? tr("%1 waits to insert into this gap")
        : bar.isWaiting               ? tr("%1 waits for this lock")
        : bar.wasHidden ? tr("%1 has had this lock for longer; the server shows it only since somebody waits for it")
                        : tr("%1 holds this lock");
    return text.arg(bar.session);
}

QString IndexPicture::toString() const
{
    QStringList lines;
    for (const Bar &bar : m_bars) {
        const LessonEntries &of = m_rulers[bar.ruler];
        const auto tick = qsizetype(std::lround(bar.to));
        const QString key = tick < of.keys.size() ? shown(of.keys[tick]) : tr("end");
        const QString place = bar.to < double(tick) ? tr("before %1").arg(key) : key;
        lines += u"%1, %2: %3"_s.arg(nameOf(of), place, toString(bar));
    }
    return lines.join(u'\n');
}

void IndexPicture::paintBar(QPainter *painter, const Bar &bar, const QPalette &palette) const
{
    const QRectF rect = rectOf(bar, QFontMetrics(painter->font()));
    const QColor color = sessionColor(bar.session, m_sessions, palette);
    QColor fill = color;
    fill.setAlphaF(bar.isWaiting || bar.wasHidden ? 0.F : 0.25F);
    painter->setPen(QPen(color, 1.5, bar.isWaiting ? Qt::DashLine : bar.wasHidden ? Qt::DotLine : Qt::SolidLine));
    painter->setBrush(fill);
    painter->drawRoundedRect(rect, 3, 3);
    painter->setPen(palette.color(QPalette::Text));
    const QString text = bar.isInsert ? bar.session + u" ↓"_s : bar.session;
    painter->drawText(rect, Qt::AlignCenter, text);
}

void IndexPicture::paintRuler(QPainter *painter, qsizetype ruler, const QPalette &palette) const
{
    const QFontMetrics metrics(painter->font());
    const LessonEntries &of = m_rulers[ruler];
    const int line = lineHeight(metrics);
    const int base = topOf(ruler, metrics) + int(lanesOf(ruler).size()) * line + 2;
    const int left = nameWidth(metrics);
    const int width = tickWidth(ruler, metrics);
    const auto xOf = [&](qsizetype tick) { return left + int(tick + 1) * width; };
    painter->setPen(lineColor(palette));
    painter->drawLine(left, base, xOf(of.keys.size()) + width / 2, base);
    painter->setPen(palette.color(QPalette::Text));
    painter->drawText(QRect(0, base, left - kSpace, line), Qt::AlignRight | Qt::AlignVCenter, nameOf(of));
    for (qsizetype tick = 0; tick < of.keys.size(); ++tick) {
        painter->drawLine(xOf(tick), base - 3, xOf(tick), base + 3);
        const QRect room(xOf(tick) - width / 2, base + 2, width, line);
        painter->drawText(room, Qt::AlignCenter,
                          metrics.elidedText(shown(of.keys[tick]), Qt::ElideRight, width - kSpaceInGroup));
    }
    painter->setPen(mutedText(palette));
    painter->drawText(QRect(xOf(of.keys.size()) - width / 2, base + 2, width, line), Qt::AlignCenter,
                      of.isCut ? u"…"_s : tr("end"));
}

void IndexPicture::paint(QPainter *painter, const QFont &font, const QPalette &palette) const
{
    painter->setFont(font);
    for (qsizetype ruler = 0; ruler < m_rulers.size(); ++ruler)
        paintRuler(painter, ruler, palette);
    for (const Bar &bar : m_bars)
        paintBar(painter, bar, palette);
}

} // namespace lockscope::ui
