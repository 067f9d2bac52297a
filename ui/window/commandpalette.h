// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/backgroundcalls.h"
#include "ui/style/statemark.h"

#include <QtCore/QPointer>
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
    Mark mark{};
    std::function<void()> show;
};
/// Makes them of what it has with it, in another thread: there may be very many.
using FindingsMaker = std::function<QList<Finding>()>;

/// Type a few letters, press Enter: every action of the menus, and what there is on the server, in one list. Ctrl+K.
/// What is on the server is looked through in another thread; who presses Enter meanwhile gets what comes of it.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    /// The actions are not owned and may go; those without text are left out. `calls` is not owned and must outlive it;
    /// closing waits for none of them.
    CommandPalette(BackgroundCalls *calls, const QList<QAction *> &actions, FindingsMaker findings,
                   QWidget *parent = nullptr);

    /// What was typed is being looked for.
    bool isSearching() const { return m_isSearching; }

    /// Gives an action other words by which people look for it.
    static void addWords(QAction *action, const QString &words);

Q_SIGNALS:
    /// An action was chosen that is disabled; what it says of itself.
    void refused(const QString &why);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// What a search looks through: made by the first one, and then of use to one at a time.
    struct Haystack
    {
        FindingsMaker make;
        std::optional<QList<Finding>> all = {};

        QList<Finding> find(const QString &typed);
    };

    void onTyped();
    void search();
    void onFound(const QString &typed, const QList<Finding> &found);
    void trigger();
    void addAction(int number);
    void addFinding(int number);

    BackgroundCalls *m_calls;
    QList<QPointer<QAction>> m_actions;
    const std::shared_ptr<Haystack> m_haystack;
    QList<Finding> m_findings; ///< that are shown
    bool m_isSearching = false;
    bool m_isTriggered = false; ///< while it is looked for
    QLineEdit *m_search;
    QListWidget *m_list;
};

} // namespace lockscope::ui
