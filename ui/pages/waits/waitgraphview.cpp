// SPDX-License-Identifier: MIT
#include "waitgraphview.h"

#include "ui/style/theme.h"
#include "ui/widgets/picturefile.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QWheelEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMargin = 24;
constexpr double kZoomStep = 1.25;
constexpr double kSmallest = 0.05;
constexpr double kLargest = 4;
constexpr double kLeastFit = 0.6; ///< smaller letters cannot be read
constexpr double kWheelStep = 120;

} // namespace

WaitGraphView::WaitGraphView(const LiveClock *clock, QWidget *parent)
    : QGraphicsView(parent)
    , m_scene(this)
    , m_layout(this)
    , m_buttons(new QWidget(this))
{
    m_look.widget = this;
    m_look.clock = clock;
    setScene(&m_scene);
    setFrameShape(NoFrame);
    setDragMode(ScrollHandDrag);
    setTransformationAnchor(AnchorUnderMouse);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setAccessibleName(tr("Graph of who waits for whom; the tree says the same"));
    setupButtons();
    connect(&m_layout, &GraphLayout::laidOut, this, &WaitGraphView::onLaidOut);
    connect(&m_layout, &GraphLayout::failed, this, &WaitGraphView::onFailed);
    connect(clock, &LiveClock::ticked, this, [this] {
        if (isVisible())
            viewport()->update();
    });
}

void WaitGraphView::setupButtons()
{
    auto *row = new QHBoxLayout(m_buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kSpaceInGroup);
    const auto add = [&](const QString &text, const QString &tip, auto act) {
        auto *button = new QToolButton(m_buttons);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setFocusPolicy(Qt::NoFocus); // keys are for the graph
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this, act);
    };
    add(tr("Fit"), tr("Show the whole graph, or as much of it as can be read (0)"), [this] { fitAll(); });
    add(u"−"_s, tr("Smaller (−)"), [this] { zoomBy(1 / kZoomStep); });
    add(u"+"_s, tr("Larger (+)"), [this] { zoomBy(kZoomStep); });
    m_buttons->adjustSize();
}

/// Boxes on screen are of the picture that they are painted from; a new one is shown once its boxes have their places.
void WaitGraphView::show(const WaitPicturePtr &picture, const WaitOutline &outline)
{
    const WaitDrawing next = WaitDrawing::of(picture, outline, WaitGraphLook::boxSize(fontMetrics()));
    m_wanted = {};
    if (m_drawn.picture && next.hasSameBoxes(m_drawn)) {
        m_asked = {};
        m_failed.reset();
        refresh(next);
        Q_EMIT drawn();
    } else if (m_asked.picture && next.shape == m_asked.shape) {
        m_asked = next;
    } else {
        m_wanted = next;
        layNext();
    }
}

void WaitGraphView::layNext()
{
    if (!m_wanted.picture || m_layout.isBusy() || m_failed == m_wanted.shape)
        return;
    m_asked = std::exchange(m_wanted, {});
    m_layout.lay(m_asked.shape);
}

/// Also while another is wanted: on a busy server there always is one, and nothing would ever be drawn.
void WaitGraphView::onLaidOut(const GraphPlaces &places)
{
    if (m_asked.picture)
        draw(std::exchange(m_asked, {}), places);
    layNext();
}

void WaitGraphView::onFailed(GraphLayout::Failure failure)
{
    if (m_asked.picture) {
        m_failed = std::exchange(m_asked, {}).shape;
        Q_EMIT failed(failure);
    }
    layNext();
}

void WaitGraphView::clear()
{
    m_failed.reset();
    m_boxes.clear();
    m_arrows.clear();
    m_scene.clear();
    m_drawn = {};
    m_asked = {};
    m_wanted = {};
    m_look.picture.reset();
    m_look.selected.reset();
}

void WaitGraphView::draw(const WaitDrawing &drawing, const GraphPlaces &places)
{
    const Anchor place = anchor();
    const bool isFirst = m_boxes.isEmpty();
    m_boxes.clear();
    m_arrows.clear();
    m_scene.clear();
    m_look.picture = drawing.picture; // before items look at it
    for (int i = 0; i < places.frames.size(); ++i)
        m_scene.addItem(new WaitFrame(&m_look, places.frames[i], int(drawing.shape.groups[i].size())));
    for (const QList<QPointF> &curve : places.curves) {
        m_arrows.append(new WaitArrow(&m_look, curve));
        m_scene.addItem(m_arrows.last());
    }
    for (int i = 0; i < drawing.boxes.size(); ++i) {
        auto *box = new WaitBox(&m_look, drawing.boxes[i]);
        box->setPos(places.centers[i]);
        m_scene.addItem(box);
        m_boxes.insert(drawing.boxes[i].key, box);
    }
    m_scene.setSceneRect(places.bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin));
    refresh(drawing);
    if (isFirst)
        fitAll();
    else if (!m_isFitted || !fit())
        restore(place);
    m_failed.reset(); // what comes after this one is tried anew, or told to have failed
    Q_EMIT drawn();
}

void WaitGraphView::refresh(const WaitDrawing &drawing)
{
    m_drawn = drawing;
    m_look.picture = drawing.picture;
    for (const WaitRow &row : drawing.boxes)
        m_boxes.value(row.key)->setRow(row);
    for (int i = 0; i < m_arrows.size(); ++i)
        m_arrows[i]->setKind(drawing.kinds[i]);
}

WaitBox *WaitGraphView::current() const
{
    if (!m_look.selected)
        return nullptr;
    const auto found = std::find_if(m_boxes.cbegin(), m_boxes.cend(),
                                    [this](const WaitBox *box) { return box->isOf(*m_look.selected); });
    return found == m_boxes.cend() ? nullptr : *found;
}

/// The selected box, or the one in the middle.
WaitGraphView::Anchor WaitGraphView::anchor() const
{
    const QPointF middle = mapToScene(viewport()->rect().center());
    const WaitBox *kept = current();
    if (kept && !viewport()->rect().contains(mapFromScene(kept->pos())))
        kept = nullptr;
    const auto distance = [&middle](const WaitBox *box) { return (box->pos() - middle).manhattanLength(); };
    if (!kept) {
        for (const WaitBox *box : m_boxes) {
            if (!kept || distance(box) < distance(kept))
                kept = box;
        }
    }
    return kept ? Anchor{kept->row().key, mapFromScene(kept->pos())} : Anchor();
}

void WaitGraphView::restore(const Anchor &anchor)
{
    const WaitBox *box = anchor.key ? m_boxes.value(*anchor.key) : nullptr;
    if (!box)
        return;
    const QPoint moved = mapFromScene(box->pos()) - anchor.at.toPoint();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + moved.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + moved.y());
}

void WaitGraphView::setSelected(std::optional<quint64> session)
{
    if (m_look.selected == session)
        return;
    m_look.selected = session;
    if (const WaitBox *box = current())
        ensureVisible(box->sceneBoundingRect());
    viewport()->update();
}

void WaitGraphView::setStale(bool stale)
{
    m_look.isStale = stale;
    viewport()->update();
}

QRectF WaitGraphView::boxRect(const WaitKey &key) const
{
    const WaitBox *box = m_boxes.value(key);
    return box ? box->sceneBoundingRect() : QRectF();
}

void WaitGraphView::zoomBy(double factor)
{
    const double now = transform().m11();
    const double wanted = std::clamp(now * factor, kSmallest, kLargest);
    scale(wanted / now, wanted / now);
    m_isFitted = false;
}

/// False: a part of it is out of sight.
bool WaitGraphView::fit()
{
    fitInView(sceneRect(), Qt::KeepAspectRatio);
    const double fitting = transform().m11();
    const double wanted = std::clamp(fitting, kLeastFit, 1.0); // never larger than life
    zoomBy(wanted / fitting);
    m_isFitted = true;
    return wanted <= fitting;
}

/// Where that would be too small, it begins with whoever is to blame the most.
void WaitGraphView::fitAll()
{
    if (!fit() && !m_drawn.boxes.isEmpty())
        centerOn(m_boxes.value(m_drawn.boxes.first().key));
}

void WaitGraphView::resizeEvent(QResizeEvent *event)
{
    const QPointF middle = mapToScene(QRect(QPoint(), event->oldSize()).center());
    QGraphicsView::resizeEvent(event);
    m_buttons->move(viewport()->geometry().right() - m_buttons->width() - kSpace, kSpace);
    if (m_isFitted && !fit())
        centerOn(middle);
}

void WaitGraphView::wheelEvent(QWheelEvent *event)
{
    zoomBy(std::pow(kZoomStep, event->angleDelta().y() / kWheelStep));
    event->accept();
}

void WaitGraphView::mousePressEvent(QMouseEvent *event)
{
    m_pressedAt = event->pos();
    QGraphicsView::mousePressEvent(event);
    const WaitBox *box = event->button() == Qt::RightButton ? boxAt(event->pos()) : nullptr;
    if (box && box->row().key.kind == WaitKey::Kind::Session)
        choose(*box); // the menu that opens is for this one
}

/// A click chooses; what moved was a pan.
void WaitGraphView::mouseReleaseEvent(QMouseEvent *event)
{
    QGraphicsView::mouseReleaseEvent(event);
    const bool isClick = (event->pos() - m_pressedAt).manhattanLength() < QApplication::startDragDistance();
    if (event->button() != Qt::LeftButton || !isClick)
        return;
    if (const WaitBox *box = boxAt(event->pos()))
        choose(*box);
}

const WaitBox *WaitGraphView::boxAt(const QPoint &place) const
{
    const QPointF wanted = mapToScene(place);
    const auto found = std::find_if(m_boxes.cbegin(), m_boxes.cend(), [&wanted](const WaitBox *box) {
        return box->sceneBoundingRect().contains(wanted);
    });
    return found == m_boxes.cend() ? nullptr : *found;
}

void WaitGraphView::choose(const WaitBox &box)
{
    const WaitKey key = box.row().key; // the box may be gone afterwards
    if (key.kind != WaitKey::Kind::Session) {
        Q_EMIT moreChosen(key);
        return;
    }
    setSelected(key.id);
    Q_EMIT sessionChosen(key.id);
}

/// The nearest box in the direction of an arrow key; way aside counts double.
void WaitGraphView::chooseNext(int key)
{
    const WaitBox *from = current();
    if (!from) {
        if (!m_drawn.boxes.isEmpty())
            choose(*m_boxes.value(m_drawn.boxes.first().key));
        return;
    }
    const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    const WaitBox *best = nullptr;
    double nearest = 0;
    for (const WaitBox *box : std::as_const(m_boxes)) {
        const QPointF way = box->pos() - from->pos();
        const double ahead = sign * (isSideways ? way.x() : way.y());
        const double aside = std::abs(isSideways ? way.y() : way.x());
        if (box->row().key.kind != WaitKey::Kind::Session || ahead <= 1)
            continue;
        if (!best || ahead + 2 * aside < nearest) {
            best = box;
            nearest = ahead + 2 * aside;
        }
    }
    if (best)
        choose(*best);
}

void WaitGraphView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        chooseNext(event->key());
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kZoomStep);
        break;
    case Qt::Key_Minus:
        zoomBy(1 / kZoomStep);
        break;
    case Qt::Key_0:
        fitAll();
        break;
    case Qt::Key_1:
        resetTransform();
        m_isFitted = false;
        break;
    default:
        QGraphicsView::keyPressEvent(event);
    }
}

void WaitGraphView::changeEvent(QEvent *event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        viewport()->update();
}

QByteArray WaitGraphView::exported(const QString &format) const
{
    const QRectF all = m_scene.sceneRect();
    const auto paint = [this, &all](QPainter *painter) {
        const QRectF target(QPointF(), all.size());
        painter->fillRect(target, palette().color(QPalette::Base));
        const_cast<QGraphicsScene &>(m_scene).render(painter, target, all);
    };
    return format == "svg"_L1 ? svgPicture(all.size(), accessibleName(), paint) : pngPicture(all.size(), paint);
}

} // namespace lockscope::ui
