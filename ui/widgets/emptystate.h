// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QAction;
class QHBoxLayout;
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

    /// What a newcomer can begin with; shown by offerStarts. Not owned.
    void setStarts(const QList<QAction *> &actions);
    /// With the message that is there: nothing is wrong, there is just nothing yet.
    void offerStarts();

Q_SIGNALS:
    void actionClicked();

private:
    QLabel *m_headline;
    QLabel *m_text;
    QLabel *m_command;
    QPushButton *m_action;
    QWidget *m_starts;
};

} // namespace lockscope::ui
