// SPDX-License-Identifier: MIT
// What a session takes for an answer of its own: one that is whole, and that is not another session's. MySQL gives the
// socket of a session that it kills away while it may still be written to, and who has just connected may read it then.
// MariaDB does not do so; there a session expects it only while it opens and does not know yet which server it is.
#include "enginetest.h"

#include "packetproxy.h"
#include "session/replybound.h"
#include "session/singlestatements.h"

#include <QtCore/QTemporaryDir>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <future>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

namespace {

const QByteArray Opening = "SET SESSION TRANSACTION";
const QByteArray Working = "the question";

/// A packet that answers a statement.
QByteArray answer(const QByteArray &payload)
{
    return QByteArray(1, char(payload.size())) + QByteArray("\0\0\1", 3) + payload;
}

/// "One changed row, LAST_INSERT_ID = 7": what whoever takes a lease hopes for.
QByteArray changed()
{
    return answer(QByteArray("\0\1\7\2\0\0\0", 7));
}

QByteArray deadlock()
{
    return answer("\xff\xbd\x04#40001Deadlock found");
}

/// After it a connection is of no use.
QByteArray killed()
{
    return answer("\xff\x87\x07#70100Connection was killed");
}

} // namespace

class TestAnswers : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aSessionGivesUpWhereItIsAnsweredWrongly_data();
    void aSessionGivesUpWhereItIsAnsweredWrongly();
    void rowsThatAreCutOffAreAnError();
    void anAnswerWithoutAnEndIsCut_data();
    void anAnswerWithoutAnEndIsCut();
    void anAnswerOfTooManyResultsIsAnError();
    void anEngineIsToldItsOwnGrant_data();
    void anEngineIsToldItsOwnGrant();
    void workBeginsInNoOtherSession();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PacketProxy> m_network;
    ServerUrl m_behind; ///< the server behind it
};

void TestAnswers::init()
{
    EngineTest::init();
    m_folder = std::make_unique<QTemporaryDir>();
    m_behind = m_server->url();
    m_behind.socket = m_folder->filePath(QStringLiteral("s"));
    m_network = std::make_unique<PacketProxy>(m_behind.socket, m_server->url().socket);
    QVERIFY(m_network->isListening());
}

void TestAnswers::aSessionGivesUpWhereItIsAnsweredWrongly_data()
{
    QTest::addColumn<QByteArray>("question");
    QTest::addColumn<QByteArray>("stray");
    QTest::addColumn<bool>("isSingle");
    QTest::newRow("a changed row, opening") << Opening << changed() << false;
    QTest::newRow("an error, opening") << Opening << deadlock() << false;
    if (m_server->family() == Family::MariaDb)
        return;
    QTest::newRow("a changed row, working") << Working << changed() << false;
    QTest::newRow("an error, working") << Working << deadlock() << false;
    QTest::newRow("a changed row, statement by statement") << Working << changed() << true;
    QTest::newRow("an error, statement by statement") << Working << deadlock() << true;
}

void TestAnswers::aSessionGivesUpWhereItIsAnsweredWrongly()
{
    QFETCH(QByteArray, question);
    QFETCH(QByteArray, stray);
    QFETCH(bool, isSingle);
    SessionTarget target = targetFor(*m_server);
    target.url = m_behind;
    m_network->answerFirst(question, stray, question == Opening ? 2 : 1); // it is opened twice
    LockError error;
    const auto session = Session::open(target, &error);
    QCOMPARE(session != nullptr, question == Working);
    if (session) {
        std::optional<SingleStatements> single;
        if (isSingle)
            single.emplace(session->database());
        const Reply reply = session->run("DO '" + Working + '\'', "test");
        QVERIFY(reply.sets.empty());
        QVERIFY(reply.error);
        error = *reply.error;
        QVERIFY(!session->run("SELECT 1", "test"));
    }
    QVERIFY(m_network->hasAnswered());
    QCOMPARE(error.kind, Kind::ConnectionLost);
    QVERIFY(error.connectionGone);
}

void TestAnswers::anAnswerWithoutAnEndIsCut_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<int>("milliseconds");
    QTest::newRow("too long") << qint64(50'000) << 60'000;
    QTest::newRow("too late") << qint64(1'000'000'000) << 0;
    QTest::newRow("as it should be") << qint64(1'000'000'000) << 60'000;
}

void TestAnswers::anAnswerWithoutAnEndIsCut()
{
    QFETCH(qint64, bytes);
    QFETCH(int, milliseconds);
    const bool isCut = qstrcmp(QTest::currentDataTag(), "as it should be") != 0;
    LockError error;
    const auto session = Session::open(targetFor(*m_server), &error);
    QVERIFY(session);
    QSqlQuery query(session->database());
    {
        ReplyBound bound(bytes, std::chrono::milliseconds(milliseconds));
        query.exec(QStringLiteral("SELECT REPEAT('x', 10000000)")); // cut off, the driver takes it for a write
        QCOMPARE(bound.isExceeded(), isCut);
    }
    QCOMPARE(query.exec(QStringLiteral("SELECT 1")), !isCut);
}

void TestAnswers::anAnswerOfTooManyResultsIsAnError()
{
    LockError error;
    const auto session = Session::open(targetFor(*m_server), &error);
    QVERIFY(session);
    const Reply reply = session->run(QByteArray("DO 1;").repeated(100'001), "test");
    QVERIFY(reply.error);
    QCOMPARE(reply.error->kind, Kind::ConnectionLost); // for what was asked was done
    QVERIFY2(reply.error->message.contains(QLatin1String("no end")), qPrintable(reply.error->message));
    QVERIFY(session->isGone());
}

/// The client library tells the driver nothing of it: without an error there would be no rows.
void TestAnswers::rowsThatAreCutOffAreAnError()
{
    auto answered = std::async(std::launch::async, [&] {
        SessionTarget target = targetFor(*m_server);
        target.url = m_behind;
        LockError error;
        const auto session = Session::open(target, &error);
        return session ? session->run("DO 1; SELECT SLEEP(IF(n = 1, 0, 60)), REPEAT('x', 100000) "
                                      "FROM (SELECT 1 AS n UNION ALL SELECT 2) AS twice",
                                      "test")
                       : Reply{{}, error};
    });
    const bool isCutOff = eventually([&] { return m_network->passed() > 50'000; }); // into the first of the two rows
    m_network->setState(FaultyProxy::State::Reset);
    const Reply reply = answered.get();
    QVERIFY(isCutOff);
    QVERIFY(reply.error);
    QCOMPARE(reply.error->kind, Kind::ConnectionLost);
    QCOMPARE(reply.sets.size(), std::size_t(1)); // of the statement before
}

void TestAnswers::anEngineIsToldItsOwnGrant_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<QByteArray>("question");
    QTest::newRow("unique, opening") << Mode::Unique << Opening;
    QTest::newRow("pessimistic, opening") << Mode::Pessimistic << Opening;
    if (m_server->family() == Family::MariaDb)
        return;
    QTest::newRow("unique, taking") << Mode::Unique << QByteArray("SET presence = '");
    QTest::newRow("pessimistic, taking") << Mode::Pessimistic << QByteArray("FOR UPDATE");
}

void TestAnswers::anEngineIsToldItsOwnGrant()
{
    QFETCH(Mode, mode);
    QFETCH(QByteArray, question);
    EngineConfig config = configFor(*m_server);
    config.server = m_behind;
    LockEngine engine(config);
    m_network->answerFirst(question, changed());
    LockRequest request = requestFor("a", Patience);
    request.mode = mode;
    request.wantsToken = true;
    auto got = engine.acquire(request);
    QVERIFY2(got.outcome == Outcome::Granted, got.error ? qPrintable(got.error->toString()) : "");
    QVERIFY(m_network->hasAnswered());
    QCOMPARE(got.handle.token(), m_observer->value("SELECT token FROM lock_lease WHERE resource = 'a'").toULongLong());
    QCOMPARE(got.handle.release(), ReleaseOutcome::Released);
}

/// The session ends between the last look at the lock and the work, which would be on its own in another.
void TestAnswers::workBeginsInNoOtherSession()
{
    EngineConfig config = configFor(*m_server);
    config.server = m_behind;
    LockEngine engine(config);
    auto held = engine.acquire(rowRequest("a"));
    QCOMPARE(held.outcome, Outcome::Granted);
    m_network->answerFirst("SET SESSION innodb_lock_wait_timeout", killed());
    bool hasBegun = false;
    const auto error = held.handle.inTransaction([&](QSqlDatabase &) { hasBegun = true; });
    QVERIFY(m_network->hasAnswered());
    QVERIFY(!hasBegun);
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::LockLost);
    QVERIFY(!held.handle.isHeld());
}

QTEST_GUILESS_MAIN(TestAnswers)
#include "tst_answers.moc"
