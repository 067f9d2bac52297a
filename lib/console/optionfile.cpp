// SPDX-License-Identifier: MIT
#include "optionfile.h"

#include "consoleurl.h"

#include <QtCore/QFileInfo>
#include <QtCore/QMap>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPatienceMs = 10'000;

/// The lines `--name=value` that my_print_defaults makes of the file.
std::optional<QString> printed(const QString &path, QString *error)
{
    const QString program = QStandardPaths::findExecutable(u"my_print_defaults"_s);
    if (program.isEmpty()) {
        *error = u"Option files are read by my_print_defaults, which is not installed. On Debian: apt install "
                 "mariadb-client-core"_s;
        return std::nullopt;
    }
    const QString file = u"--defaults-file="_s + path;
    // MySQL's hides passwords unless told; MariaDB's does not know how to, and refuses the word.
    for (const QStringList &words : {QStringList{file, u"--show"_s, u"client"_s}, QStringList{file, u"client"_s}}) {
        QProcess process;
        process.start(program, words, QIODevice::ReadOnly);
        if (process.waitForFinished(kPatienceMs) && process.exitStatus() == QProcess::NormalExit
            && process.exitCode() == 0)
            return QString::fromUtf8(process.readAllStandardOutput());
    }
    *error = u"The option file %1 could not be read by my_print_defaults."_s.arg(path);
    return std::nullopt;
}

/// The last value of a name counts; `_` in a name is `-`.
std::optional<QMap<QString, QString>> values(const QString &lines)
{
    QMap<QString, QString> values;
    for (const QString &line : lines.split(u'\n', Qt::SkipEmptyParts)) {
        if (!line.startsWith("--"_L1))
            return std::nullopt; // the rest of a value that has a line break
        values.insert(line.mid(2).section(u'=', 0, 0).replace(u'_', u'-'), line.section(u'=', 1));
    }
    return values;
}

ServerUrl urlOf(const QMap<QString, QString> &values)
{
    ServerUrl url;
    url.user = values.value(u"user"_s);
    url.schema = defaultSchema();
    url.caFile = values.value(u"ssl-ca"_s);
    const QString host = values.value(u"host"_s, u"localhost"_s);
    if (host == "localhost"_L1) // the only host for which clients use the socket
        url.socket = values.value(u"socket"_s);
    if (url.socket.isEmpty()) {
        url.host = host;
        url.port = values.value(u"port"_s, u"3306"_s).toInt();
    }
    return url;
}

} // namespace

std::optional<OptionFile> OptionFile::read(const QString &path, QString *error)
{
    const QFileInfo info(path);
    if (!info.isFile() || !info.isReadable()) {
        *error = u"The option file %1 cannot be read."_s.arg(path);
        return std::nullopt;
    }
    const auto lines = printed(info.absoluteFilePath(), error);
    if (!lines)
        return std::nullopt;
    const auto found = values(*lines);
    OptionFile result;
    if (!found) {
        *error = u"The option file %1 has a value with a line break."_s.arg(path);
        return std::nullopt;
    }
    result.password = found->value(u"password"_s);
    constexpr auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    if (!result.password.isEmpty() && (info.permissions() & others) != 0) {
        *error = u"The option file %1 has a password and can be read by others; `chmod 600` it first."_s.arg(path);
        return std::nullopt;
    }
    const ServerUrl url = urlOf(*found);
    if (url.user.isEmpty()) {
        *error = u"The option file %1 names no user in its group [client]."_s.arg(path);
        return std::nullopt;
    }
    if (!ServerUrl::parse(url.toString(), &result.url, error))
        return std::nullopt;
    return result;
}

} // namespace lockscope
