// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QLabel>

namespace lockscope::ui {

/// One line of plain text, cut in the middle when it does not fit; the whole of it as tooltip.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    void setFullText(const QString &text);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_full;
};

} // namespace lockscope::ui
