// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QToolButton;

namespace lockscope::ui {

class ElidedLabel;
class LaneView;

/// What can be done with the lanes: speed, single steps, more or less time; and what happened at a step, in a sentence.
class LaneBar : public QWidget
{
    Q_OBJECT
public:
    /// `view` is not owned and must outlive the bar.
    explicit LaneBar(LaneView *view, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    QToolButton *addButton(const QString &text, const QString &tip);
    void showSpeed();

    LaneView *m_view;
    QList<QToolButton *> m_speeds;
    ElidedLabel *m_sentence;
};

} // namespace lockscope::ui
