// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/appearance.h"

#include <QtCore/QObject>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace lockscope::ui {

class DeadlocksPage;
class LocksPage;
class Page;
class WaitsPage;

/// Whose actions and menus stand in the window's menu bar.
struct MenuOwners
{
    LocksPage *locks;
    WaitsPage *waits;
    DeadlocksPage *deadlocks;
    QAction *alarms;
    QMenu *servers;
    QMenu *intervals;
    QList<QAction *> incidents; ///< of a recording
};

/// The window's own actions and its menus, where every shortcut can be found.
class WindowActions : public QObject
{
    Q_OBJECT
public:
    explicit WindowActions(QObject *parent);

    QAction *connectTo;
    QAction *startDemo;
    QAction *newWindow; ///< for another server beside this one
    QAction *record;    ///< checked while a recording goes on
    QAction *openRecording;
    QAction *exportList;
    QAction *quit;
    QAction *pause;
    QAction *refresh;
    QAction *filter;
    QAction *palette;
    QAction *close; ///< Esc
    QAction *operatorMode;
    QAction *pageHelp;
    QAction *presenter;
    QAction *utc;
    QList<QAction *> themes;    ///< each has its Theme as data
    QList<QAction *> languages; ///< each has its language as data; the first is the desktop's
    QAction *about;
    QAction *aboutQt;
    QList<QAction *> pages;

    void addPage(const Page &page);
    /// What is marked as chosen among themes and languages, presenter mode and UTC.
    Appearance appearance() const;
    void setAppearance(const Appearance &appearance);
    /// Fills the window's menu bar; page and list actions come from their owners.
    void fillMenus(QMainWindow *window, const MenuOwners &owners);
    /// "File" of "&File", "文件" of "文件(&F)".
    static QString withoutMnemonic(QString text);
    /// All actions of all menus, for the palette.
    static QList<QAction *> all(const QMainWindow *window);

Q_SIGNALS:
    /// A person chose another one.
    void appearanceChosen();

private:
    void addWords(const MenuOwners &owners);
    QAction *makeChoice(QActionGroup *group, const QString &text, const QVariant &data);
    QAction *make(const QString &icon, const QString &text, const QKeySequence &keys, const QString &tip);
};

} // namespace lockscope::ui
