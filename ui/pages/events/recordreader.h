// SPDX-License-Identifier: MIT
#pragma once

#include "actions/recordedacts.h"
#include "ui/server/backgroundcalls.h"

#include <QtCore/QFileSystemWatcher>

namespace lockscope::ui {

/// Reads what the record of this machine has of one server, again whenever the record grows. In a thread of its own:
/// the file may lie on a slow disk. GUI thread only.
class RecordReader : public QObject
{
    Q_OBJECT
public:
    explicit RecordReader(QObject *parent = nullptr);

    /// `store`: the address of one, else it is empty. What was asked about the server before is not answered any more.
    void setServer(const ServerUrl &url, const QString &store);
    /// Now: something was just written.
    void ask();

Q_SIGNALS:
    /// All that is there, oldest first; `error` says why it cannot be read, else it is empty.
    void read(const QList<lockscope::AuditLine> &acts, const QString &error);
    /// What was read has all that was there when `ask` was last called.
    void isCurrent();

private:
    struct Answer
    {
        ServerUrl url;
        QString store;
        QList<AuditLine> acts;
        QString error;
    };
    void onAnswer(int asked, const Answer &answer);

    ServerUrl m_url;
    QString m_store;
    QString m_path;
    QFileSystemWatcher m_watcher;
    int m_wanted = 0; ///< counts what may have changed the answer
    bool m_isReading = false;
    BackgroundCalls m_calls;
};

} // namespace lockscope::ui
