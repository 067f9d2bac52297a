// SPDX-License-Identifier: MIT
#include "labnetworks.h"

#include "privateserver/ownfolder.h"
#include "privateserver/processref.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Followed by the number of the process that it belongs to.
constexpr auto kPrefix = "run-"_L1;

} // namespace

QString LabNetworks::parentFolder()
{
    return shortOwnFolders().value(0);
}

LabNetworks::LabNetworks(QString serverSocket)
    : m_serverSocket(std::move(serverSocket))
    , m_folder(parentFolder()
               + u"/%1%2-%3"_s.arg(kPrefix)
                     .arg(QCoreApplication::applicationPid())
                     .arg(QRandomGenerator::system()->generate(), 8, 16, QChar(u'0')))
{
    // Ours alone from the beginning: whoever may connect there reaches the server as this user.
    if (!m_serverSocket.isEmpty() && !parentFolder().isEmpty())
        QDir().mkdir(m_folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

LabNetworks::~LabNetworks()
{
    m_proxies.clear();
    if (!m_serverSocket.isEmpty())
        m_folder.removeRecursively();
}

QString LabNetworks::socketOf(int worker)
{
    if (m_serverSocket.isEmpty())
        return m_serverSocket;
    const QString path = m_folder.filePath(QString::number(worker));
    auto &proxy = m_proxies[worker];
    if (!proxy)
        proxy = std::make_unique<FaultyProxy>(path, m_serverSocket);
    return proxy->isListening() ? path : m_serverSocket;
}

bool LabNetworks::set(int worker, FaultyProxy::State state)
{
    const auto found = m_proxies.find(worker);
    if (found == m_proxies.end() || !found->second->isListening())
        return false;
    found->second->setState(state);
    return true;
}

void LabNetworks::openAll()
{
    for (auto &[worker, proxy] : m_proxies)
        proxy->setState(FaultyProxy::State::Open);
}

void LabNetworks::removeDead()
{
    const QString parent = parentFolder();
    if (parent.isEmpty())
        return;
    for (const QString &folder : QDir(parent).entryList({kPrefix + u'*'}, QDir::Dirs | QDir::NoSymLinks)) {
        const qint64 owner = folder.mid(kPrefix.size()).section(u'-', 0, 0).toLongLong();
        if (owner > 0 && !ProcessRef(owner).isAlive())
            QDir(parent + u'/' + folder).removeRecursively();
    }
}

} // namespace lockscope
