// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QTimer>
#include <QtWidgets/QFrame>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace lockscope::ui {

/// One inline message at the foot of a page: what happened, what it means, and the action that mends it.
class MessageBar : public QFrame
{
    Q_OBJECT
public:
    /// Good news goes by itself after a while, once the mouse is elsewhere.
    enum class Level { Info, Good, Warning, Error };

    explicit MessageBar(QWidget *parent = nullptr);

    /// `details` is the small print below, copyable; may be empty.
    void show(Level level, const QString &text, const QString &details = {});
    /// A button of the message shown; ownership stays with the caller. Cleared by the next `show`.
    void addAction(QAction *action);
    void clear();
    QString text() const;
    Level level() const { return m_level; }

Q_SIGNALS:
    /// By a person.
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void clearActions();
    void clearUnseen();
    void showIcon();

    QTimer m_clearTimer;
    Level m_level = Level::Info;
    QLabel *m_icon;
    QLabel *m_text;
    QLabel *m_details;
    QHBoxLayout *m_buttons;
    QToolButton *m_close;
};

} // namespace lockscope::ui
