// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

namespace lockscope::test {

/// A folder that can be full: a file system of its own, seen by this thread, those that it starts, and its children
/// alone. Where nobody may mount one, no file of these processes becomes longer while it is full.
class SmallDisk
{
public:
    explicit SmallDisk(qint64 bytes)
    {
        const bool isOwn =
            ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
        m_isMounted = isOwn
            && ::mount("tmpfs", QFile::encodeName(m_folder.path()).constData(), "tmpfs", MS_NOSUID | MS_NODEV,
                       QByteArray("mode=0700,size=" + QByteArray::number(bytes)).constData())
                == 0;
        std::signal(SIGXFSZ, SIG_IGN); // by children too
        ::getrlimit(RLIMIT_FSIZE, &m_limit);
    }
    ~SmallDisk()
    {
        if (m_isMounted)
            ::umount2(QFile::encodeName(m_folder.path()).constData(), MNT_DETACH);
        else
            makeRoom();
    }
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    bool isMounted() const { return m_isMounted; }
    /// One of the processes that write here, beside this one.
    void setChild(pid_t pid) { m_child = pid; }
    /// From now on not a byte more can be written.
    void fill()
    {
        if (!m_isMounted) {
            qint64 longest = 0;
            for (const QFileInfo &file : QDir(m_folder.path()).entryInfoList(QDir::Files))
                longest = std::max(longest, file.size());
            limitTo(rlim_t(longest));
            return;
        }
        QFile ballast(path(QStringLiteral("ballast")));
        ballast.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered);
        for (qsizetype size = qsizetype(64) * 1024; size > 0; size /= 2) {
            while (ballast.write(QByteArray(size, 'x')) == size) { }
        }
    }
    void makeRoom()
    {
        if (m_isMounted)
            QFile::remove(path(QStringLiteral("ballast")));
        else
            limitTo(m_limit.rlim_cur);
    }

private:
    void limitTo(rlim_t bytes)
    {
        rlimit now = m_limit;
        now.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &now);
        if (m_child > 0)
            ::prlimit(m_child, RLIMIT_FSIZE, &now, nullptr);
    }

    QTemporaryDir m_folder;
    bool m_isMounted = false;
    rlimit m_limit = {};
    pid_t m_child = 0;
};

} // namespace lockscope::test
