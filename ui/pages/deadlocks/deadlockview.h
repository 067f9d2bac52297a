// SPDX-License-Identifier: MIT
#pragma once

#include "deadlockdrawing.h"

#include <QtWidgets/QScrollArea>

namespace lockscope::ui {

/// Shows the picture of a deadlock as large as there is room for, and scrolls where it could not be read else.
class DeadlockView : public QScrollArea
{
    Q_OBJECT
public:
    explicit DeadlockView(QWidget *parent = nullptr);

    /// None: nothing is chosen.
    void show(const std::optional<Deadlock> &deadlock);
    const DeadlockDrawing &drawing() const { return m_drawing; }
    /// All of it, as "png" or "svg".
    QByteArray exported(const QString &format) const;

protected:
    void changeEvent(QEvent *event) override;

private:
    class Canvas;

    void fit();

    std::optional<Deadlock> m_deadlock;
    DeadlockDrawing m_drawing;
    Canvas *m_canvas;
};

} // namespace lockscope::ui
