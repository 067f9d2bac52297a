// SPDX-License-Identifier: MIT
#include "deadlockview.h"

#include "deadlocktext.h"
#include "ui/text/commontext.h"
#include "ui/widgets/picturefile.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kSmallest = 0.7; ///< smaller cannot be read
constexpr double kLargest = 1.6;  ///< on a wide screen it is no poster

} // namespace

class DeadlockView::Canvas : public QWidget
{
public:
    explicit Canvas(DeadlockView *view)
        : QWidget(view)
        , m_view(view)
    {
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), palette().color(QPalette::Base));
        const DeadlockDrawing &drawing = m_view->drawing();
        if (drawing.isEmpty())
            return;
        const double scale = std::clamp(std::min(width() / drawing.size().width(), height() / drawing.size().height()),
                                        kSmallest, kLargest);
        const QSizeF free = QSizeF(size()) - drawing.size() * scale;
        painter.translate(free.width() / 2, free.height() / 2);
        painter.scale(scale, scale);
        drawing.paint(&painter, palette());
    }

private:
    const DeadlockView *m_view;
};

DeadlockView::DeadlockView(QWidget *parent)
    : QScrollArea(parent)
    , m_canvas(new Canvas(this))
{
    setAccessibleName(DeadlockText::tr("Picture of the deadlock"));
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::TabFocus); // for its scroll bars
    setWidgetResizable(true);
    setWidget(m_canvas);
}

void DeadlockView::show(const std::optional<Deadlock> &deadlock)
{
    m_deadlock = deadlock;
    m_drawing = deadlock ? DeadlockDrawing(*deadlock, font()) : DeadlockDrawing();
    setAccessibleDescription(deadlock ? DeadlockText::picture(*deadlock) : QString());
    m_canvas->setToolTip(CommonText::tip(accessibleDescription()));
    fit();
}

void DeadlockView::fit()
{
    m_canvas->setMinimumSize((m_drawing.size() * kSmallest).toSize());
    m_canvas->update();
}

QByteArray DeadlockView::exported(const QString &format) const
{
    const auto paint = [this](QPainter *painter) {
        painter->fillRect(QRectF(QPointF(), m_drawing.size()), palette().color(QPalette::Base));
        m_drawing.paint(painter, palette());
    };
    return format == "svg"_L1 ? svgPicture(m_drawing.size(), accessibleDescription(), paint)
                              : pngPicture(m_drawing.size(), paint);
}

void DeadlockView::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        show(std::optional<Deadlock>(m_deadlock));
}

} // namespace lockscope::ui
