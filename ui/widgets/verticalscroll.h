// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QEvent>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QScrollBar>

namespace lockscope::ui {

/// As wide as what it shows needs, so that this scrolls up and down only, where there is the room.
class VerticalScroll : public QScrollArea
{
    Q_OBJECT
public:
    explicit VerticalScroll(QWidget *shown, QWidget *parent = nullptr)
        : QScrollArea(parent)
    {
        setWidget(shown);
        setWidgetResizable(true);
        setFrameShape(NoFrame);
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        viewport()->setAutoFillBackground(false);
        shown->setAutoFillBackground(false);
    }

    QSize sizeHint() const override
    {
        const QSize shown = widget()->minimumSizeHint();
        return {shown.width() + verticalScrollBar()->sizeHint().width(), shown.height()};
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
};

} // namespace lockscope::ui
