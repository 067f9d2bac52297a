// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QPointer>
#include <QtGui/QIcon>
#include <QtWidgets/QDialog>

#include <functional>

class QAction;
class QLineEdit;
class QListWidget;

namespace lockscope::ui {

/// A thing that is found by a part of its text, and what shows it.
struct Finding
{
    QString text;
    QIcon icon;
    std::function<void()> show;
};

/// Type a few letters, press Enter: every action of the menus, and what there is on the server, in one list. Ctrl+K.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    /// The actions are not owned and may go; those without text are left out. The findings are those of now.
    CommandPalette(const QList<QAction *> &actions, QList<Finding> findings, QWidget *parent = nullptr);

    /// Gives an action other words by which people look for it.
    static void addWords(QAction *action, const QString &words);

Q_SIGNALS:
    /// An action was chosen that is disabled; what it says of itself.
    void refused(const QString &why);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void fill();
    void trigger();
    void addAction(int number);
    void addFinding(int number);

    QList<QPointer<QAction>> m_actions;
    const QList<Finding> m_findings;
    QLineEdit *m_search;
    QListWidget *m_list;
};

} // namespace lockscope::ui
