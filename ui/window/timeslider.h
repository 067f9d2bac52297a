// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QSlider>
#include <QtWidgets/QStyle>

namespace lockscope::ui {

/// Goes where it is clicked, as the way through a film does, and shows where it is on any palette.
class TimeSlider : public QSlider
{
    Q_OBJECT
public:
    explicit TimeSlider(QWidget *parent = nullptr);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QRect part(QStyle::SubControl control) const;
};

} // namespace lockscope::ui
