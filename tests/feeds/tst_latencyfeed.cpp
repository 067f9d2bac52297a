// SPDX-License-Identifier: MIT
// The latency page's source: what real engines measured, as it moves with time.
#include "enginetest.h"
#include "feeds/latencyfeed.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <algorithm>
#include <functional>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;

namespace {

constexpr int kLong = 30'000; // ms; only reached when something is wrong

} // namespace

class TestLatencyFeed : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void whatEnginesMeasureArrivesAndStays();
    void anEndedPeriodIsReadOnce();
    void theComparedPeriodIsTheOneBefore();
    void rowLockWaitsOfOtherProgramsAreSampled();
    void aServerThatIsAwayIsToldAndAskedAgain();

private:
    LatencyPicturePtr next(QSignalSpy &pictures);
    LatencyPicturePtr waitFor(QSignalSpy &pictures, const std::function<bool(const LatencyPicture &)> &isGood);
    ServerTime now();
};

LatencyPicturePtr TestLatencyFeed::next(QSignalSpy &pictures)
{
    if (pictures.isEmpty() && !pictures.wait(kLong))
        qFatal("No picture arrived.");
    return pictures.takeFirst().first().value<LatencyPicturePtr>();
}

LatencyPicturePtr TestLatencyFeed::waitFor(QSignalSpy &pictures,
                                           const std::function<bool(const LatencyPicture &)> &isGood)
{
    for (int i = 0; i < 20; ++i) {
        if (auto picture = next(pictures); isGood(*picture))
            return picture;
    }
    qFatal("The picture did not come to show it.");
}

ServerTime TestLatencyFeed::now()
{
    return ServerTime(Microseconds(
        m_observer->value("SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))").toLongLong()));
}

void TestLatencyFeed::whatEnginesMeasureArrivesAndStays()
{
    LatencyFeed feed(targetFor(*m_server));
    QSignalSpy pictures(&feed, &LatencyFeed::pictureReady);
    feed.ask(LatencyQuestion());
    QVERIFY(next(pictures)->period.curves.empty());
    const auto measure = [this](const QString &service) {
        EngineConfig config = configFor(*m_server);
        config.service = service;
        config.namePrefix = service.toUtf8() + '/';
        LockEngine engine(config);
        for (int i = 0; i < 3; ++i)
            engine.acquire(requestFor("a"));
    };
    measure(QStringLiteral("first"));
    const auto granted = [](const LatencyPicture &picture) {
        const LatencyCurve *curve = picture.period.curve("unique");
        return curve ? curve->counts.granted : 0;
    };
    waitFor(pictures, [&](const LatencyPicture &picture) { return granted(picture) == 3; });
    measure(QStringLiteral("second"));
    const auto both = waitFor(pictures, [&](const LatencyPicture &picture) { return granted(picture) == 6; });
    QCOMPARE(both->programs, (std::set<QString>{QStringLiteral("first"), QStringLiteral("second")}));
    QCOMPARE(both->prefixes, (std::set<QByteArray>{"first/", "second/"}));
    QVERIFY(both->period.curve("unique")->latency.values.back() > Duration::zero());
    QVERIFY(both->serverStart && *both->serverStart < both->period.to);
    feed.ask(LatencyQuestion{.prefix = QByteArray("second/")});
    waitFor(pictures, [&](const LatencyPicture &picture) { return picture.question.prefix && granted(picture) == 3; });
    feed.ask(LatencyQuestion{.kind = "hold"});
    waitFor(pictures,
            [&](const LatencyPicture &picture) { return picture.question.kind == "hold" && granted(picture) == 6; });
}

void TestLatencyFeed::anEndedPeriodIsReadOnce()
{
    LatencyFeed feed(targetFor(*m_server));
    QSignalSpy pictures(&feed, &LatencyFeed::pictureReady);
    LatencyQuestion ended;
    ended.to = now();
    feed.ask(ended);
    const auto picture = next(pictures);
    QCOMPARE(picture->period.to, *ended.to);
    QCOMPARE(picture->period.from, *ended.to - ended.length);
    feed.ask(LatencyQuestion());
    for (int i = 0; i < 2; ++i)
        QVERIFY(!next(pictures)->question.to); // none of the ended one between
}

void TestLatencyFeed::theComparedPeriodIsTheOneBefore()
{
    const auto row = [this](int secondsAgo, int count) {
        for (int i = 0; i < count; ++i)
            m_observer->run(
                "INSERT INTO lock_latency (at, period_us, mode, kind, outcome, owner, batch, count, sum_us, "
                "max_us, buckets) VALUES (UTC_TIMESTAMP(6) - INTERVAL "
                + QByteArray::number(secondsAgo)
                + " SECOND, 1, 'unique', 'acquire', 'granted', '', 1, 1, 3, 3, x'010401')");
    };
    row(100, 2);
    row(20, 1);
    LatencyFeed feed(targetFor(*m_server));
    QSignalSpy pictures(&feed, &LatencyFeed::pictureReady);
    LatencyQuestion question;
    question.length = 60s;
    question.to = now();
    question.compareBefore = 60s;
    feed.ask(question);
    const auto picture = next(pictures);
    QCOMPARE(picture->period.curve("unique")->counts.granted, 1u);
    QVERIFY(picture->compared);
    QCOMPARE(picture->compared->curve("unique")->counts.granted, 2u);
    QCOMPARE(picture->compared->to, picture->period.from);
}

void TestLatencyFeed::rowLockWaitsOfOtherProgramsAreSampled()
{
    LatencyFeed feed(targetFor(*m_server));
    QSignalSpy pictures(&feed, &LatencyFeed::pictureReady);
    feed.ask(LatencyQuestion());
    next(pictures);
    m_observer->run(
        "CREATE TABLE IF NOT EXISTS plain (id INT PRIMARY KEY) ENGINE = InnoDB; REPLACE INTO plain VALUES (1)");
    m_observer->run("BEGIN; SELECT id FROM plain WHERE id = 1 FOR UPDATE");
    std::thread waiter([this] {
        Observer other(*m_server);
        other.run("SET SESSION innodb_lock_wait_timeout = 1000; SELECT id FROM plain WHERE id = 1 FOR UPDATE");
    });
    waitFor(pictures, [](const LatencyPicture &picture) {
        return !picture.samples.empty() && picture.samples.back().current > 0;
    });
    m_observer->run("COMMIT");
    waiter.join();
    const auto after = waitFor(pictures, [](const LatencyPicture &picture) {
        return std::any_of(picture.samples.begin(), picture.samples.end(),
                           [](const WaitSample &sample) { return sample.waited > 0ms; });
    });
    qint64 waits = 0;
    for (const WaitSample &sample : after->samples)
        waits += sample.waits;
    QCOMPARE(waits, 1);
}

void TestLatencyFeed::aServerThatIsAwayIsToldAndAskedAgain()
{
    LatencyFeed feed(targetFor(*m_server));
    QSignalSpy pictures(&feed, &LatencyFeed::pictureReady);
    QSignalSpy failures(&feed, &LatencyFeed::failed);
    m_observer->run("RENAME TABLE lock_latency TO lock_latency_away");
    feed.ask(LatencyQuestion());
    QVERIFY(failures.wait(kLong));
    QCOMPARE(failures.first().first().value<LockError>().kind, LockError::Kind::SchemaMissing);
    m_observer->run("RENAME TABLE lock_latency_away TO lock_latency");
    next(pictures);
}

QTEST_GUILESS_MAIN(TestLatencyFeed)
#include "tst_latencyfeed.moc"
