// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;

namespace lockscope::ui {

/// What stands where a list would: what is not there, why, and what to try.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(QWidget *parent = nullptr);

    /// `command` is something to type, may be empty; `action` is a button's words, may be empty.
    void setMessage(const QString &headline, const QString &text, const QString &command = {},
                    const QString &action = {});

Q_SIGNALS:
    void actionClicked();

private:
    QLabel *m_headline;
    QLabel *m_text;
    QLabel *m_command;
    QPushButton *m_action;
};

} // namespace lockscope::ui
