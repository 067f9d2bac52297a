// SPDX-License-Identifier: MIT
#include "optionfile.h"

#include "consoleurl.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QMap>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>

#include <unistd.h>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPatienceMs = 10'000;

/// A look at the file and at what it includes, before my_print_defaults reads them: that one tells neither whose they
/// are nor where a value is from.
class OptionScan
{
public:
    /// False and error() when one of them must not be used.
    bool read(const QString &path);
    const QString &error() const { return m_error; }

private:
    bool isTrusted(const QFileInfo &info);
    bool takeLine(const QString &line, const QString &place, bool isOpen);
    bool include(const QString &line);
    bool refuse(const QString &why);

    static constexpr int kDeepest = 10; // as the servers' own clients go

    QMap<QString, QString> m_places; ///< where the server is named, by option
    QString m_error;
    int m_depth = 0;
};

bool OptionScan::refuse(const QString &why)
{
    m_error = why;
    return false;
}

/// Whoever could write it could send the password elsewhere.
bool OptionScan::isTrusted(const QFileInfo &info)
{
    if (info.ownerId() != 0 && info.ownerId() != ::geteuid())
        return refuse(u"The option file %1 belongs to another user (%2)."_s.arg(info.filePath(), info.owner()));
    if ((info.permissions() & (QFile::WriteGroup | QFile::WriteOther)) != 0)
        return refuse(u"The option file %1 can be written by others; `chmod 600` it first."_s.arg(info.filePath()));
    return true;
}

bool OptionScan::read(const QString &path)
{
    QFile file(path);
    const QFileInfo info(path);
    if (!info.isFile() || !file.open(QIODevice::ReadOnly))
        return refuse(u"The option file %1 cannot be read."_s.arg(path));
    if (!isTrusted(info))
        return false;
    constexpr auto readers = QFile::ReadGroup | QFile::ReadOther;
    const bool isOpen = (info.permissions() & readers) != 0;
    bool isClient = false;
    for (int number = 1; !file.atEnd(); ++number) {
        const QString line = QString::fromUtf8(file.readLine()).trimmed();
        if (line.startsWith(u'['))
            isClient = line.mid(1).section(u']', 0, 0).trimmed() == "client"_L1;
        if (line.startsWith("!include"_L1) && !include(line))
            return false;
        if (isClient && !takeLine(line, u"%1:%2"_s.arg(path).arg(number), isOpen))
            return false;
    }
    return true;
}

bool OptionScan::takeLine(const QString &line, const QString &place, bool isOpen)
{
    const QString name = line.section(u'=', 0, 0).trimmed().replace(u'_', u'-');
    if (name == "password"_L1 && isOpen)
        return refuse(u"%1 has a password and can be read by others; `chmod 600` the file first."_s.arg(place));
    if (name != "host"_L1 && name != "port"_L1 && name != "socket"_L1)
        return true;
    const QString before = m_places.value(name);
    m_places.insert(name, place);
    return before.isEmpty() || refuse(u"%1 names the server's %2, which %3 has named."_s.arg(place, name, before));
}

bool OptionScan::include(const QString &line)
{
    const QString path = line.simplified().section(u' ', 1);
    if (++m_depth > kDeepest)
        return refuse(u"The option file %1 is included too deep."_s.arg(path));
    bool isRight = true;
    if (line.startsWith("!includedir"_L1)) {
        for (const QFileInfo &info : QDir(path).entryInfoList({u"*.cnf"_s}, QDir::Files))
            isRight = isRight && read(info.filePath());
    } else {
        isRight = read(path);
    }
    --m_depth;
    return isRight;
}

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
    OptionScan scan;
    if (!scan.read(path)) {
        *error = scan.error();
        return std::nullopt;
    }
    const QFileInfo info(path);
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
