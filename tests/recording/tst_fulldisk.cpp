// SPDX-License-Identifier: MIT
// What becomes of a recording while its disk is really full, and afterwards.
#include "recording/recordeddeadlocks.h"
#include "recording/unseen.h"
#include "recordmaker.h"
#include "smalldisk.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

using Kind = RecordedMark::Kind;

constexpr qint64 kDisk = 3 * 1024 * 1024;
constexpr int kEnough = 2000; // looks, to fill what room a log has left

} // namespace

class TestFullDisk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void nothingThatWasKeptIsLostAndRecordingGoesOn();
    void whatHappenedMeanwhileIsKeptOrCounted();
    void whatHappenedMeanwhileIsFoundInItsStretch();
    void itMayEndWhileTheDiskIsFull();
    void itDoesNotBeginOnAFullDisk_data();
    void itDoesNotBeginOnAFullDisk();

private:
    std::unique_ptr<Recorder> begin();
    /// Looks, until one is not kept.
    void lookUntilFull(Recorder *recorder);
    void look(Recorder *recorder);
    void lookAtDeadlock(Recorder *recorder);
    std::unique_ptr<Recording> read() const;

    std::unique_ptr<SmallDisk> m_disk;
    RecordingOptions m_options;
    std::unique_ptr<RecordMaker> m_maker;
    int m_looks = 0;
};

void TestFullDisk::init()
{
    m_disk = std::make_unique<SmallDisk>(kDisk);
    m_options = {};
    m_options.path = m_disk->path(u"night.lockscope"_s);
    m_maker = std::make_unique<RecordMaker>();
    m_looks = 0;
    if (!m_disk->isMounted())
        qInfo("No file system can be mounted here: files are limited in their length.");
}

std::unique_ptr<Recorder> TestFullDisk::begin()
{
    QString error;
    auto writer = RecordingWriter::open(m_options, u"mysql://ops@db1/shop"_s, &error);
    if (!writer)
        qWarning("%s", qPrintable(error));
    return writer ? std::make_unique<Recorder>(m_options, std::move(writer)) : nullptr;
}

void TestFullDisk::look(Recorder *recorder)
{
    RecordedNews news;
    news.look = m_maker->next(m_looks);
    news.look.waits.clock = {RecordMaker::timeOf(m_looks), std::chrono::steady_clock::now()};
    ++m_looks;
    recorder->take(news);
}

void TestFullDisk::lookAtDeadlock(Recorder *recorder)
{
    RecordedNews news = newsAt(m_looks++, 0);
    news.deadlocks.append(Deadlock());
    recorder->take(news);
}

std::unique_ptr<Recording> TestFullDisk::read() const
{
    QString error;
    auto recording = Recording::open(m_options.path, &error);
    if (!recording)
        qWarning("%s", qPrintable(error));
    return recording;
}

void TestFullDisk::lookUntilFull(Recorder *recorder)
{
    m_disk->fill();
    while (recorder->status().unkept == 0 && m_looks < kEnough)
        look(recorder);
    const QString &failure = recorder->status().failure;
    QVERIFY2(failure.contains(u"night.lockscope cannot be written: "_s), qPrintable(failure));
    QVERIFY2(!m_disk->isMounted() || failure.contains(u"full"_s), qPrintable(failure));
}

void TestFullDisk::nothingThatWasKeptIsLostAndRecordingGoesOn()
{
    const auto recorder = begin();
    QVERIFY(recorder);
    for (int i = 0; i < 50; ++i)
        look(recorder.get());
    QCOMPARE(recorder->status().looks, 50);
    lookUntilFull(recorder.get());
    const qint64 kept = recorder->status().looks;
    QString error;
    {
        const auto recording = Recording::open(m_options.path, &error); // while the disk is full
        QVERIFY2(recording, qPrintable(error));
        QCOMPARE(recording->info().looks, kept);
        QCOMPARE(recording->info().damage, QString());
    }
    RecordedNews news = newsAt(m_looks++, 0);
    news.events.append(Event());
    recorder->take(news);
    look(recorder.get());
    QCOMPARE(recorder->status().looks, kept);

    m_disk->makeRoom();
    look(recorder.get());
    QCOMPARE(recorder->status().failure, QString());
    QCOMPARE(recorder->status().looks, kept + 1);
    QCOMPARE(recorder->end(), QString());
    const auto recording = Recording::open(m_options.path, &error);
    QVERIFY2(recording, qPrintable(error));
    QCOMPARE(recording->info().damage, QString());
    QCOMPARE(recording->info().looks, kept + 1);
    const auto marks = recording->marks(RecordMaker::timeOf(0), RecordMaker::timeOf(kEnough) + 1h,
                                        {Kind::Unwritten, Kind::Written, Kind::Event});
    QList<Kind> kinds;
    for (const RecordedMark &mark : marks)
        kinds.append(mark.kind);
    QCOMPARE(kinds, (QList<Kind>{Kind::Unwritten, Kind::Event, Kind::Written}));
    QVERIFY(recording->at(RecordMaker::timeOf(m_looks - 2))->isGap);
    QVERIFY(!recording->at(RecordMaker::timeOf(m_looks - 1))->isGap);
}

void TestFullDisk::whatHappenedMeanwhileIsKeptOrCounted()
{
    m_disk = std::make_unique<SmallDisk>(4 * kDisk); // all of it has to fit in afterwards
    m_options.path = m_disk->path(u"night.lockscope"_s);
    const auto recorder = begin();
    QVERIFY(recorder);
    look(recorder.get());
    lookUntilFull(recorder.get());
    RecordedNews news = newsAt(m_looks++, 0);
    for (int i = 0; i < 2000; ++i)
        news.events.append(Event());
    recorder->take(news);
    lookAtDeadlock(recorder.get());
    news = newsAt(m_looks++, 0);
    for (int i = 0; i < PendingRoom::MaxHappened; ++i)
        news.events.append(Event());
    recorder->take(news);
    m_disk->makeRoom();
    look(recorder.get());
    QCOMPARE(recorder->status().failure, QString());
    QCOMPARE(recorder->end(), QString());
    const auto recording = read();
    QVERIFY(recording);
    const ServerTime end = RecordMaker::timeOf(m_looks);
    QCOMPARE(recording->marks(RecordMaker::timeOf(0), end, {Kind::Deadlock}).size(), 1);
    QVERIFY(recording->marks(RecordMaker::timeOf(0), end, {Kind::Event}).size() > 2000);
    const auto gaps = gapsOf(*recording, RecordMaker::timeOf(0), recording->info().to);
    QCOMPARE(gaps.size(), 1);
    QVERIFY2(gaps[0].why.contains(u"Not kept of this time: 2"_s), qPrintable(gaps[0].why)); // two thousand and one
}

/// A segment lasts a minute here: what had to wait is in another one than the looks before and after it.
void TestFullDisk::whatHappenedMeanwhileIsFoundInItsStretch()
{
    m_options.keep = 48min;
    const auto recorder = begin();
    QVERIFY(recorder);
    look(recorder.get());
    lookUntilFull(recorder.get());
    m_looks += 200;
    const ServerTime met = RecordMaker::timeOf(m_looks);
    lookAtDeadlock(recorder.get());
    m_disk->makeRoom();
    m_looks += 700;
    look(recorder.get());
    QCOMPARE(recorder->status().failure, QString());
    const auto recording = read();
    QVERIFY(recording);
    const ServerTime from = met - 50s;
    const ServerTime to = met + 50s;
    QCOMPARE(recording->marks(from, to, {Kind::Deadlock}).size(), 1);
    const auto gaps = gapsOf(*recording, from, to);
    QCOMPARE(gaps.size(), 1);
    QVERIFY2(gaps[0].from < from && gaps[0].why.contains(u"cannot be written"_s), qPrintable(gaps[0].why));
    RecordedDeadlocks deadlocks;
    QCOMPARE(deadlocks.until(*recording, from)->shapes().size(), 0);
    QCOMPARE(deadlocks.until(*recording, to)->shapes().size(), 1);
}

void TestFullDisk::itMayEndWhileTheDiskIsFull()
{
    auto recorder = begin();
    QVERIFY(recorder);
    for (int i = 0; i < 50; ++i)
        look(recorder.get());
    lookUntilFull(recorder.get());
    const qint64 kept = recorder->status().looks;
    const QString failure = recorder->end();
    QVERIFY2(failure.contains(u"cannot be written"_s), qPrintable(failure));
    recorder.reset();
    QString error;
    const auto seen = [&] {
        const auto recording = Recording::open(m_options.path, &error);
        return recording ? recording->info().looks : -1;
    };
    QCOMPARE(seen(), kept);
    m_disk->makeRoom();
    QCOMPARE(seen(), kept);
    recorder = begin(); // and goes on
    QVERIFY(recorder);
    look(recorder.get());
    QCOMPARE(recorder->end(), QString());
    recorder.reset();
    QCOMPARE(seen(), kept + 1);
    QVERIFY(!QFileInfo::exists(m_options.path + u"-wal"_s));
}

void TestFullDisk::itDoesNotBeginOnAFullDisk_data()
{
    QTest::addColumn<int>("left");
    for (const int left : {0, 4, 8, 16, 20, 24, 32, 48, 64, 128})
        QTest::addRow("%d KB left", left) << left;
}

void TestFullDisk::itDoesNotBeginOnAFullDisk()
{
    QFETCH(int, left);
    if (!m_disk->isMounted())
        QSKIP("files can be limited in their length only");
    QFile spare(m_disk->path(u"spare"_s));
    QVERIFY(spare.open(QIODevice::WriteOnly));
    spare.write(QByteArray(left * 1024, 'x'));
    spare.close();
    m_disk->fill();
    spare.remove();
    QString error;
    auto writer = RecordingWriter::open(m_options, u"mysql://ops@db1/shop"_s, &error);
    if (!writer)
        QVERIFY2(error.contains(u"full"_s), qPrintable(error));
    writer.reset();
    m_disk->makeRoom();
    const auto recorder = begin(); // of the same server, whatever was made of the file before
    QVERIFY(recorder);
    look(recorder.get());
    QCOMPARE(recorder->end(), QString());
    QCOMPARE(Recording::open(m_options.path, &error)->info().looks, 1);
}

QTEST_GUILESS_MAIN(TestFullDisk)
#include "tst_fulldisk.moc"
