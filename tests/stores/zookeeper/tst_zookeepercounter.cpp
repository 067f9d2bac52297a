// SPDX-License-Identifier: MIT
// A lock whose folder has had as many nodes as ZooKeeper can count: there it gives numbers twice, and negative ones.
#include "freeze.h"
#include "stores/zookeeper/zookeepernames.h"
#include "stores/zookeeper/zookeeperrequest.h"
#include "zookeeperfixture.h"

#include <QtCore/QDir>
#include <QtCore/QtEndian>
#include <QtTest/QTest>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

using namespace lockscope;
using namespace lockscope::detail;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// As far as ZooKeeper counts.
constexpr qint32 kLast = std::numeric_limits<qint32>::max();

template<typename Number>
QByteArray bigEndian(Number number)
{
    QByteArray bytes(sizeof number, Qt::Uninitialized);
    qToBigEndian(number, bytes.data());
    return bytes;
}

QByteArray checksumOf(const QByteArray &bytes)
{
    constexpr quint32 modulus = 65521;
    quint32 low = 1;
    quint32 high = 0;
    for (const char byte : bytes) {
        low = (low + quint8(byte)) % modulus;
        high = (high + low) % modulus;
    }
    return bigEndian(quint64(high << 16 | low)); // Adler-32
}

/// Behind each part of a snapshot there is a checksum of all before it, and this.
const QByteArray kSeal = bigEndian(qint32(1)) + '/';

QList<qsizetype> checksumsIn(const QByteArray &snapshot)
{
    constexpr qsizetype size = sizeof(quint64);
    QList<qsizetype> found;
    for (qsizetype at = snapshot.indexOf(kSeal, size); at >= 0; at = snapshot.indexOf(kSeal, at + 1)) {
        if (snapshot.mid(at - size, size) == checksumOf(snapshot.left(at - size)))
            found.append(at - size);
    }
    return found;
}

/// Where the counter of a node is: behind its path, its data, the number of its ACL, its czxid, mzxid, ctime, mtime and
/// version.
qsizetype counterOf(const QByteArray &path, const QByteArray &snapshot)
{
    const QByteArray name = bigEndian(qint32(path.size())) + path;
    const qsizetype data = snapshot.indexOf(name) + name.size();
    const auto size = std::max(0, qFromBigEndian<qint32>(snapshot.constData() + data)); // -1 = none
    return data + qsizetype(sizeof size) + size + 8 + 4 * 8 + 4;
}

/// Of folders of a node that does not run. Its last snapshot is all that is left of its data.
bool setCounters(const QString &nodeFolder, const QMap<QByteArray, qint32> &counters)
{
    const QDir data(nodeFolder + u"/data/version-2"_s);
    for (const QString &log : data.entryList({u"log.*"_s}))
        QFile::remove(data.filePath(log));
    QFile file(data.filePath(data.entryList({u"snapshot.*"_s}, QDir::Files, QDir::Time).value(0)));
    if (!file.open(QIODevice::ReadWrite))
        return false;
    QByteArray snapshot = file.readAll();
    const QList<qsizetype> checksums = checksumsIn(snapshot);
    for (auto it = counters.begin(); it != counters.end(); ++it)
        snapshot.replace(counterOf(it.key(), snapshot), sizeof(qint32), bigEndian(it.value()));
    for (const qsizetype at : checksums)
        snapshot.replace(at, sizeof(quint64), checksumOf(snapshot.left(at)));
    return !checksums.isEmpty() && file.seek(0) && file.write(snapshot) == snapshot.size();
}

} // namespace

class TestZooKeeperCounter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whoseNumberMayBeGivenTwiceIsRefused();
    void whoFindsSuchANumberAfterALostAnswerIsRefused();
    void aStrangersNegativeNumberIsAhead();

private:
    ZooKeeperConfig config() const;
    std::unique_ptr<LockEngine> newEngine() const;
    QByteArray folder(const QByteArray &resource) const { return folderOf(m_node.url(), resource); }
    QByteArrayList numbers(const QByteArray &resource);

    ZooKeeperNode m_node;
    std::unique_ptr<ZooKeeperEye> m_eye;
};

void TestZooKeeperCounter::initTestCase()
{
    QVERIFY(!m_node.start());
    const QMap<QByteArray, qint32> counters{
        {folder("refused"), kLast - 1}, {folder("lost"), kLast - 1}, {folder("strange"), kLast - 2}};
    {
        ZooKeeperEye eye(m_node.url());
        for (auto it = counters.begin(); it != counters.end(); ++it)
            QCOMPARE(eye.make(it.key()), 0);
    }
    m_node.stop();
    QVERIFY(!m_node.start()); // which writes a snapshot
    m_node.stop();
    QVERIFY(setCounters(m_node.folder(), counters));
    QVERIFY(!m_node.start());
    m_eye = std::make_unique<ZooKeeperEye>(m_node.url());
}

ZooKeeperConfig TestZooKeeperCounter::config() const
{
    ZooKeeperConfig config;
    config.server = m_node.url();
    config.sessionTimeout = 30s;
    return config;
}

std::unique_ptr<LockEngine> TestZooKeeperCounter::newEngine() const
{
    return std::make_unique<LockEngine>(engineOn(std::make_shared<ZooKeeperStore>(config())));
}

QByteArrayList TestZooKeeperCounter::numbers(const QByteArray &resource)
{
    QByteArrayList numbers = queueOf(m_eye->children(folder(resource)));
    std::transform(numbers.begin(), numbers.end(), numbers.begin(), numberOf);
    return numbers;
}

void TestZooKeeperCounter::whoseNumberMayBeGivenTwiceIsRefused()
{
    const auto engine = newEngine();
    const auto other = newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("refused"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(numbers("refused"), QByteArrayList{"2147483646"});
    QCOMPARE(textOf(other->acquire(leaseRequest("refused"))), QByteArray("busy"));
    for (int i = 0; i < 2; ++i) {
        const AcquireResult refused = other->acquire(leaseRequest("refused", 1min));
        QCOMPARE(refused.outcome, Outcome::Failed);
        QCOMPARE(refused.error->kind, LockError::Kind::UnsafeServer);
        QVERIFY2(refused.error->message.contains(u" /refused "_s), qPrintable(refused.error->message));
        QCOMPARE(numbers("refused"), QByteArrayList{"2147483646"});
    }
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(other->acquire(leaseRequest("refused")).error->kind, LockError::Kind::UnsafeServer);
    QCOMPARE(m_eye->remove(folder("refused")), 0); // as it is told to
    const AcquireResult again = other->acquire(leaseRequest("refused"));
    QCOMPARE(textOf(again), QByteArray("granted"));
    QCOMPARE(numbers("refused"), QByteArrayList{"0000000000"});
}

void TestZooKeeperCounter::whoFindsSuchANumberAfterALostAnswerIsRefused()
{
    const auto engine = newEngine();
    const AcquireResult taken = engine->acquire(leaseRequest("lost"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    ZooKeeperConfig impatient = config();
    impatient.answerTimeout = 300ms;
    LockEngine other(engineOn(std::make_shared<ZooKeeperStore>(impatient)));
    QVERIFY(eventually([&] { return !other.connectToServer(); }));
    freezeProcess(m_node.pid());
    AcquireResult refused;
    std::thread request([&] { refused = other.acquire(leaseRequest("lost", 1min)); });
    std::this_thread::sleep_for(1s); // longer than it waits for an answer
    thawProcess(m_node.pid());
    request.join();
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::UnsafeServer);
    QVERIFY(eventually([&] { return numbers("lost") == QByteArrayList{"2147483646"}; }));
}

void TestZooKeeperCounter::aStrangersNegativeNumberIsAhead()
{
    LockError error;
    auto stranger = ZooKeeperSession::open(config(), {[] {}, [](const QByteArray &, bool) {}}, &error);
    QVERIFY(stranger && stranger->waitConnected(Patience));
    const auto join = [&](int count) {
        ZooKeeperFlight flight(*stranger);
        for (int i = 0; i < count; ++i)
            flight.create(folder("strange") + '/' + newNodePrefix(), {}, ZooKeeperFlight::Node::EphemeralSequential);
        flight.wait();
    };
    join(1);
    const QByteArray first = queueOf(m_eye->children(folder("strange"))).value(0);
    const auto engine = newEngine();
    AcquireResult next;
    std::atomic<bool> isOver = false;
    std::thread waiter([&] {
        next = engine->acquire(leaseRequest("strange", 1min));
        isOver = true;
    });
    const bool hasJoined = eventually([&] { return numbers("strange").size() == 2; });
    const bool isNegative = eventually([&] {
        join(10); // at once: then the server has counted on before it has made the first one
        return numbers("strange").first().startsWith('-');
    });
    m_eye->remove(folder("strange") + '/' + first); // the one before it by their numbers
    std::this_thread::sleep_for(1s);
    const bool isAhead = !isOver;
    stranger.reset();
    waiter.join();
    QVERIFY(hasJoined && isNegative && isAhead);
    QCOMPARE(textOf(next), QByteArray("granted"));
}

QTEST_GUILESS_MAIN(TestZooKeeperCounter)
#include "tst_zookeepercounter.moc"
