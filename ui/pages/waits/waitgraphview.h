// SPDX-License-Identifier: MIT
#pragma once

#include "waitdrawing.h"

#include <QtWidgets/QGraphicsView>

namespace lockscope::ui {

/// Who waits for whom as boxes and arrows, blockers at the left. Laid out anew only when sessions or their waits
/// change, so that what stays keeps its place in the meantime.
class WaitGraphView : public QGraphicsView
{
    Q_OBJECT
public:
    /// `clock` is not owned.
    explicit WaitGraphView(const LiveClock *clock, QWidget *parent = nullptr);

    /// The rows are those of the tree.
    void show(const WaitPicturePtr &picture, const WaitOutline &outline);
    /// Nothing is known any more, and nothing that is being laid out is awaited.
    void clear();
    void setSelected(std::optional<quint64> session);
    std::optional<quint64> selected() const { return m_look.selected; }
    void setStale(bool stale);
    /// Something is drawn.
    bool hasPicture() const { return !m_boxes.isEmpty(); }
    int boxCount() const { return int(m_boxes.size()); }
    QRectF boxRect(const WaitKey &key) const; ///< in the scene; empty when it is not drawn
    /// All of it, as "png" or "svg".
    QByteArray exported(const QString &format) const;
    GraphLayout *graphLayout() { return &m_layout; }

    /// The next data is laid out even if that failed before.
    void forgetFailure() { m_failed.reset(); }
    void zoomBy(double factor);
    /// As large as it may be in sight; not smaller than it can be read, then from the first box on.
    void fitAll();

Q_SIGNALS:
    void sessionChosen(quint64 session);
    void moreChosen(const lockscope::ui::WaitKey &key);
    void drawn();
    void failed(lockscope::ui::GraphLayout::Failure failure);

protected:
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// What the reader is looking at.
    struct Anchor
    {
        std::optional<WaitKey> key;
        QPointF at; ///< in the viewport
    };

    void setupButtons();
    void layNext();
    void onLaidOut(const GraphPlaces &places);
    void onFailed(GraphLayout::Failure failure);
    void draw(const WaitDrawing &drawing, const GraphPlaces &places);
    void refresh(const WaitDrawing &drawing);
    bool fit();
    Anchor anchor() const;
    void restore(const Anchor &anchor);
    void chooseNext(int key);
    void choose(const WaitBox &box);
    const WaitBox *boxAt(const QPoint &place) const; ///< in the viewport
    WaitBox *current() const;

    WaitGraphLook m_look;
    QGraphicsScene m_scene;
    GraphLayout m_layout;
    WaitDrawing m_drawn;
    WaitDrawing m_asked;  ///< is being laid out; without a picture nobody waits for what is
    WaitDrawing m_wanted; ///< comes after that
    std::optional<GraphShape> m_failed;
    QHash<WaitKey, WaitBox *> m_boxes; ///< owned by the scene
    QList<WaitArrow *> m_arrows;       ///< the same
    QPoint m_pressedAt;
    QWidget *m_buttons;     ///< of its size, above the graph
    bool m_isFitted = true; ///< until somebody moves it
};

} // namespace lockscope::ui
