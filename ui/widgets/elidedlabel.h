// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QLabel>

namespace lockscope::ui {

/// Plain text whose lines are cut when they do not fit, in the middle if nothing else is said; the whole of it as
/// tooltip. It is aligned like any label.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget *parent = nullptr, Qt::TextElideMode mode = Qt::ElideMiddle);

    void setFullText(const QString &text);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Qt::TextElideMode m_mode;
};

} // namespace lockscope::ui
