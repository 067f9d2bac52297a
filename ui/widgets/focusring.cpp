// SPDX-License-Identifier: MIT
#include "focusring.h"

#include "ui/style/statemark.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>

#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kWidth = 2;

/// Makes the ring of whichever window has the keys.
class KeyFollower : public QObject
{
public:
    explicit KeyFollower(QObject *parent)
        : QObject(parent)
    {
        qApp->installEventFilter(this);
        connect(qApp, &QApplication::focusChanged, this, [this] { show(); });
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::MouseButtonPress) {
            m_isByKeys = false;
            if (m_ring)
                m_ring->follow(nullptr);
        } else if (event->type() == QEvent::KeyPress) {
            m_isByKeys = true;
            const int key = static_cast<QKeyEvent *>(event)->key();
            if (key == Qt::Key_Tab || key == Qt::Key_Backtab) // also where there is only one to go to
                QMetaObject::invokeMethod(
                    this, [this] { show(); }, Qt::QueuedConnection);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void show()
    {
        QWidget *target = QApplication::focusWidget();
        if (target && target->window()->windowType() == Qt::Popup)
            return;
        // Qt's flag is of shortcuts too, for which no press comes; and not of a dialog that a key opened.
        if (target && !m_isByKeys && !target->window()->testAttribute(Qt::WA_KeyboardFocusChange))
            target = nullptr;
        QWidget *window = target ? target->window() : nullptr;
        if (m_ring && (!window || m_ring->parentWidget() == window)) {
            m_ring->follow(target);
        } else if (window) {
            delete m_ring;
            m_ring = new FocusRing(window);
            m_ring->follow(target);
        }
    }

    bool m_isByKeys = false;
    QPointer<FocusRing> m_ring; ///< goes with its window
};

} // namespace

void FocusRing::showInAllWindows()
{
    static QPointer<KeyFollower> follower;
    if (!follower)
        follower = new KeyFollower(qApp);
}

FocusRing::FocusRing(QWidget *window)
    : QWidget(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void FocusRing::follow(QWidget *target)
{
    for (const QPointer<QWidget> &widget : std::exchange(m_followed, {})) {
        if (widget)
            widget->removeEventFilter(this);
    }
    m_target = target;
    for (QWidget *widget = target; widget && widget != parentWidget(); widget = widget->parentWidget()) {
        widget->installEventFilter(this);
        m_followed.append(widget);
    }
    place();
}

/// What can be seen of the target: that of one that is scrolled ends where the area does that it is scrolled in.
QRect FocusRing::seen() const
{
    if (!m_target || !m_target->isVisible())
        return {};
    QRect seen = m_target->rect();
    for (const QWidget *widget = m_target; widget != parentWidget(); widget = widget->parentWidget())
        seen = seen.translated(widget->pos()) & widget->parentWidget()->rect();
    return seen;
}

void FocusRing::place()
{
    const QRect around = seen();
    setVisible(!around.isEmpty());
    if (around.isEmpty())
        return;
    setGeometry(around);
    raise();
}

bool FocusRing::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
        place();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(markColor(Mark::Held, palette()), kWidth));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 2, 2);
}

} // namespace lockscope::ui
