#pragma once

#include <QtCore/QObject>

class QAction;
class QMainWindow;
class QMenu;

namespace lockscope::ui {

class LocksPage;
class Page;

/// The window's own actions and its menus, where every shortcut can be found.
class WindowActions : public QObject
{
    Q_OBJECT
public:
    explicit WindowActions(QObject *parent);

    QAction *connectTo;
    QAction *exportList;
    QAction *quit;
    QAction *pause;
    QAction *refresh;
    QAction *filter;
    QAction *palette;
    QAction *close; ///< Esc
    QAction *operatorMode;
    QAction *pageHelp;
    QAction *about;
    QAction *aboutQt;
    QList<QAction *> pages;

    void addPage(const Page &page);
    /// Fills the window's menu bar; page and list actions come from their owners.
    void fillMenus(QMainWindow *window, LocksPage *locks, QMenu *servers, QMenu *intervals);
    /// All actions of all menus, for the palette.
    static QList<QAction *> all(const QMainWindow *window);

private:
    QAction *make(const QString &icon, const QString &text, const QKeySequence &keys, const QString &tip);
};

} // namespace lockscope::ui
