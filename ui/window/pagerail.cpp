// SPDX-License-Identifier: MIT
#include "pagerail.h"

#include "ui/style/paletteicon.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

namespace {

constexpr int kIconSide = 22;
constexpr int kButtonWidth = 74;

} // namespace

/// One page's button. Painted here, because a tool button has no place for a badge.
class RailButton : public QAbstractButton
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::RailButton)
public:
    explicit RailButton(QWidget *parent)
        : QAbstractButton(parent)
    {
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
    }

    void setBadge(int count, const QString &meaning)
    {
        constexpr int most = 99; // beyond that the number is on the page; here it only says: many
        m_badge = count > most ? tr("%1+").arg(most) : (count > 0 ? QString::number(count) : QString());
        setAccessibleDescription(count > 0 ? meaning : QString());
        update();
    }

    QSize sizeHint() const override
    {
        return {forType(kButtonWidth), forType(kIconSide) + fontMetrics().height() + 5 * kSpaceInGroup};
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF frame = QRectF(rect()).adjusted(4, 2, -4, -2);
        painter.setPen(Qt::NoPen);
        if (isChecked() || underMouse()) {
            QColor fill = palette().color(isChecked() ? QPalette::Highlight : QPalette::WindowText);
            fill.setAlphaF(isChecked() ? 1.0F : 0.08F);
            painter.setBrush(fill);
            painter.drawRoundedRect(frame, 6, 6);
        }
        if (hasFocus()) {
            painter.setPen(palette().color(QPalette::WindowText));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        }
        const int side = forType(kIconSide);
        const bool hasText =
            height() >= 3 * kSpaceInGroup + side + fontMetrics().height(); // in a low window it has not
        const QRect icon((width() - side) / 2, hasText ? 2 * kSpaceInGroup : (height() - side) / 2, side, side);
        this->icon().paint(&painter, icon, Qt::AlignCenter, isChecked() ? QIcon::Selected : QIcon::Normal);
        painter.setPen(palette().color(isChecked() ? QPalette::HighlightedText : QPalette::WindowText));
        if (hasText)
            painter.drawText(QRect(0, icon.bottom() + kSpaceInGroup, width(), fontMetrics().height()), Qt::AlignCenter,
                             text());
        paintBadge(&painter, icon);
    }

private:
    void paintBadge(QPainter *painter, const QRect &icon) const
    {
        if (m_badge.isEmpty())
            return;
        const int height = fontMetrics().height();
        const int wide = qMax(height, fontMetrics().horizontalAdvance(m_badge) + kSpace);
        const QRectF pill(qMin(icon.right() - 4, width() - wide - 4), icon.top() - 4, wide, height);
        painter->setPen(Qt::NoPen);
        painter->setBrush(markColor(Mark::Orphan, palette()));
        painter->drawRoundedRect(pill, height / 2.0, height / 2.0);
        painter->setPen(isDark(palette()) ? Qt::black : Qt::white);
        painter->drawText(pill, Qt::AlignCenter, m_badge);
    }

    QString m_badge;
};

PageRail::PageRail(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_group(new QButtonGroup(this))
{
    m_layout->setContentsMargins(0, kSpaceInGroup, 0, kSpaceInGroup);
    m_layout->setSpacing(0);
    m_layout->addStretch(1);
    connect(m_group, &QButtonGroup::idClicked, this, &PageRail::chosen);
}

void PageRail::addPage(const QString &title, const QString &iconName, const QString &shortcut)
{
    auto *button = new RailButton(this);
    button->setText(title);
    button->setIcon(svgIcon(iconName));
    button->setToolTip(tr("%1 (%2)").arg(title, shortcut));
    m_group->addButton(button, int(m_buttons.size()));
    m_buttons.append(button);
    m_layout->insertWidget(m_layout->count() - 1, button);
}

void PageRail::setCurrent(int page)
{
    m_buttons[page]->setChecked(true);
}

void PageRail::setBadge(int page, int count, const QString &meaning)
{
    m_buttons[page]->setBadge(count, meaning);
}

void PageRail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(lineColor(palette()));
    painter.drawLine(width() - 1, 0, width() - 1, height());
}

} // namespace lockscope::ui
