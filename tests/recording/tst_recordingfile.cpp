// SPDX-License-Identifier: MIT
// The file of a recording: any moment of it, its bounds, and what becomes of it when the world is bad to it.
#include "fulldisk.h"
#include "recording/recordingdatabase.h"
#include "recordmaker.h"

#include <QtTest/QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kMegabyte = 1024 * 1024;

void closed(WrittenRecording *written)
{
    QCOMPARE(written->writer->finish(), QString());
    written->writer.reset();
}

} // namespace

class TestRecordingFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyMomentIsRebuilt();
    void aCutFileOpensUpToTheCut_data();
    void aCutFileOpensUpToTheCut();
    void damagedBytesNeverCrash_data();
    void damagedBytesNeverCrash();
    void whatIsNoRecordingIsRefused_data();
    void whatIsNoRecordingIsRefused();
    void theSizeIsBoundedAndTheNewestStays_data();
    void theSizeIsBoundedAndTheNewestStays();
    void whatIsTooOldGoes();
    void aRecordingGoesOnAfterAPause();
    void othersDoNotReadItAndLinksAreNotFollowed();
    void onlyOneWritesAtATime();
    void oneThatLostAllLooksSaysSo_data();
    void oneThatLostAllLooksSaysSo();
    void onlyOneWritesByWhateverName();
    void aFileThatIsTakenAwayEndsIt_data();
    void aFileThatIsTakenAwayEndsIt();
    void itIsReadWhileItIsWritten();
    void itEndsWhileSomebodyReadsIt();
    void aKilledRecorderLeavesItsLooks();
    void aFullDiskLosesNothingThatWasKept();
};

void TestRecordingFile::everyMomentIsRebuilt()
{
    WrittenRecording written;
    QVERIFY2(written.open(), qPrintable(written.error));
    QCOMPARE(written.write(200), QString());
    QCOMPARE(written.writer->finish(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QCOMPARE(recording->info().looks, 200);
    QCOMPARE(recording->info().from, RecordMaker::timeOf(0));
    QCOMPARE(recording->info().to, RecordMaker::timeOf(199));
    QVERIFY(!recording->at(RecordMaker::timeOf(0) - 1us));
    for (int look = 0; look < 200; ++look) {
        const auto moment = recording->at(RecordMaker::timeOf(look) + 500ms);
        QVERIFY(moment);
        QCOMPARE(moment->at, RecordMaker::timeOf(look));
        QVERIFY(test::itemsOf(moment->look) == written.looks[look]);
    }
    QList<ServerTime> times;
    recording->eachLook(RecordMaker::timeOf(50), RecordMaker::timeOf(60), [&times](ServerTime at) {
        times.append(at);
        return true;
    });
    QCOMPARE(times.size(), 11);
}

void TestRecordingFile::aCutFileOpensUpToTheCut_data()
{
    QTest::addColumn<int>("perMille");
    for (const int perMille : {1, 5, 20, 50, 100, 200, 333, 500, 501, 502, 503, 700, 900, 990, 999})
        QTest::addRow("%d of 1000", perMille) << perMille;
}

void TestRecordingFile::aCutFileOpensUpToTheCut()
{
    QFETCH(int, perMille);
    static WrittenRecording written;
    if (written.looks.isEmpty()) {
        written.options.maxBytes = 16 * kMegabyte; // some segments
        QVERIFY2(written.open(), qPrintable(written.error));
        QCOMPARE(written.write(800), QString());
        closed(&written);
    }
    const QByteArray whole = contentOf(written.options.path);
    const QString path = written.dir.filePath(u"cut"_s);
    writeFile(path, whole.left(whole.size() * perMille / 1000));
    QString error;
    const auto recording = Recording::open(path, &error);
    if (perMille <= 50) { // the file's own tables and the first look are longer
        if (recording)
            QVERIFY(recording->info().looks > 0);
        else
            QVERIFY2(error.contains(u"cut before its first look"_s) || error.contains(u"is not a recording"_s),
                     qPrintable(error));
        return;
    }
    QVERIFY2(recording, qPrintable(error));
    QVERIFY(recording->info().damage.contains(u"was cut"_s));
    QVERIFY(recording->marks(RecordMaker::timeOf(0), RecordMaker::timeOf(800)).isEmpty());
    const qint64 looks = recording->info().looks;
    QVERIFY2(looks * 1000 >= 800 * perMille - 70'000 && looks <= 800, qPrintable(QString::number(looks)));
    for (qint64 look = 0; look < looks; look += 23) {
        const auto moment = recording->at(RecordMaker::timeOf(int(look)));
        QVERIFY(moment);
        QVERIFY(test::itemsOf(moment->look) == written.looks[look]);
    }
}

void TestRecordingFile::damagedBytesNeverCrash_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 20; ++seed)
        QTest::addRow("%d", seed) << seed;
}

void TestRecordingFile::damagedBytesNeverCrash()
{
    QFETCH(int, seed);
    static WrittenRecording written(5);
    if (written.looks.isEmpty()) {
        QVERIFY(written.open());
        QCOMPARE(written.write(60), QString());
        closed(&written);
    }
    QByteArray content = contentOf(written.options.path);
    QRandomGenerator random{quint32(seed)};
    for (int i = 0; i < 400; ++i)
        content[random.bounded(100, int(content.size()))] = char(random.bounded(256));
    const QString path = written.dir.filePath(u"damaged"_s);
    writeFile(path, content);
    QString error;
    const auto recording = Recording::open(path, &error);
    if (!recording) {
        QVERIFY(!error.isEmpty());
        return;
    }
    for (int look = 0; look < 60; ++look)
        recording->at(RecordMaker::timeOf(look));
    recording->marks(RecordMaker::timeOf(0), RecordMaker::timeOf(60));
}

void TestRecordingFile::whatIsNoRecordingIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("expected");
    QByteArray newer;
    {
        WrittenRecording written;
        QVERIFY(written.open());
        QCOMPARE(written.write(1), QString());
        QCOMPARE(written.writer->finish(), QString());
        newer = contentOf(written.options.path);
    }
    newer[63] = char(kRecordingFormat + 1);
    QByteArray other = newer;
    other[68] = 'x';
    QTest::newRow("one of a newer program") << newer << u"by a newer Lockscope: its format is 2"_s;
    QTest::newRow("another program's database") << other << u"is not a recording"_s;
    QTest::newRow("text") << QByteArray("notes\n") << u"is not a recording"_s;
    QTest::newRow("the beginning of the first page") << newer.left(60) << u"is not a recording"_s;
}

void TestRecordingFile::whatIsNoRecordingIsRefused()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, expected);
    WrittenRecording written;
    writeFile(written.options.path, content);
    QString error;
    QVERIFY(!Recording::open(written.options.path, &error));
    QVERIFY2(error.contains(expected), qPrintable(error));
    QVERIFY(!written.open());
    QVERIFY2(written.error.contains(expected), qPrintable(written.error));
    QCOMPARE(contentOf(written.options.path), content);
    QVERIFY(!Recording::open(written.dir.filePath(u"none"_s), &error));
    QVERIFY(error.contains(u"cannot be read"_s));
    QVERIFY(!Recording::open(written.dir.path(), &error));
    QVERIFY(error.contains(u"is not a file"_s));
}

void TestRecordingFile::theSizeIsBoundedAndTheNewestStays_data()
{
    QTest::addColumn<int>("alarms"); // that are up all the time, and so in each part of the file
    QTest::newRow("no alarm") << 0;
    QTest::newRow("many alarms") << 5000;
}

void TestRecordingFile::theSizeIsBoundedAndTheNewestStays()
{
    QFETCH(const int, alarms);
    WrittenRecording written(400);
    written.options.maxBytes = RecordingOptions::MinBytes;
    QVERIFY2(written.open(), qPrintable(written.error));
    QList<RecordedMark> raised;
    for (int session = 1; session <= alarms; ++session) {
        Alarm alarm;
        alarm.subject.session = quint64(session);
        alarm.blockerIs = u"billing@10.0.0.5 (billing-worker)"_s;
        raised.append({RecordMaker::timeOf(0), RecordedMark::Kind::AlarmRaised, 0, {}, toBody(alarm)});
    }
    QCOMPARE(written.write(raised), QString());
    QCOMPARE(written.write(899), QString());
    QCOMPARE(written.writer->finish(), QString());
    const qint64 size = QFileInfo(written.options.path).size();
    QVERIFY2(size <= written.options.maxBytes + kMegabyte / 8 && size > written.options.maxBytes / 2,
             qPrintable(QString::number(size)));
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QVERIFY(recording->info().damage.isEmpty());
    QVERIFY(recording->info().from > RecordMaker::timeOf(0));
    QCOMPARE(recording->info().to, RecordMaker::timeOf(899));
    const int first = int((recording->info().from - RecordMaker::timeOf(0)) / 1s);
    for (int look = first; look < 900; look += 13)
        QVERIFY(test::itemsOf(recording->at(RecordMaker::timeOf(look))->look) == written.looks[look]);
}

void TestRecordingFile::whatIsTooOldGoes()
{
    WrittenRecording written(3);
    written.options.keep = 10min;
    QVERIFY2(written.open(), qPrintable(written.error));
    QCOMPARE(written.write(1500), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const auto kept = recording->info().to - recording->info().from;
    QVERIFY(kept >= 10min && kept <= 13min);
}

void TestRecordingFile::aRecordingGoesOnAfterAPause()
{
    WrittenRecording written;
    for (int i = 0; i < 3; ++i) {
        QVERIFY2(written.open(), qPrintable(written.error));
        QCOMPARE(written.write(10), QString());
        written.writer.reset();
    }
    QVERIFY(!QFileInfo::exists(written.options.path + u"-wal"_s));
    QVERIFY(!RecordingWriter::open(written.options, u"mysql://ops@other/shop"_s, &written.error));
    QVERIFY2(written.error.contains(u"is a recording of mysql://ops@db1/shop"_s), qPrintable(written.error));
    written.options.statements = StatementKeeping::None;
    QVERIFY(!written.open());
    QVERIFY2(written.error.contains(u"--statements keep"_s), qPrintable(written.error));
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY(recording);
    QCOMPARE(recording->info().looks, 30);
    for (int look = 0; look < 30; ++look)
        QVERIFY(test::itemsOf(recording->at(RecordMaker::timeOf(look))->look) == written.looks[look]);
}

void TestRecordingFile::othersDoNotReadItAndLinksAreNotFollowed()
{
    WrittenRecording written;
    const mode_t before = ::umask(0);
    const bool isOpen = written.open();
    QCOMPARE(written.write(3), QString());
    ::umask(before);
    QVERIFY(isOpen);
    for (const QString &name : {u""_s, u"-wal"_s}) {
        struct stat found = {};
        QCOMPARE(::stat(qPrintable(written.options.path + name), &found), 0);
        QCOMPARE(int(found.st_mode & 0777), 0600);
    }
    written.writer.reset();

    const QByteArray content = contentOf(written.options.path);
    const QString file = written.options.path;
    written.options.path = written.dir.filePath(u"link"_s);
    QCOMPARE(::symlink(qPrintable(file), qPrintable(written.options.path)), 0);
    QVERIFY(!written.open());
    QVERIFY2(written.error.contains(u"symbolic link"_s), qPrintable(written.error));
    written.options.path = file;
    QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    QVERIFY(!written.open());
    QVERIFY2(written.error.contains(u"chmod 600"_s), qPrintable(written.error));
    QCOMPARE(contentOf(file), content);
    written.options.path = written.dir.path();
    QVERIFY(!written.open());
    QVERIFY2(written.error.contains(u"cannot be written"_s), qPrintable(written.error));
}

void TestRecordingFile::onlyOneWritesAtATime()
{
    WrittenRecording written;
    QVERIFY(written.open());
    const auto first = std::move(written.writer);
    QVERIFY(!written.open());
    QVERIFY2(written.error.contains(u"is being recorded by another program"_s), qPrintable(written.error));
}

void TestRecordingFile::oneThatLostAllLooksSaysSo_data()
{
    QTest::addColumn<bool>("isFinished");
    QTest::addColumn<bool>("hasLog");
    QTest::newRow("ended") << true << false;
    QTest::newRow("killed") << false << true;
    QTest::newRow("killed, without its log") << false << false;
}

void TestRecordingFile::oneThatLostAllLooksSaysSo()
{
    QFETCH(bool, isFinished);
    QFETCH(bool, hasLog);
    WrittenRecording written;
    QVERIFY(written.open());
    QCOMPARE(written.write(30), QString());
    if (isFinished)
        closed(&written);
    const QByteArray content = contentOf(written.options.path);
    const QByteArray log = contentOf(written.options.path + u"-wal"_s);
    for (int eighths = 0; eighths < 8; ++eighths) {
        const QString copy = written.dir.filePath(u"cut%1"_s.arg(eighths));
        writeFile(copy, content.left(content.size() * eighths / 8));
        if (hasLog)
            writeFile(copy + u"-wal"_s, log.left(log.size() * eighths / 8));
        QString error;
        const auto recording = Recording::open(copy, &error);
        const bool isSaid = recording ? recording->info().looks > 0 : !error.isEmpty();
        QVERIFY2(isSaid, qPrintable(u"%1 eighths: %2"_s.arg(eighths).arg(error)));
    }
}

/// A hard link is the same file.
void TestRecordingFile::onlyOneWritesByWhateverName()
{
    WrittenRecording written;
    QVERIFY2(written.open(), qPrintable(written.error));
    RecordingOptions other;
    other.path = written.dir.filePath(u"other.lockscope"_s);
    QCOMPARE(::link(qPrintable(written.options.path), qPrintable(other.path)), 0);
    QString error;
    QVERIFY(!RecordingWriter::open(other, u"mysql://ops@db1/shop"_s, &error));
    QVERIFY2(error.contains(u"is being recorded by another program"_s), qPrintable(error));
    QCOMPARE(written.write(), QString());
}

void TestRecordingFile::aFileThatIsTakenAwayEndsIt_data()
{
    QTest::addColumn<bool>("isMoved");
    QTest::addColumn<bool>("isReplaced");
    QTest::addColumn<QString>("why");

    QTest::newRow("removed") << false << false << u"was removed"_s;
    QTest::newRow("moved") << true << false << u"was moved to "_s;
    QTest::newRow("replaced") << false << true << u"was replaced by another file"_s;
    QTest::newRow("moved and replaced") << true << true << u"was moved to "_s;
}

void TestRecordingFile::aFileThatIsTakenAwayEndsIt()
{
    QFETCH(const bool, isMoved);
    QFETCH(const bool, isReplaced);
    QFETCH(const QString, why);
    WrittenRecording written;
    QVERIFY2(written.open(), qPrintable(written.error));
    for (int i = 0; i < 20; ++i)
        QCOMPARE(written.write(), QString());
    const QString moved = written.dir.filePath(u"moved.lockscope"_s);
    if (isMoved)
        QVERIFY(QFile::rename(written.options.path, moved));
    else
        QVERIFY(QFile::remove(written.options.path));
    if (isReplaced)
        writeFile(written.options.path, "another's");
    const QString failure = written.write();
    QVERIFY2(failure.contains(why), qPrintable(failure));
    QCOMPARE(failure.contains(moved), isMoved);
    QVERIFY(written.writer->isLost());
    QCOMPARE(written.write(), failure);
    QCOMPARE(written.writer->finish(), failure);
    written.writer.reset();
    QCOMPARE(contentOf(written.options.path), isReplaced ? QByteArray("another's") : QByteArray());
    if (!isMoved)
        return;
    const auto recording = Recording::open(moved, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QVERIFY2(recording->at(RecordMaker::timeOf(19)), "what was recorded until then is there");
    QCOMPARE(recording->at(RecordMaker::timeOf(19))->at, RecordMaker::timeOf(19));
}

void TestRecordingFile::itIsReadWhileItIsWritten()
{
    WrittenRecording written;
    QVERIFY(written.open());
    QCOMPARE(written.write(20), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QCOMPARE(recording->info().looks, 20);
    QVERIFY(recording->info().damage.isEmpty());
    QCOMPARE(written.write(20), QString());
    recording->refresh();
    QCOMPARE(recording->info().looks, 40);
    QVERIFY(test::itemsOf(recording->at(RecordMaker::timeOf(39))->look) == written.looks[39]);
}

void TestRecordingFile::itEndsWhileSomebodyReadsIt()
{
    WrittenRecording written;
    QVERIFY(written.open());
    QCOMPARE(written.write(20), QString());
    const auto reading = Recording::open(written.options.path, &written.error);
    QVERIFY2(reading, qPrintable(written.error));
    closed(&written);
    QVERIFY(reading->at(RecordMaker::timeOf(19)));
    const QString alone = written.dir.filePath(u"alone"_s); // without its log
    writeFile(alone, contentOf(written.options.path));
    const auto recording = Recording::open(alone, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QCOMPARE(recording->info().looks, 20);
    QCOMPARE(recording->info().damage, QString());
}

void TestRecordingFile::aKilledRecorderLeavesItsLooks()
{
    WrittenRecording written;
    QVERIFY(written.open());
    QCOMPARE(written.write(30), QString());
    const QString copy = written.dir.filePath(u"killed"_s);
    for (const QString &name : {u""_s, u"-wal"_s})
        writeFile(copy + name, contentOf(written.options.path + name));
    {
        const auto recording = Recording::open(copy, &written.error);
        QVERIFY2(recording, qPrintable(written.error));
        QCOMPARE(recording->info().looks, 30);
    }
    const RecordingOptions options{copy};
    auto goesOn = RecordingWriter::open(options, u"mysql://ops@db1/shop"_s, &written.error);
    QVERIFY2(goesOn, qPrintable(written.error));
    QCOMPARE(goesOn->append(RecordMaker::timeOf(30), written.looks[0], {}), QString());
    QCOMPARE(goesOn->finish(), QString());
    QCOMPARE(Recording::open(copy, &written.error)->info().looks, 31);
}

void TestRecordingFile::aFullDiskLosesNothingThatWasKept()
{
    WrittenRecording written;
    QVERIFY(written.open());
    QCOMPARE(written.write(50), QString());
    {
        const FullDisk full(rlim_t(QFileInfo(written.options.path + u"-wal"_s).size()));
        int tried = 0;
        QString failure;
        while (failure.isEmpty() && ++tried < 500)
            failure = written.write();
        QVERIFY2(failure.contains(u"cannot be written"_s), qPrintable(failure));
        QVERIFY(!written.write().isEmpty());
        const auto recording = Recording::open(written.options.path, &written.error);
        QVERIFY2(recording, qPrintable(written.error));
        QCOMPARE(recording->info().looks, written.looks.size());
    }
    QCOMPARE(written.write(10), QString());
    QCOMPARE(written.writer->finish(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QCOMPARE(recording->info().looks, written.looks.size());
    for (int look = 0; look < written.looks.size(); ++look)
        QVERIFY(test::itemsOf(recording->at(RecordMaker::timeOf(look))->look) == written.looks[look]);
}

QTEST_GUILESS_MAIN(TestRecordingFile)
#include "tst_recordingfile.moc"
