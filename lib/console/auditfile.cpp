// SPDX-License-Identifier: MIT
#include "auditfile.h"

#include "session/validation_p.h"
#include "visibletext.h"

#include <QtCore/QDateTime>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QStandardPaths>
#include <QtCore/QSysInfo>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr off_t kRoom = off_t{64} * 1024; ///< of the longest line; a reason and an outcome are sentences

QByteArray toLine(const AuditEntry &entry)
{
    const QJsonObject object{{u"at"_s, QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs)},
                             {u"operator"_s, AuditFile::operatorName()},
                             {u"server"_s, entry.server},
                             {u"account"_s, entry.account},
                             {u"target"_s, entry.target},
                             {u"statement"_s, entry.statement},
                             {u"reason"_s, entry.reason},
                             {u"outcome"_s, entry.outcome}};
    return visibleJson(QJsonDocument(object).toJson(QJsonDocument::Compact)) + '\n';
}

bool writeAll(int fd, QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const ssize_t count = ::write(fd, bytes.data(), static_cast<std::size_t>(bytes.size()));
        if (count < 0 && errno != EINTR)
            return false;
        bytes = bytes.sliced(qMax<ssize_t>(0, count));
    }
    return true;
}

std::optional<LockError> refusedFor(const QString &unwritten)
{
    if (unwritten.isEmpty())
        return std::nullopt;
    return detail::badRequest(u"What leaves no record is not done. "_s + unwritten);
}

/// A full disk is found before anything is done, where the file system can tell.
bool hasRoom(int fd, off_t size)
{
    return ::fallocate(fd, FALLOC_FL_KEEP_SIZE, size, kRoom) == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

} // namespace

QString AuditFile::defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/lockscope/audit.jsonl"_s;
}

QString AuditFile::operatorName()
{
    const passwd *user = ::getpwuid(::geteuid()); // NOLINT(concurrency-mt-unsafe): the answer is copied at once
    const QString name = user ? QString::fromLocal8Bit(user->pw_name) : QString::number(::geteuid());
    return name + u'@' + QSysInfo::machineHostName();
}

AuditFile::AuditFile(const QString &path)
    : m_path(path)
{
}

AuditFile::~AuditFile()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

QString AuditFile::cannot(const char *what) const
{
    const QString reason = QString::fromLocal8Bit(strerror(errno)); // NOLINT(concurrency-mt-unsafe): glibc's is safe
    return u"The audit file %1 cannot be %2: %3."_s.arg(m_path, QString::fromLatin1(what), reason);
}

QString AuditFile::open()
{
    QDir().mkpath(QFileInfo(m_path).path()); // when it fails, open tells why
    if (m_fd >= 0)
        ::close(m_fd);
    // For reading too: a line that broke off must not swallow the next one.
    m_fd = ::open(QFile::encodeName(m_path).constData(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    struct stat file = {};
    if (m_fd < 0 || ::fstat(m_fd, &file) != 0)
        return cannot("opened");
    if (!S_ISREG(file.st_mode))
        return u"The audit file %1 cannot be opened: it is not an ordinary file."_s.arg(m_path);
    if (::fchmod(m_fd, 0600) != 0)
        return cannot("made private");
    return hasRoom(m_fd, file.st_size) ? QString() : cannot("written");
}

bool AuditFile::endsWithinALine(qint64 size) const
{
    char last = '\n';
    return size > 0 && ::pread(m_fd, &last, 1, size - 1) == 1 && last != '\n';
}

QString AuditFile::append(const QList<AuditEntry> &entries)
{
    if (m_fd < 0)
        return u"The audit file %1 is not open."_s.arg(m_path);
    QByteArray lines;
    for (const AuditEntry &entry : entries)
        lines += toLine(entry);
    // While another process writes, the file ends within a line.
    const bool isAlone = ::flock(m_fd, LOCK_EX) == 0;
    const off_t size = ::lseek(m_fd, 0, SEEK_END);
    if (isAlone && endsWithinALine(size)) // of somebody who ended meanwhile
        lines.prepend('\n');
    const bool isWritten = writeAll(m_fd, lines) && ::fsync(m_fd) == 0;
    QString error = isWritten ? QString() : cannot("written");
    const bool isPart = !isWritten && isAlone && size >= 0;
    if (isPart && ::ftruncate(m_fd, size) != 0) // a part would tell of acts that are not done
        error = cannot("restored");
    ::flock(m_fd, LOCK_UN);
    return error;
}

std::optional<LockError> openRecord(AuditFile *audit)
{
    return refusedFor(audit->open());
}

std::optional<LockError> recordIntent(AuditFile *audit, const AuditEntry &entry)
{
    return recordIntents(audit, {entry});
}

std::optional<LockError> recordIntents(AuditFile *audit, QList<AuditEntry> entries)
{
    for (AuditEntry &entry : entries)
        entry.outcome = AuditFile::intentOutcome();
    return refusedFor(audit->append(entries));
}

} // namespace lockscope
