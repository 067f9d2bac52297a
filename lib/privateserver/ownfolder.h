// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <memory>

namespace lockscope {

/// A folder of this user, held open: what is asked of it, and removed from it, is in the folder that was checked,
/// whatever comes to stand at its path later. Copies share it. Thread: any.
class OwnFolder
{
public:
    OwnFolder() = default;
    /// Follows no link at the end of `path`. Without a folder, and `*error` a sentence, when there is none or when it
    /// belongs to somebody else.
    static OwnFolder open(const QString &path, QString *error);
    /// The same after making it (0700) where it is missing, its parents with the usual mode.
    static OwnFolder make(const QString &path, QString *error);
    bool isOpen() const { return m_fd != nullptr; }

    /// Whether others may enter it, or do with it what everybody may (as with /tmp).
    bool isOpenToOthers() const;
    bool isShared() const;
    /// Takes away what others may do with it.
    bool close(QString *error) const;

    /// An ordinary file of this user's, never what a link leads to: -1 where there is none. The caller closes it.
    int openFile(const char *name, int flags) const;
    /// Removes a file, a socket or a link, never what that leads to.
    void remove(const char *name) const;
    void removeFolder(const QString &name) const;

private:
    std::shared_ptr<const int> m_fd;
    QString m_path;
};

/// Folders with short paths for sockets that nobody else may reach, below the user's runtime folder and in /tmp; made
/// where they are missing. Empty where neither can be had.
QStringList shortOwnFolders();

} // namespace lockscope
