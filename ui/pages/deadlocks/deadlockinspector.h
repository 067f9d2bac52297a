// SPDX-License-Identifier: MIT
#pragma once

#include "deadlocks/deadlockinbox.h"
#include "ui/widgets/inspectorparts.h"

namespace lockscope::ui {

/// One shape of deadlocks in full, as the last of them was: why, what ends such ones, each transaction with its
/// statement and locks, and the server's own text.
class DeadlockInspector : public Inspector
{
    Q_OBJECT
public:
    /// `actions` are the page's, shown as buttons.
    explicit DeadlockInspector(const QList<QAction *> &actions, QWidget *parent = nullptr);

    /// None: nothing is selected.
    void show(const std::optional<DeadlockShape> &shape);
    const std::optional<DeadlockShape> &shape() const { return m_shape; }

private:
    void showMark() override;
    void showSides();
    void addSide(const DeadlockSide &side);
    void showText();

    std::optional<DeadlockShape> m_shape;
    QLabel *m_remedy;
    QLabel *m_purpose;
    QLabel *m_seen;
    QWidget *m_sides = nullptr; ///< made anew for each deadlock
    QVBoxLayout *m_sidesPlace;
    QLabel *m_textTitle;
    QPlainTextEdit *m_text;
};

} // namespace lockscope::ui
