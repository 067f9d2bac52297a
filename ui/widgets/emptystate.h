// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QAction;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpacerItem;

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

    /// A message elsewhere says why there is nothing; is it tried again by itself?
    void tellFailure(bool isTriedAgain);
    /// Of a page that shows what only MySQL and MariaDB have, beside a `store` of that kind.
    void tellOtherKind(const QString &store);

    /// What a newcomer can begin with; shown by offerStarts. Not owned.
    void setStarts(const QList<QAction *> &actions);
    /// With the message that is there: nothing is wrong, there is just nothing yet.
    void offerStarts();

Q_SIGNALS:
    void actionClicked();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QSpacerItem *m_above;
    QLabel *m_headline;
    QLabel *m_text;
    QLabel *m_command;
    QPushButton *m_action;
    QWidget *m_starts;
};

} // namespace lockscope::ui
