// SPDX-License-Identifier: MIT
#include "testkeyring.h"

#include "console/keyring.h"
#include "enginefixture.h"
#include "privateserver/ownedchild.h"

#include <QtCore/QEventLoop>
#include <QtCore/QFile>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

/// Nothing is started on demand, and nobody but this user comes in.
constexpr auto kBusConfig = R"(<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=%1</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
)"_L1;

bool answers()
{
    QEventLoop loop;
    bool isThere = false;
    ServerUrl nobody;
    Keyring::read(Keyring::nameOf(nobody), &loop, [&](const Keyring::Answer &answer) {
        isThere = answer.error.isEmpty();
        loop.quit();
    });
    loop.exec();
    return isThere;
}

void finish(QProcess &process)
{
    process.terminate();
    if (!process.waitForFinished())
        process.kill();
    process.waitForFinished();
}

} // namespace

TestKeyring::TestKeyring()
{
    for (QProcess *process : {&m_bus, &m_daemon}) // however this process ends, nothing is left behind
        process->setChildProcessModifier(endsWithItsOwner());
    startBus();
    for (const char *name : {"HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
        qputenv(name, QFile::encodeName(m_folder.path()));
    qunsetenv("DISPLAY"); // a keyring that wants to ask somebody has to fail instead
    qunsetenv("WAYLAND_DISPLAY");
    qunsetenv("KDE_FULL_SESSION"); // QtKeychain chooses by the desktop
    qputenv("XDG_CURRENT_DESKTOP", "GNOME");
}

TestKeyring::~TestKeyring()
{
    stop();
    finish(m_bus);
}

void TestKeyring::startBus()
{
    const QString path = m_folder.filePath(u"bus.conf"_s);
    QFile config(path);
    if (!config.open(QIODevice::WriteOnly) || config.write(QString(kBusConfig).arg(m_folder.path()).toUtf8()) < 0)
        qFatal("Cannot write %ls", qUtf16Printable(path));
    config.close();
    m_bus.setProcessChannelMode(QProcess::SeparateChannels);
    m_bus.start(u"dbus-daemon"_s, {u"--config-file="_s + path, u"--nofork"_s, u"--print-address=1"_s});
    if (!m_bus.waitForReadyRead())
        qFatal("dbus-daemon (see resources/packages.txt): %s", m_bus.readAllStandardError().constData());
    qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.readLine().trimmed());
}

void TestKeyring::start()
{
    m_daemon.start(u"gnome-keyring-daemon"_s, {u"--unlock"_s, u"--foreground"_s, u"--components=secrets"_s});
    m_daemon.write("the keyring's own password");
    m_daemon.closeWriteChannel();
    if (!m_daemon.waitForStarted() || !eventually(answers))
        qFatal("gnome-keyring-daemon (see resources/packages.txt): %s", m_daemon.readAllStandardError().constData());
}

void TestKeyring::stop()
{
    if (isRunning())
        finish(m_daemon);
}

} // namespace lockscope::test
