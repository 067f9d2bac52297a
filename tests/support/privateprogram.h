// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

namespace lockscope::test {

/// While it lives, private servers are of the family under test: with LOCKSCOPE_TEST_MYSQL the `mysqld` of that tree,
/// which runs where it lies by the loader and the libraries beside it.
class PrivateProgram
{
public:
    PrivateProgram()
    {
        const QDir root(qEnvironmentVariable("LOCKSCOPE_TEST_MYSQL"));
        if (root.path() == QLatin1String("."))
            return; // MariaDB, which is found by itself
        const QString loader = only(root, QStringLiteral("lib64"), QStringLiteral("ld-linux*"));
        const QString libraries = only(root, QStringLiteral("usr/lib"), QStringLiteral("*-linux-gnu"));
        const QString path = m_folder.filePath(QStringLiteral("mysqld"));
        QFile script(path);
        const QString text =
            QStringLiteral("#!/bin/sh\nexec %1 --library-path %2:%3/usr/lib/mysql/private %3/usr/sbin/mysqld \"$@\" "
                           "--lc-messages-dir=%3/usr/share/mysql --character-sets-dir=%3/usr/share/mysql/charsets\n")
                .arg(loader, libraries, root.path());
        if (!script.open(QIODevice::WriteOnly) || script.write(text.toUtf8()) < 0
            || !script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
            qFatal("Cannot write %ls", qUtf16Printable(path));
        qputenv("LOCKSCOPE_SERVER_PROGRAM", QFile::encodeName(path));
    }
    ~PrivateProgram() { qunsetenv("LOCKSCOPE_SERVER_PROGRAM"); }
    PrivateProgram(const PrivateProgram &) = delete;
    PrivateProgram &operator=(const PrivateProgram &) = delete;

private:
    static QString only(const QDir &root, const QString &folder, const QString &pattern)
    {
        const QStringList found = QDir(root.filePath(folder)).entryList({pattern}, QDir::AllEntries | QDir::System);
        if (found.isEmpty())
            qFatal("%ls has no %ls/%ls", qUtf16Printable(root.path()), qUtf16Printable(folder),
                   qUtf16Printable(pattern));
        return root.filePath(folder + u'/' + found.constFirst());
    }

    QTemporaryDir m_folder;
};

} // namespace lockscope::test
