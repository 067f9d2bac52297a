// SPDX-License-Identifier: MIT
#include "newwindow.h"

#include "ui/server/serverconnection.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QProcess>
#include <QtCore/QProcessEnvironment>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

QStringList windowArguments(const ServerProfile &server, const Appearance &appearance)
{
    QStringList words{u"--theme"_s, themeName(appearance.theme)};
    if (!appearance.language.isEmpty())
        words += {u"--language"_s, appearance.language};
    if (appearance.isPresenter)
        words += u"--presenter"_s;
    if (!server.recording.isEmpty())
        words += {u"--recording"_s, server.recording};
    else if (!server.isPrivate && !server.urlText().isEmpty())
        words += {u"--url"_s, server.urlText()};
    else if (!server.folder.isEmpty())
        words += {u"--dir"_s, server.folder};
    return words;
}

/// What the environment says is of the server that this program was started with.
bool startWindow(const ServerConnection &connection, const Appearance &appearance)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(u"LOCKSCOPE_URL"_s);
    environment.remove(u"LOCKSCOPE_PASSWORD"_s);
    if (const QString &password = connection.target().password; !password.isEmpty())
        environment.insert(u"LOCKSCOPE_PASSWORD"_s, password);
    QProcess process;
    process.setProgram(QCoreApplication::applicationFilePath());
    process.setArguments(windowArguments(connection.profile(), appearance));
    process.setProcessEnvironment(environment);
    return process.startDetached();
}

} // namespace lockscope::ui
