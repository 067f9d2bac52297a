// SPDX-License-Identifier: MIT
#include "processfolder.h"

#include "ownfolder.h"
#include "processref.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>
#include <QtCore/QStandardPaths>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Followed by the number of the process that it belongs to.
constexpr auto kPrefix = "run-"_L1;

} // namespace

ProcessFolder::ProcessFolder(Place place)
    : m_folder(parent(place)
               + u"/%1%2-%3"_s.arg(kPrefix)
                     .arg(QCoreApplication::applicationPid())
                     .arg(QRandomGenerator::system()->generate(), 8, 16, QChar(u'0')))
{
    // Ours alone from the beginning.
    m_isMade = !parent(place).isEmpty()
        && QDir().mkdir(m_folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

ProcessFolder::~ProcessFolder()
{
    if (m_isMade)
        m_folder.removeRecursively();
}

QString ProcessFolder::parent(Place place)
{
    if (place == Place::Short)
        return shortOwnFolders().value(0);
    const QString caches = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
    const QString folder = caches + u"/lockscope/nodes"_s;
    QString ignored;
    const OwnFolder made = OwnFolder::make(folder, &ignored);
    return made.isOpen() && !made.isOpenToOthers() ? folder : QString();
}

void ProcessFolder::removeDead()
{
    for (const QString &all : {parent(Place::Short), parent(Place::Disk)}) {
        if (all.isEmpty())
            continue;
        for (const QString &folder : QDir(all).entryList({kPrefix + u'*'}, QDir::Dirs | QDir::NoSymLinks)) {
            const qint64 owner = folder.mid(kPrefix.size()).section(u'-', 0, 0).toLongLong();
            if (owner > 0 && !ProcessRef(owner).isAlive())
                QDir(all + u'/' + folder).removeRecursively();
        }
    }
}

} // namespace lockscope
