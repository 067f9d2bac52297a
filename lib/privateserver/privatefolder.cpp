// SPDX-License-Identifier: MIT
#include "privatefolder.h"

#include "console/wholefile.h"
#include "socketprobe.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QStandardPaths>

#include <fcntl.h>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr qint64 kMaxLogBytes = 1 << 20;
constexpr int kErrorLines = 5;

bool fitsSocketAndUrl(const QString &path)
{
    return QFile::encodeName(path).size() <= MaxSocketPathBytes && !path.contains(u';');
}

void removeSocketFrom(const OwnFolder &folder)
{
    folder.remove("s");
    folder.remove("s.lock"); // MySQL's; it refuses to start while the number in it is some living process
}

/// "2026-01-31 12:00:00 0 [ERROR] InnoDB: …" and "…Z 0 [ERROR] [MY-010187] [Server] …" without what people need not
/// see.
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
    if (!QFileInfo(path).isSymLink() && !OwnFolder::make(path, error).isOpen())
        return false;
    const QString real = QDir(path).canonicalPath();
    result->m_dir = QDir(real);
    result->m_own = OwnFolder::open(real.isEmpty() ? path : real, error);
    if (!result->m_own.isOpen())
        return false;
    if (result->m_own.isShared()) {
        *error = u"The folder %1 is shared by all users; name one of your own."_s.arg(path);
        return false;
    }
    // Checked before the mode is changed: a folder of somebody's own must stay as it is. The mark is looked for twice,
    // for another start may have made it between the two looks.
    if (!result->isMarked()
        && !result->m_dir.isEmpty(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System)
        && !result->isMarked()) {
        *error = u"The folder %1 holds other files; name an empty or a new one."_s.arg(path);
        return false;
    }
    return result->m_own.close(error);
}

bool PrivateFolder::find(const QString &folder, PrivateFolder *result, QString *error)
{
    const QString path = QDir(folder.isEmpty() ? defaultPath() : folder).canonicalPath();
    if (path.isEmpty()) // which would stand for the working directory
        return false;
    result->m_dir = QDir(path);
    if (!result->isMarked())
        return false;
    result->m_own = OwnFolder::open(path, error);
    return result->m_own.isOpen();
}

PrivateFolder::Record PrivateFolder::record() const
{
    QFile stored;
    const int fd = m_own.openFile("server.json", O_RDONLY);
    if (fd < 0 || !stored.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle))
        return {};
    const QJsonObject object = QJsonDocument::fromJson(stored.readAll()).object();
    return {object.value(u"family"_s).toString(), object.value(u"version"_s).toString(),
            object.value(u"socket"_s).toString(), object.value(u"endsWithUsers"_s).toBool()};
}

bool PrivateFolder::write(const Record &record, QString *error) const
{
    const QString path = file("server.json");
    const QJsonObject object{{u"family"_s, record.family},
                             {u"version"_s, record.version},
                             {u"socket"_s, record.socket},
                             {u"endsWithUsers"_s, record.endsWithUsers}};
    const QString why = writeWhole(path, QJsonDocument(object).toJson());
    if (!why.isEmpty())
        *error = u"The file %1 cannot be written: %2."_s.arg(path, why);
    return why.isEmpty();
}

QString PrivateFolder::shortName() const
{
    const QByteArray hash = QCryptographicHash::hash(QFile::encodeName(path()), QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex().left(16));
}

QString PrivateFolder::chooseSocket(QString *error) const
{
    const QString here = file("s");
    if (fitsSocketAndUrl(here))
        return here;
    for (const QString &parent : shortOwnFolders()) {
        const QString folder = parent + u'/' + shortName();
        if (fitsSocketAndUrl(folder + u"/s"_s) && OwnFolder::make(folder, error).isOpen())
            return folder + u"/s"_s;
    }
    if (error->isEmpty())
        *error = u"The path %1 is too long for a socket, and no short folder could be made for it."_s.arg(path());
    return {};
}

void PrivateFolder::removeSocket() const
{
    removeSocketFrom(m_own);
    if (fitsSocketAndUrl(file("s")))
        return;
    QString none;
    for (const QString &parent : shortOwnFolders()) {
        const OwnFolder folder = OwnFolder::open(parent + u'/' + shortName(), &none);
        if (!folder.isOpen())
            continue;
        removeSocketFrom(folder);
        OwnFolder::open(parent, &none).removeFolder(shortName());
    }
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
