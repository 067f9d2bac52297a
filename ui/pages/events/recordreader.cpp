// SPDX-License-Identifier: MIT
#include "recordreader.h"

#include <QtCore/QFileInfo>

namespace lockscope::ui {

RecordReader::RecordReader(QObject *parent)
    : QObject(parent)
    , m_path(AuditFile::defaultPath())
{
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &RecordReader::ask);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &RecordReader::ask);
}

void RecordReader::setServer(const ServerUrl &url, const QString &store)
{
    m_url = url;
    m_store = store;
    ask();
}

/// One at a time: what changes while it is being read is read next.
void RecordReader::ask()
{
    ++m_wanted;
    if (m_isReading)
        return;
    m_isReading = true;
    // Before it is read, so that nothing is missed. What is not there yet comes with its folder, or the one around
    // that.
    QString folder = QFileInfo(m_path).path();
    while (!QFileInfo::exists(folder))
        folder = QFileInfo(folder).path();
    m_watcher.addPath(folder);
    if (QFileInfo::exists(m_path))
        m_watcher.addPath(m_path);
    const auto work = [path = m_path, url = m_url, store = m_store] {
        AuditLog log(path);
        const QList<AuditLine> all = auditActs(log.readNew());
        return Answer{url, store, store.isEmpty() ? actsOn(url, all) : actsOnStore(store, all), log.error()};
    };
    m_calls.run(work, this, [this, asked = m_wanted](const Answer &answer) { onAnswer(asked, answer); });
}

void RecordReader::onAnswer(int asked, const Answer &answer)
{
    m_isReading = false;
    if (answer.url == m_url && answer.store == m_store)
        Q_EMIT read(answer.acts, answer.error);
    if (asked == m_wanted)
        Q_EMIT isCurrent();
    else
        ask();
}

} // namespace lockscope::ui
