// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QDir>

namespace lockscope {

/// A folder of this process (0700), gone with the object. Whoever could enter it would reach what listens there as this
/// user. Thread: one at a time.
class ProcessFolder
{
public:
    enum class Place {
        Short, ///< with a short path, for sockets and for what serves them; often in memory
        Disk   ///< in the user's cache, for data that takes its way to the disk
    };

    explicit ProcessFolder(Place place = Place::Short);
    ~ProcessFolder();
    ProcessFolder(const ProcessFolder &) = delete;
    ProcessFolder &operator=(const ProcessFolder &) = delete;

    /// False where none could be made.
    bool isValid() const { return m_isMade; }
    QString path() const { return m_folder.path(); }
    QString filePath(const QString &name) const { return m_folder.filePath(name); }

    /// Where they are: nobody but this user can make or exchange anything there. Empty where that cannot be had.
    static QString parent(Place place = Place::Short);
    /// Removes what processes left that are gone.
    static void removeDead();

private:
    QDir m_folder;
    bool m_isMade = false;
};

} // namespace lockscope
