// SPDX-License-Identifier: MIT
#pragma once

#include "lab/faultyproxy.h"
#include "storesite.h"
#include "testserver.h"

#include <QtCore/QMap>
#include <QtCore/QProcess>
#include <QtCore/QQueue>

#include <memory>
#include <optional>

namespace lockscope::test {

/// A process of a script and what the script knows about it.
class SessionClient
{
public:
    /// Each process connects as a user of its own, so that its connections can be told from others'. With a proxy,
    /// over TCP, its network can fail. On a store it is the network to that; `ttls` are those that it will ask for.
    SessionClient(const TestServer &server, const StoreSite *site, const QString &name, const QString &mode,
                  bool hasProxy, const QList<std::chrono::milliseconds> &ttls, std::chrono::seconds answerTime);
    ~SessionClient();

    static QString userOf(const QString &name) { return QStringLiteral("session_") + name.toLower(); }

    void send(const QString &owner, const QList<QByteArray> &words);
    /// The owner's next answer; nothing when none came in time or the process is gone.
    std::optional<QString> answer(const QString &owner);
    bool hasAnswer(const QString &owner);

    qint64 pid() const { return m_process.processId(); }
    /// Owner::session of its engine.
    const QByteArray &session() const { return m_session; }
    void kill9();
    void freeze();
    void thaw();
    /// Lets it release what it holds; false when it did not end properly.
    bool end();
    FaultyProxy *proxy() { return m_proxy.get(); }

private:
    std::optional<QString> answer(const QString &owner, std::chrono::seconds time);
    void readLines();
    void openNetwork(const QString &target);

    QString m_name;
    QByteArray m_session;
    const std::chrono::seconds m_answerTime;
    std::unique_ptr<FaultyProxy> m_proxy;
    QProcess m_process;
    QMap<QString, QQueue<QString>> m_answers; // by owner
    bool m_frozen = false;
};

} // namespace lockscope::test
