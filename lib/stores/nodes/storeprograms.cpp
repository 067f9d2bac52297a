// SPDX-License-Identifier: MIT
#include "storeprograms.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>

namespace lockscope {

using namespace Qt::StringLiterals;

QString unpackedPackages()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/lockscope/stores"_s;
}

QString storeProgram(const QString &name)
{
    const QString installed = QStandardPaths::findExecutable(name);
    if (!installed.isEmpty())
        return installed;
    QStringList folders{unpackedPackages() + u"/usr/bin"_s};
    const QDir machines(unpackedPackages() + u"/usr/lib/jvm"_s); // a Java has a folder of its own
    for (const QString &machine : machines.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        folders += machines.filePath(machine + u"/bin"_s);
    return QStandardPaths::findExecutable(name, folders);
}

QString librariesOf(const QString &program)
{
    const QString own = QFileInfo(unpackedPackages()).canonicalFilePath();
    if (own.isEmpty() || !QFileInfo(program).canonicalFilePath().startsWith(own + u'/'))
        return {};
    const QDir all(unpackedPackages() + u"/usr/lib"_s);
    QStringList folders;
    for (const QString &machine : all.entryList({u"*-linux-gnu*"_s}, QDir::Dirs)) // Debian's, by the processor's name
        folders += all.filePath(machine);
    return folders.join(u':');
}

QString notInstalled(const QString &what, const QString &packages, const QString &unpacked, const QString &finally)
{
    return u"%1 is not installed. On Debian and Ubuntu, `sudo apt install %2` brings it; without root, `mkdir -p %3 && "
           "cd %3 && apt-get download %4 && for p in *.deb; do dpkg -x $p .; done%5` does."_s.arg(
               what, packages, unpackedPackages(), unpacked, finally.isEmpty() ? QString() : u" && "_s + finally);
}

} // namespace lockscope
