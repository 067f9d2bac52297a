// SPDX-License-Identifier: MIT
#include "recordingfile.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

QString whyNoFile(const QString &path, const struct stat &found)
{
    if (!S_ISREG(found.st_mode))
        return u"%1 is not a file."_s.arg(path);
    if (found.st_uid != ::geteuid())
        return u"%1 belongs to another user, who could change what is recorded."_s.arg(path);
    if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return u"Others may read or write %1: chmod 600 it, or name another file."_s.arg(path);
    return {};
}

} // namespace

std::unique_ptr<RecordingFile> RecordingFile::open(const QString &path, QString *error)
{
    const int descriptor = ::open(QFile::encodeName(path).constData(),
                                  O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        *error = errno == ELOOP ? u"%1 is a symbolic link, which is not followed."_s.arg(path)
                                : u"%1 cannot be written: %2."_s.arg(path, qt_error_string(errno));
        return nullptr;
    }
    std::unique_ptr<RecordingFile> file(new RecordingFile(path, descriptor));
    struct stat found = {};
    ::fstat(descriptor, &found);
    *error = whyNoFile(path, found);
    return error->isEmpty() ? std::move(file) : nullptr;
}

RecordingFile::RecordingFile(QString path, int descriptor)
    : m_path(std::move(path))
    , m_descriptor(descriptor)
{
}

RecordingFile::~RecordingFile()
{
    ::close(m_descriptor);
}

RecordingHeader RecordingFile::header() const
{
    struct stat found = {};
    ::fstat(m_descriptor, &found);
    QByteArray start(100, '\0');
    const auto length = ::pread(m_descriptor, start.data(), size_t(start.size()), 0);
    return RecordingHeader::of(start.left(qMax<qsizetype>(length, 0)), found.st_size);
}

/// Where the file system has no such locks, there is still the one beside the file.
bool RecordingFile::lock() const
{
    return ::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

QString RecordingFile::whyLost() const
{
    struct stat own = {};
    struct stat there = {};
    ::fstat(m_descriptor, &own);
    const bool isThere = ::lstat(QFile::encodeName(m_path).constData(), &there) == 0;
    if (isThere ? own.st_dev == there.st_dev && own.st_ino == there.st_ino : errno != ENOENT && errno != ENOTDIR)
        return {};
    const QString now = QFile::symLinkTarget(u"/proc/self/fd/%1"_s.arg(m_descriptor));
    if (own.st_nlink > 0 && QFileInfo::exists(now))
        return u"%1 was moved to %2 while it was recorded to. What was recorded until then is there; nothing more is "
               "kept."_s.arg(m_path, now);
    return (isThere ? u"%1 was replaced by another file while it was recorded to: nothing more is kept."_s
                    : u"%1 was removed while it was recorded to: nothing more is kept."_s)
        .arg(m_path);
}

} // namespace lockscope
