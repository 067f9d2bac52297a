// SPDX-License-Identifier: MIT
#include "privatefolder.h"

#include "socketprobe.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QSaveFile>
#include <QtCore/QStandardPaths>

#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr qint64 kMaxLogBytes = 1 << 20;
constexpr int kErrorLines = 5;

QString systemText(int error)
{
    return QString::fromLocal8Bit(strerror(error)); // NOLINT(concurrency-mt-unsafe): glibc's is thread-safe
}

/// Makes the last folder of `path` with mode 0700, its parents with the usual mode. What exists is left alone.
bool makePrivate(const QString &path, QString *error)
{
    QDir().mkpath(QFileInfo(path).path());
    if (::mkdir(QFile::encodeName(path).constData(), 0700) == 0 || (errno == EEXIST && QFileInfo(path).isDir()))
        return true;
    *error = u"The folder %1 cannot be made: %2."_s.arg(path, systemText(errno));
    return false;
}

/// A folder that belongs to us and that nobody else can enter.
bool checkPrivate(const QString &path, QString *error)
{
    struct stat info = {};
    const QByteArray name = QFile::encodeName(path);
    if (::stat(name.constData(), &info) != 0 || ::access(name.constData(), W_OK | X_OK) != 0) {
        *error = u"The folder %1 cannot be used: %2."_s.arg(path, systemText(errno));
        return false;
    }
    if (info.st_uid != ::geteuid()) {
        *error =
            u"The folder %1 belongs to another user (%2); a private server runs as the user who owns its folder."_s.arg(
                path, QFileInfo(path).owner());
        return false;
    }
    if ((info.st_mode & S_ISVTX) != 0) {
        *error = u"The folder %1 is shared by all users; name one of your own."_s.arg(path);
        return false;
    }
    if ((info.st_mode & 0077) != 0 && ::chmod(name.constData(), 0700) != 0) {
        *error = u"The folder %1 is open to others and cannot be closed: %2."_s.arg(path, systemText(errno));
        return false;
    }
    return true;
}

bool fitsSocketAndUrl(const QString &path)
{
    return QFile::encodeName(path).size() <= MaxSocketPathBytes && !path.contains(u';');
}

/// "2026-01-31 12:00:00 0 [ERROR] InnoDB: …" and "…Z 0 [ERROR] [MY-010187] [Server] …" without what is not for people.
QString withoutStamp(const QString &line)
{
    const QString marker = u"[ERROR] "_s;
    QString text = line.mid(line.indexOf(marker) + marker.size());
    while (text.startsWith(u'[') && text.contains(u"] "_s))
        text = text.mid(text.indexOf(u"] "_s) + 2);
    return text;
}

} // namespace

QString PrivateFolder::defaultPath()
{
    // Not AppLocalDataLocation: window and command line have different names and mean the same server.
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/lockscope/private-server"_s;
}

bool PrivateFolder::prepare(const QString &folder, PrivateFolder *result, QString *error)
{
    const QString path = QDir::cleanPath(QDir::current().absoluteFilePath(folder.isEmpty() ? defaultPath() : folder));
    if (!makePrivate(path, error))
        return false;
    // Checked before the mode is changed: a folder of somebody's own must stay as it is.
    const QDir dir(path);
    if (!dir.exists(u"control.lock"_s)
        && !dir.isEmpty(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System)) {
        // Again: another start may have made the mark between the two looks.
        if (!dir.exists(u"control.lock"_s)) {
            *error = u"The folder %1 holds other files; name an empty or a new one."_s.arg(path);
            return false;
        }
    }
    if (!checkPrivate(path, error))
        return false;
    result->m_dir = QDir(dir.canonicalPath());
    return true;
}

bool PrivateFolder::find(const QString &folder, PrivateFolder *result)
{
    result->m_dir = QDir(QDir(folder.isEmpty() ? defaultPath() : folder).canonicalPath());
    return !result->m_dir.path().isEmpty() && result->m_dir.exists(u"control.lock"_s);
}

PrivateFolder::Record PrivateFolder::record() const
{
    QFile stored(file("server.json"));
    if (!stored.open(QIODevice::ReadOnly))
        return {};
    const QJsonObject object = QJsonDocument::fromJson(stored.readAll()).object();
    return {object.value(u"family"_s).toString(), object.value(u"version"_s).toString(),
            object.value(u"socket"_s).toString()};
}

bool PrivateFolder::write(const Record &record, QString *error) const
{
    QSaveFile stored(file("server.json"));
    const QJsonObject object{
        {u"family"_s, record.family}, {u"version"_s, record.version}, {u"socket"_s, record.socket}};
    if (stored.open(QIODevice::WriteOnly) && stored.write(QJsonDocument(object).toJson()) > 0 && stored.commit())
        return true;
    *error = u"The file %1 cannot be written: %2."_s.arg(stored.fileName(), stored.errorString());
    return false;
}

QString PrivateFolder::chooseSocket(QString *error) const
{
    const QString here = file("s");
    if (fitsSocketAndUrl(here))
        return here;
    const QByteArray hash = QCryptographicHash::hash(QFile::encodeName(path()), QCryptographicHash::Sha256);
    const QString name = u"/lockscope-%1-%2"_s.arg(::geteuid()).arg(QLatin1String(hash.toHex().left(16)));
    for (const QString &parent : {qEnvironmentVariable("XDG_RUNTIME_DIR"), u"/tmp"_s}) {
        const QString folder = parent + name;
        if (parent.isEmpty() || !fitsSocketAndUrl(folder + u"/s"_s))
            continue;
        // In /tmp anybody may have made the name before us; then it is not ours, and we do not use it.
        if (makePrivate(folder, error) && !QFileInfo(folder).isSymLink() && checkPrivate(folder, error))
            return folder + u"/s"_s;
    }
    if (error->isEmpty())
        *error = u"The path %1 is too long for a socket, and no short folder could be made for it."_s.arg(path());
    return {};
}

void PrivateFolder::removeSocket(const QString &socket) const
{
    if (socket.isEmpty())
        return;
    QFile::remove(socket);
    QFile::remove(socket + u".lock"_s); // MySQL's; it refuses to start while the number in it is some living process
    const QString folder = QFileInfo(socket).path();
    if (folder != path())
        QDir().rmdir(folder);
}

void PrivateFolder::rotateLog() const
{
    if (QFileInfo(log()).size() < kMaxLogBytes)
        return;
    QFile::remove(file("server.log.old"));
    QFile::rename(log(), file("server.log.old"));
}

QString PrivateFolder::errorsSince(qint64 offset) const
{
    QFile file(log());
    if (!file.open(QIODevice::ReadOnly) || !file.seek(offset))
        return {};
    const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
    QStringList errors;
    for (const QString &line : lines) {
        if (line.contains(u"[ERROR] "_s) && !line.endsWith(u"Aborting"_s) && errors.size() < kErrorLines)
            errors.append(withoutStamp(line));
    }
    return (errors.isEmpty() ? lines.mid(qMax<qsizetype>(0, lines.size() - kErrorLines)) : errors).join(u'\n');
}

} // namespace lockscope
