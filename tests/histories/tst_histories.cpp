// SPDX-License-Identifier: MIT
// Random histories on a real server: the engine must do what the model derives. README.md tells how to repeat one.
#include "enginefixture.h"
#include "generator.h"
#include "historyrunner.h"
#include "strict.h"

#include <QtCore/QDateTime>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

const QString kMode = QStringLiteral(HISTORY_MODE);
/// On a store, whose part of all this is the smaller one, less.
const bool kIsStore = knownStores().contains(kMode);
const quint64 kFixedSeeds = kIsStore ? 2 : 8;
const int kSeconds = kIsStore ? 3 : 60;
/// The slowest answers of engines that work are those after a lease's end; more than once that on a loaded machine.
constexpr auto kAnswerTime = 45s;
/// Making a failure short takes minutes, and nobody but ctest knows for how long new seeds are tried.
constexpr char kFunctionTimeout[] = "36000000";

/// What LOCKSCOPE_HISTORY_WITHOUT names is left out.
History historyOf(quint64 seed)
{
    return generate(kMode, seed, qEnvironmentVariable("LOCKSCOPE_HISTORY_WITHOUT").split(u','));
}

} // namespace

class TestHistories : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(KilledOpeningWarning); }
    void aWrongOrderIsFoundAndMadeShort();
    void fixedSeeds_data();
    void fixedSeeds();
    void newSeeds();
    void cleanupTestCase();

private:
    QString failureOf(quint64 seed);

    std::unique_ptr<World> m_world;
    std::unique_ptr<HistoryRunner> m_runner;
};

void TestHistories::initTestCase()
{
    m_world = std::make_unique<World>(TestServer::instance(), kMode);
    m_world->install();
    m_world->setAnswerTime(kAnswerTime);
    m_runner = std::make_unique<HistoryRunner>(*m_world);
}

void TestHistories::cleanupTestCase()
{
    m_runner.reset();
    m_world.reset();
}

/// With all that is needed to repeat it.
QString TestHistories::failureOf(quint64 seed)
{
    const History history = historyOf(seed);
    const QString failure = m_runner->run(history);
    if (failure.isEmpty())
        return {};
    const QString text = u"seed %1: %2"_s.arg(seed).arg(m_runner->shortest(history, failure));
    qInfo().noquote() << text; // now, for a run of an hour may be broken off
    return text;
}

/// A model in which the newest waiter comes first must be found out by every server, and its history must become the
/// four moves that show it.
void TestHistories::aWrongOrderIsFoundAndMadeShort()
{
    if (kMode != u"unique")
        QSKIP("no other mode promises an order, and on a store it is the same model");
    m_world->setAnswerTime(5s);
    History wrong{kMode, u"A wrong order"_s, {.newestFirst = true}, {}};
    wrong.moves = {{Move::Kind::Try, u"D"_s, u"b"_s, 0},     {Move::Kind::Try, u"A"_s, u"a"_s, 0},
                   {Move::Kind::Queue, u"B"_s, u"a"_s, 0},   {Move::Kind::TimeOut, u"D"_s, u"a"_s, 0},
                   {Move::Kind::Queue, u"C"_s, u"a"_s, 0},   {Move::Kind::Release, u"D"_s, u"b"_s, 0},
                   {Move::Kind::Release, u"A"_s, u"a"_s, 0}, {Move::Kind::Release, u"C"_s, u"a"_s, 0}};
    const QString failure = m_runner->run(wrong);
    QVERIFY2(failure.contains(u"C: -> granted"_s), qPrintable(failure));
    const QString shortest = m_runner->shortest(wrong, failure);
    m_world->setAnswerTime(kAnswerTime);
    QVERIFY2(shortest.contains(u"A: acquire a ttl 300s -> granted\n"
                               "remember token of A as a1\n"
                               "B queues for a ttl 300s\n"
                               "C queues for a ttl 300s\n"
                               "A: release a -> released\n"
                               "C: -> granted\n"
                               "remember token of C as a2\n"
                               "a2 > a1\n"_s),
             qPrintable(shortest));
}

void TestHistories::fixedSeeds_data()
{
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 1; seed <= kFixedSeeds; ++seed)
        QTest::addRow("%llu", seed) << seed;
}

void TestHistories::fixedSeeds()
{
    QFETCH(quint64, seed);
    const QString failure = failureOf(seed);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

/// For LOCKSCOPE_HISTORY_SECONDS, also after a failure; or the seed LOCKSCOPE_HISTORY_SEED alone.
void TestHistories::newSeeds()
{
    bool isGiven = false;
    const quint64 given = qEnvironmentVariable("LOCKSCOPE_HISTORY_SEED").toULongLong(&isGiven);
    bool hasSeconds = false;
    const int seconds = qEnvironmentVariableIntValue("LOCKSCOPE_HISTORY_SECONDS", &hasSeconds);
    const quint64 first = isGiven ? given : quint64(QDateTime::currentMSecsSinceEpoch());
    qInfo("seeds from %llu", first);
    const QDeadlineTimer deadline(std::chrono::seconds(hasSeconds ? seconds : kSeconds));
    const int runsBefore = m_runner->runs();
    const qsizetype stepsBefore = m_runner->steps();
    QStringList failures;
    quint64 seed = first;
    do {
        const QString failure = failureOf(seed++);
        if (!failure.isEmpty())
            failures += failure;
    } while (!(isGiven && !hasSeconds) && !deadline.hasExpired());
    qInfo("%llu histories, %lld steps, %d runs, %lld failures", seed - first, m_runner->steps() - stepsBefore,
          m_runner->runs() - runsBefore, failures.size());
    QVERIFY2(failures.isEmpty(), qPrintable(failures.join(u'\n')));
}

int main(int argc, char **argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", kFunctionTimeout);
    const QCoreApplication application(argc, argv);
    TestHistories test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_histories.moc"
