// SPDX-License-Identifier: MIT
#include "ownfolder.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

mode_t modeOf(int fd)
{
    struct stat info = {};
    return ::fstat(fd, &info) == 0 ? info.st_mode : 07777;
}

/// One that is nobody else's from the beginning, or none.
bool isOursAlone(const OwnFolder &folder)
{
    return folder.isOpen() && !folder.isOpenToOthers();
}

} // namespace

OwnFolder OwnFolder::open(const QString &path, QString *error)
{
    OwnFolder folder;
    struct stat info = {};
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || ::fstat(fd, &info) != 0) {
        *error = u"The folder %1 cannot be used: %2."_s.arg(path, qt_error_string(errno));
        return folder;
    }
    const std::shared_ptr<const int> held(new int(fd), [](const int *last) {
        ::close(*last);
        delete last;
    });
    if (info.st_uid != ::geteuid()) {
        *error =
            u"The folder %1 belongs to another user (%2); a private server runs as the user who owns its folder."_s.arg(
                path, QFileInfo(path).owner());
        return folder;
    }
    folder.m_fd = held;
    folder.m_path = path;
    return folder;
}

OwnFolder OwnFolder::make(const QString &path, QString *error)
{
    QDir().mkpath(QFileInfo(path).path());
    if (::mkdir(QFile::encodeName(path).constData(), 0700) == 0 || (errno == EEXIST && QFileInfo(path).isDir()))
        return open(path, error);
    *error = u"The folder %1 cannot be made: %2."_s.arg(path, qt_error_string(errno));
    return {};
}

bool OwnFolder::isOpenToOthers() const
{
    return (modeOf(*m_fd) & 0077) != 0;
}

bool OwnFolder::isShared() const
{
    return (modeOf(*m_fd) & S_ISVTX) != 0;
}

bool OwnFolder::close(QString *error) const
{
    if (!isOpenToOthers() || ::fchmod(*m_fd, 0700) == 0)
        return true;
    *error = u"The folder %1 is open to others and cannot be closed: %2."_s.arg(m_path, qt_error_string(errno));
    return false;
}

int OwnFolder::openFile(const char *name, int flags) const
{
    struct stat info = {};
    // A pipe of that name would keep the caller waiting.
    const int fd = ::openat(*m_fd, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0)
        return -1;
    if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid())
        return fd;
    ::close(fd);
    errno = EPERM;
    return -1;
}

void OwnFolder::remove(const char *name) const
{
    ::unlinkat(*m_fd, name, 0);
}

void OwnFolder::removeFolder(const QString &name) const
{
    ::unlinkat(*m_fd, QFile::encodeName(name).constData(), AT_REMOVEDIR);
}

QStringList shortOwnFolders()
{
    QStringList folders;
    QString why;
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const QString below = runtime + u"/lockscope"_s;
    if (runtime.startsWith(u'/') && isOursAlone(OwnFolder::open(runtime, &why))
        && isOursAlone(OwnFolder::make(below, &why)))
        folders += below;
    // Anybody may have made the name before us; then it is not ours.
    const QString temporary = u"/tmp/lockscope-%1"_s.arg(::geteuid());
    if (isOursAlone(OwnFolder::make(temporary, &why)))
        folders += temporary;
    return folders;
}

} // namespace lockscope
