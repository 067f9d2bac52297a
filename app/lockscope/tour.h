// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"

#include "locks/snapshot.h"

#include <functional>
#include <memory>

class QWidget;

namespace lockscope {

class Demo;

namespace ui {
class MainWindow;
class ServerConnection;
} // namespace ui

/// Renders every page from the live demo to pictures, light and dark, and prints where they are and what lockctl says.
/// Nothing is made up: the pictures are the window as it stands on a real server.
class Tour
{
public:
    explicit Tour(const Options &options);
    ~Tour();

    /// 0, or 1 when something that should be seen was not there. Runs its own event loops.
    int run();

private:
    bool waitUntil(const char *what, const std::function<bool()> &condition);
    bool hasEnoughLocks() const;
    bool openWindow();
    bool releaseOne();
    void renderTheme(ui::Theme theme, const QString &suffix);
    void renderKind(LockKind kind, const QString &name);
    void renderWaits(const QString &suffix);
    void renderRing(const QString &suffix);
    void renderDeadlock(const QString &suffix);
    void renderKill(const QString &suffix);
    bool selectBlocker();
    void renderLab(const QString &suffix);
    void renderReleaseDialog(const QString &suffix);
    void save(QWidget *widget, const QString &name);
    bool printList();
    /// The lock with the longest queue that is held.
    std::optional<LockRow> busiestLock(LockKind kind) const;

    const Options m_options;
    std::unique_ptr<ui::ServerConnection> m_connection;
    std::unique_ptr<Demo> m_demo;
    std::unique_ptr<ui::MainWindow> m_window;
    QStringList m_pictures;
    bool m_isGood = true;
};

} // namespace lockscope
