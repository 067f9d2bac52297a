// SPDX-License-Identifier: MIT
// A node of another program is removed as the ensemble has it, not as a server has it that is late.
#include "localport.h"
#include "stores/zookeeper/zookeepertree.h"

#include <QtCore/QDataStream>
#include <QtTest/QTest>

#include <atomic>

using namespace lockscope;
using namespace lockscope::detail;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray receive(int client, int size)
{
    QByteArray bytes(size, '\0');
    const auto got = ::recv(client, bytes.data(), std::size_t(size), MSG_WAITALL);
    return got == size ? bytes : QByteArray();
}

void send(int client, const QByteArray &bytes)
{
    [[maybe_unused]] const auto sent = ::send(client, bytes.constData(), std::size_t(bytes.size()), MSG_NOSIGNAL);
}

/// Behind its length, as the protocol wants it.
void sendPiece(int client, const QByteArray &bytes)
{
    QByteArray piece;
    QDataStream out(&piece, QIODevice::WriteOnly);
    out << bytes;
    send(client, piece);
}

QByteArray receivePiece(int client)
{
    QDataStream length(receive(client, 4));
    qint32 size = 0;
    length >> size;
    return size > 0 ? receive(client, size) : QByteArray();
}

/// What a ZooKeeper says for whom its ensemble has gone on without it: until it is asked to catch up it shows a node
/// that is gone, while what is written meets the one that took its name. Neither was ever changed.
class LateZooKeeper
{
public:
    enum Czxid : qint64 { Gone = 7, There = 9 };

    int port() const { return m_port.number(); }
    bool hasRemoved() const { return m_hasRemoved; }

private:
    void serve(int client);
    QByteArray answerTo(qint32 operation);
    QByteArray node() const;

    bool m_isLate = true; ///< of the thread that serves
    std::atomic<bool> m_hasRemoved = false;
    const LocalPort m_port{[this](int client) { serve(client); }}; // last: its thread uses the others
};

void LateZooKeeper::serve(int client)
{
    constexpr qint32 timeout = 10'000;
    constexpr int hello = 45; // of a client that knows servers that only read
    QByteArray begin = receive(client, 4);
    if (begin == "srvr") {
        receive(client, 1);
        return send(client, "Zookeeper version: 3.8.0");
    }
    qint32 size = 0;
    QDataStream(begin) >> size;
    if (receive(client, size).isEmpty())
        return;
    QByteArray grant;
    QDataStream out(&grant, QIODevice::WriteOnly);
    out << qint32(0) << timeout << qint64(1) << QByteArray(16, '\0'); // version, session, its password
    if (size == hello)
        out << false;
    sendPiece(client, grant);
    for (;;) {
        const QByteArray request = receivePiece(client);
        if (request.isEmpty())
            return;
        qint32 number = 0;
        qint32 operation = 0;
        QDataStream(request) >> number >> operation;
        QByteArray answer;
        QDataStream(&answer, QIODevice::WriteOnly) << number << qint64(There) << qint32(0); // no error
        sendPiece(client, answer + answerTo(operation));
    }
}

QByteArray LateZooKeeper::answerTo(qint32 operation)
{
    enum Operation { Remove = 2, Get = 4, Sync = 9 };
    QByteArray answer;
    if (operation == Remove)
        m_hasRemoved = true;
    if (operation == Get)
        answer = node();
    if (operation == Sync) {
        m_isLate = false;
        QDataStream out(&answer, QIODevice::WriteOnly);
        out << QByteArray("/controller");
    }
    return answer;
}

/// Its data, and what the protocol tells of it.
QByteArray LateZooKeeper::node() const
{
    const qint64 czxid = m_isLate ? Gone : There;
    QByteArray text;
    QDataStream out(&text, QIODevice::WriteOnly);
    out << QByteArray("a leader") << czxid << czxid << qint64(0) << qint64(0); // made, changed, and when
    out << qint32(0) << qint32(0) << qint32(0);                                // versions
    out << qint64(1) << qint32(8) << qint32(0) << czxid;                       // session, size, children
    return text;
}

} // namespace

class TestZooKeeperTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAServerDoesNotKnowYetIsNotRemoved_data();
    void whatAServerDoesNotKnowYetIsNotRemoved();
};

void TestZooKeeperTree::whatAServerDoesNotKnowYetIsNotRemoved_data()
{
    QTest::addColumn<quint64>("shown");
    QTest::addColumn<bool>("isRemoved");
    QTest::newRow("who led before") << quint64(LateZooKeeper::Gone) << false;
    QTest::newRow("who leads now") << quint64(LateZooKeeper::There) << true;
}

void TestZooKeeperTree::whatAServerDoesNotKnowYetIsNotRemoved()
{
    QFETCH(quint64, shown);
    QFETCH(bool, isRemoved);
    using Ended = ForcedRelease::Outcome;
    LateZooKeeper server;
    ZooKeeperConfig config;
    config.server.hosts = {{u"127.0.0.1"_s, server.port()}};
    LockError error;
    const auto session = ZooKeeperSession::open(config, {[] {}, [](const QByteArray &, bool) {}}, &error);
    QVERIFY2(session && session->waitConnected(std::chrono::seconds(30)), qPrintable(error.toString()));
    const ForcedRelease ended = removeNode(*session, "/controller", shown);
    QVERIFY2(!ended.error, ended.error ? qPrintable(ended.error->toString()) : "");
    QCOMPARE(ended.outcome, isRemoved ? Ended::Released : Ended::TargetChanged);
    QCOMPARE(server.hasRemoved(), isRemoved);
}

QTEST_GUILESS_MAIN(TestZooKeeperTree)
#include "tst_zookeepertree.moc"
