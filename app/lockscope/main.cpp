// SPDX-License-Identifier: MIT
#include "console/environmentpassword.h"
#include "console/visibletext.h"
#include "demo.h"
#include "demoservice.h"
#include "options.h"
#include "quitsignals.h"
#include "tour.h"
#include "windowhost.h"

#include "ui/server/serverchooser.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/window/mainwindow.h"

#include <QtWidgets/QApplication>

#include <cstdio>
#include <memory>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

constexpr int kUsage = 64;
constexpr int kUnavailable = 69;

void nameApplication()
{
    QCoreApplication::setApplicationName(u"lockscope"_s);
    QCoreApplication::setOrganizationName(u"lockscope"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKSCOPE_VERSION));
    QGuiApplication::setApplicationDisplayName(u"Lockscope"_s);
    QGuiApplication::setDesktopFileName(u"lockscope"_s);
}

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
        || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

int runWindow(const Options &options, const QString &password)
{
    ui::ServerConnection connection;
    Demo demo;
    int code = 0;
    {
        WindowHost host(&connection, options.appearance(), true);
        bool isDemoWanted = options.isDemo;
        const auto startDemo = [&] {
            if (isDemoWanted && connection.status().phase == MonitorStatus::Phase::Live
                && connection.profile().isPrivate && !demo.isRunning())
                demo.start(connection.url());
        };
        QObject::connect(&connection, &ui::ServerConnection::statusChanged, &demo, startDemo);
        QObject::connect(&host, &WindowHost::demoWanted, &demo, [&] {
            isDemoWanted = true;
            if (connection.profile().isPrivate)
                startDemo();
            else
                connection.open(connection.privateProfile(), {});
        });
        ui::ServerProfile profile = ui::ServerProfile::privateServer(options.folder);
        if (!options.recording.isEmpty())
            profile = ui::ServerProfile::ofRecording(options.recording);
        else if (!options.store.isEmpty())
            profile = host.window()->chooser()->profileAt(options.store);
        else if (!options.url.user.isEmpty())
            profile = host.window()->chooser()->profileOf(options.url);
        if (options.appearance().isPresenter)
            host.window()->showMaximized();
        else
            host.window()->show();
        if (password.isEmpty() && profile.remembersPassword)
            host.window()->chooser()->open(profile);
        else
            connection.open(profile, profile.isPrivate ? QString() : password);
        if (profile.isPrivate && options.folder.isEmpty() && !options.isDemo)
            host.window()->offerLast();
        code = QApplication::exec();
    }
    demo.stop();
    connection.leavePrivateServer();
    return code;
}

/// Everything that needs no window is decided before Qt looks for a display.
int runWithoutWindow(Start start, const Options &options, const QString &text)
{
    switch (start) {
    case Start::ShowHelp:
    case Start::ShowVersion:
        std::printf("%s\n", qPrintable(text));
        return 0;
    case Start::Refuse:
        std::fprintf(stderr, "lockscope: %s\n", qPrintable(visibleLines(text)));
        return kUsage;
    case Start::Run:
        break;
    }
    return runDemoService(options.demoService, options.url);
}

} // namespace

int main(int argc, char *argv[])
{
    showQtMessagesVisibly();
    nameApplication();
    const QString password = takeEnvironmentPassword();
    Options options;
    {
        int count = argc;
        const QCoreApplication plain(count, argv);
        QString text;
        const Start start = readOptions(QCoreApplication::arguments().mid(1), &options, &text);
        if (start != Start::Run || !options.demoService.isEmpty())
            return runWithoutWindow(start, options, text);
    }
    if (!options.tourFolder.isEmpty() && !hasDisplay())
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!hasDisplay()) {
        std::fprintf(stderr, "lockscope: there is no display. `lockscope --tour FOLDER` makes pictures without one.\n");
        return kUnavailable;
    }
    const QApplication application(argc, argv);
    const QuitSignals quitSignals;
    QApplication::setWindowIcon(ui::applicationIcon());
    if (!options.tourFolder.isEmpty())
        return Tour(options).run();
    return runWindow(options, password);
}
