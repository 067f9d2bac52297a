// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QLabel>

namespace lockscope::ui {

/// Plain text that matters less than its neighbours, in every palette still easy to read (≥ 4.5:1).
class MutedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit MutedLabel(const QString &text, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyColor();
};

} // namespace lockscope::ui
