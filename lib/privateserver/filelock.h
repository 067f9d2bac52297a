// SPDX-License-Identifier: MIT
#pragma once

#include "ownfolder.h"

#include <QtCore/QList>
#include <QtCore/QString>

#include <chrono>

namespace lockscope {

/// A lock on a whole file that belongs to the open file, not to the process (fcntl's F_OFD_SETLK): a started program
/// that inherits the file holds the lock until it ends, however it ends, and looking whether it is held takes nothing.
/// Thread: one at a time.
class FileLock
{
public:
    /// Of the file of that name, which is made where it is missing.
    FileLock(const OwnFolder &folder, const char *name);
    /// Closes the file, which frees the lock unless another process inherited it.
    ~FileLock();
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;

    /// Takes the lock, waiting up to `timeout`. False when it is held or the file cannot be opened: see errorText().
    bool take(std::chrono::milliseconds timeout);
    /// Takes a share of the lock: any number of objects may have one, and nobody then the lock but who has the only
    /// one. The same waits and errors.
    bool share(std::chrono::milliseconds timeout);
    /// The processes whose other objects have shares.
    QList<qint64> sharers() const;
    /// True while anybody, this object included when asked through another one, holds the lock.
    bool isHeldByOther() const;
    /// The number that stands in the file; 0 for none.
    qint64 recordedPid() const;
    /// Writes this process's number into the file. Needs the lock.
    void recordOwnPid();
    int descriptor() const { return m_fd; }
    /// The system's words when the file could not be opened or locked; empty when it is only held.
    QString errorText() const { return m_error; }

private:
    bool lock(short type, qint64 from, qint64 length, std::chrono::milliseconds timeout);

    int m_fd = -1;
    QString m_error;
};

/// The process that holds a classic record lock (F_SETLK, as InnoDB takes on its files) on `path`; 0 for none.
qint64 recordLockHolder(const QString &path);

} // namespace lockscope
