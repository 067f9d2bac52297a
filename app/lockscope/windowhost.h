// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/appearance.h"

#include <QtCore/QObject>

#include <memory>

namespace lockscope {

namespace ui {
class MainWindow;
class ServerConnection;
} // namespace ui

/// The window, and another in its place when it is to speak another language or be of another size. Thread: the GUI's.
class WindowHost : public QObject
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the host. `remembers`: what is chosen is kept for the next start.
    WindowHost(ui::ServerConnection *connection, const ui::Appearance &appearance, bool remembers);
    ~WindowHost() override;

    ui::MainWindow *window() const { return m_window.get(); }
    void choose(const ui::Appearance &appearance);

Q_SIGNALS:
    /// Of the window that there is.
    void demoWanted();

private:
    std::unique_ptr<ui::MainWindow> make();

    ui::ServerConnection *m_connection;
    ui::Appearance m_appearance;
    const bool m_remembers;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace lockscope
