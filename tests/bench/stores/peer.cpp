// SPDX-License-Identifier: MIT
#include "peer.h"

#include "curatorjars.h"

#include <QtCore/QProcessEnvironment>
#include <QtCore/QRandomGenerator>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

/// Enough for the slowest of them to stand in its queue.
constexpr auto kRest = 20ms;
constexpr int kHandoversPerBlock = 7;
constexpr auto kPatience = 2min;

QString program(QLatin1StringView name)
{
    return QStringLiteral(LOCKSCOPE_PEERS) + u'/' + name;
}

/// Debian's, whatever else is found first.
QStringList python(const QString &name)
{
    return {u"/usr/bin/python3"_s, u"-I"_s, program("peer.py"_L1), name};
}

QStringList node(const QString &name)
{
    return {u"node"_s, program("peer.js"_L1), name};
}

} // namespace

PeerKind redisPyPeer()
{
    return {u"redis-py"_s, python(u"redis-py"_s), 100ms, true, u"no order, no fence, not woken, not renewed"_s};
}

PeerKind redlockPeer()
{
    return {u"redlock"_s, node(u"redlock"_s), 200ms, true, u"no order, no fence, not woken, not renewed"_s};
}

PeerKind redisSemaphorePeer()
{
    return {u"redis-semaphore"_s, node(u"redis-semaphore"_s), 10ms, true, u"no order, no fence, not woken"_s};
}

PeerKind kazooPeer()
{
    return {u"kazoo"_s, python(u"kazoo"_s), {}, true, u"no fence"_s};
}

PeerKind curatorPeer()
{
    const QString jars = test::curatorJars().join(u':');
    return {u"Curator"_s,
            {u"java"_s, u"-cp"_s, jars, u"bsh.Interpreter"_s, program("curator.bsh"_L1)},
            {},
            true,
            u"no fence"_s};
}

PeerKind etcd3Peer()
{
    return {u"etcd3"_s, node(u"etcd3"_s), {}, false, u"does not wait, no fence"_s};
}

PeerKind pythonEtcd3Peer()
{
    // It would wait for a watch, but not with the tenacity that Debian 12 has: a TypeError.
    return {u"etcd3 (Python)"_s,
            python(u"etcd3"_s),
            {},
            false,
            u"cannot wait with Debian's tenacity, no order, no fence, not renewed"_s};
}

Peers startedPeers(const std::vector<PeerKind> &kinds, const QString &address)
{
    Peers peers;
    for (const PeerKind &kind : kinds)
        peers.push_back(std::make_unique<Peer>(kind, address));
    return peers;
}

Peer::Peer(PeerKind kind, const QString &address)
    : m_kind(std::move(kind))
{
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(u"NODE_PATH"_s, QStringLiteral(LOCKSCOPE_NODE_MODULES));
    m_process.setProcessEnvironment(all);
    m_process.start(m_kind.program.first(), m_kind.program.mid(1) + QStringList{address});
    m_title = QString::fromUtf8(line());
    m_isThere = !m_title.isEmpty();
    if (!m_isThere)
        m_title = u"%1: not here; sh tests/run.sh --prepare gets it"_s.arg(m_kind.name);
}

Peer::~Peer()
{
    m_process.kill();
    m_process.waitForFinished();
}

double Peer::pair(int count)
{
    return ask("pair " + QByteArray::number(count)).front();
}

/// The moment of release is spread over the time between two of its questions, so that it cannot be lucky.
double Peer::handOver()
{
    Values times;
    const int spread = int(m_kind.asks.count());
    for (int i = 0; i < (spread == 0 ? kHandoversPerBlock : 1); ++i) {
        const int rest = int(kRest.count()) + int(QRandomGenerator::global()->bounded(spread + 1));
        times.push_back(ask("handover " + QByteArray::number(rest)).front());
    }
    return median(times);
}

Peer::Contest Peer::contend(int contenders, std::chrono::seconds length)
{
    Values found = ask("contend " + QByteArray::number(contenders) + ' ' + QByteArray::number(qint64(length.count())));
    Contest contest;
    contest.longestGapUs = found.front();
    contest.grants.assign(found.begin() + 1, found.end());
    return contest;
}

Values Peer::ask(const QByteArray &question)
{
    m_process.write(question + '\n');
    Values numbers;
    const auto words = line().split(' ');
    for (const QByteArray &word : words) {
        bool isNumber = false;
        numbers.push_back(word.toDouble(&isNumber));
        if (!isNumber)
            qFatal("%ls does not answer %s: %s", qUtf16Printable(m_title), question.constData(),
                   m_process.readAllStandardError().constData());
    }
    return numbers;
}

QByteArray Peer::line()
{
    while (!m_process.canReadLine()) {
        if (!m_process.waitForReadyRead(int(std::chrono::milliseconds(kPatience).count())))
            return {};
    }
    return m_process.readLine().trimmed();
}

} // namespace lockscope::bench
