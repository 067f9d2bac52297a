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

QString notInstalled(const QList<MissingServer> &missing)
{
    QStringList names;
    QStringList packages;
    QStringList unpacked;
    QString finally;
    for (const MissingServer &server : missing) {
        names += server.name;
        packages += server.packages;
        unpacked += server.unpacked;
        if (!server.finally.isEmpty())
            finally += u" && "_s + server.finally;
    }
    const QString last = names.takeLast();
    QString what = names.isEmpty() ? last : names.join(u", "_s) + u" and "_s + last;
    what[0] = what[0].toUpper();
    return u"%1 %2 not installed. On Debian and Ubuntu, `sudo apt install %3` brings %4; without root, `mkdir -p %5 && "
           "cd %5 && apt-get download %6 && for p in *.deb; do dpkg -x $p .; done%7` does."_s.arg(
               what, missing.size() > 1 ? u"are"_s : u"is"_s, packages.join(u' '),
               missing.size() > 1 ? u"them"_s : u"it"_s, unpackedPackages(), unpacked.join(u' '), finally);
}

} // namespace lockscope
