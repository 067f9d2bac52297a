// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/window/mainwindow.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QLocalServer>
#include <QtTest/QTest>

#include <memory>

namespace lockscope::test {

/// What tests of the window begin and end with: settings of their own, also while another runs, light colours and
/// English, and for each test function a window that keeps nothing of its state, with a connection of its own.
class WindowTest : public QObject
{
protected:
    /// For initTestCase().
    void prepare()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("lockscope-test"));
        QCoreApplication::setApplicationName(QString::fromLatin1(metaObject()->className()));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        ui::applyAppearance({ui::Theme::Light, QStringLiteral("en"), false});
    }
    /// For init(); not yet shown.
    void makeWindow()
    {
        m_connection = std::make_unique<ui::ServerConnection>();
        m_window = std::make_unique<ui::MainWindow>(m_connection.get());
        m_window->setRemembersState(false);
        m_window->resize(1280, 800); // wider than the screen that there is without a display
    }
    /// For cleanup().
    void closeWindow()
    {
        m_silent.close(); // nobody waits for its answer any more
        m_window.reset();
        m_connection.reset();
    }
    void openServer(const QString &name, const ServerUrl &url, bool isPrivate = false)
    {
        ui::ServerProfile profile;
        profile.name = name;
        profile.url = url;
        profile.isPrivate = isPrivate;
        m_connection->open(profile, {});
    }
    /// One that takes connections and says nothing: what is heard of it is what the test emits.
    void openSilentServer()
    {
        ServerUrl url;
        url.socket = m_folder.filePath(QStringLiteral("silent"));
        QVERIFY(m_silent.listen(url.socket));
        openServer(QStringLiteral("silent"), url);
    }

    QTemporaryDir m_folder;
    QLocalServer m_silent;
    std::unique_ptr<ui::ServerConnection> m_connection;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace lockscope::test
