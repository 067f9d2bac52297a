// SPDX-License-Identifier: MIT
#include "windowhost.h"

#include "ui/pages/lab/labpage.h"
#include "ui/pages/lessons/lessonspage.h"
#include "ui/server/serverconnection.h"
#include "ui/window/mainwindow.h"

#include <QtCore/QSettings>

namespace lockscope {

WindowHost::WindowHost(ui::ServerConnection *connection, const ui::Appearance &appearance, bool remembers)
    : m_connection(connection)
    , m_appearance(appearance)
    , m_remembers(remembers)
{
    ui::applyAppearance(appearance);
    m_window = make();
}

WindowHost::~WindowHost() = default;

std::unique_ptr<ui::MainWindow> WindowHost::make()
{
    auto window = std::make_unique<ui::MainWindow>(m_connection);
    window->setRemembersState(m_remembers);
    window->setAppearance(m_appearance);
    if (m_remembers)
        window->restoreState();
    // Queued: the window that asks is in the middle of something.
    connect(window.get(), &ui::MainWindow::appearanceChosen, this, &WindowHost::choose, Qt::QueuedConnection);
    connect(window.get(), &ui::MainWindow::demoWanted, this, &WindowHost::demoWanted);
    return window;
}

void WindowHost::choose(const ui::Appearance &appearance)
{
    const bool needsOther = appearance.needsOtherWindow(m_appearance);
    m_appearance = appearance;
    if (m_remembers) {
        QSettings settings;
        ui::saveAppearance(settings, appearance);
    }
    ui::applyAppearance(appearance);
    m_window->setAppearance(appearance);
    if (!needsOther)
        return; // colours and times follow by themselves
    m_window->saveState();
    const int page = m_window->page();
    auto next = make();
    next->labPage()->takeOver(m_window->labPage());
    next->lessonsPage()->takeOver(m_window->lessonsPage());
    next->restoreGeometry(m_window->saveGeometry()); // where it was, and as large
    next->showPage(page);
    next->show();
    m_window = std::move(next);
    m_connection->reopen(); // the new one has not heard what the server said so far
}

} // namespace lockscope
