// SPDX-License-Identifier: MIT
// Texts that servers really printed, changed in every way that comes to chance. A crash, a sanitizer's report or a
// reading without end is the failure. LOCKSCOPE_FUZZ_SECONDS says for how long, LOCKSCOPE_FUZZ_SEED repeats one run. An
// hour by hand: LOCKSCOPE_FUZZ_SECONDS=3600 QTEST_FUNCTION_TIMEOUT=4000000
// build/release/tests/deadlocks/tst_deadlockfuzz
#include "deadlocks/deadlockreport.h"
#include "lessons/innodbstatus.h"
#include "logreading.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QDir>
#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

#include <chrono>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kUsualSeconds = 2;
constexpr int kMaxChanges = 12;
constexpr int kMaxPart = 400;

QList<QByteArray> rawTexts()
{
    QList<QByteArray> texts;
    const QDir folder(QStringLiteral(LOCKSCOPE_RAW));
    for (const QString &name : folder.entryList({u"*.txt"_s, u"*.log"_s})) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("%s cannot be read", qUtf8Printable(name));
        texts += file.readAll();
    }
    return texts;
}

/// All that is made of a deadlock.
void readAll(const Deadlock &found)
{
    causeOf(found);
    shapeOf(found);
    isOfRun(found);
    for (const DeadlockEdge &edge : edgesOf(found))
        found.keyOf(edge.lock);
}

/// All that is made of a text.
void readAll(const QByteArray &text)
{
    printedLocks(text);
    if (const auto latest = latestDeadlock(text))
        readAll(*latest);
    for (const Deadlock &found : deadlocksIn(text))
        readAll(found);
}

class Mutator
{
public:
    Mutator(const QList<QByteArray> &texts, quint32 seed)
        : m_texts(texts)
        , m_random(seed)
    {
    }

    QByteArray next()
    {
        QByteArray text = one();
        for (int change = m_random.bounded(1, kMaxChanges); change > 0 && !text.isEmpty(); --change)
            alter(&text);
        return text;
    }

private:
    const QByteArray &one() { return m_texts[m_random.bounded(int(m_texts.size()))]; }
    QByteArray part(const QByteArray &text)
    {
        return text.mid(m_random.bounded(int(text.size())), m_random.bounded(kMaxPart));
    }
    /// The line that is at some place.
    QByteArray line(const QByteArray &text)
    {
        const qsizetype at = m_random.bounded(int(text.size()));
        const qsizetype begin = text.lastIndexOf('\n', at) + 1;
        return text.mid(begin, text.indexOf('\n', at) + 1 - begin);
    }
    void alter(QByteArray *text)
    {
        const qsizetype at = m_random.bounded(int(text->size()));
        switch (m_random.bounded(7)) {
        case 0:
            (*text)[at] = char(m_random.bounded(256));
            return;
        case 1:
            text->remove(at, m_random.bounded(kMaxPart));
            return;
        case 2:
            text->insert(at, part(one()));
            return;
        case 3:
            text->insert(at, line(one()));
            return;
        case 4:
            text->truncate(at);
            return;
        case 5:
            text->insert(at, QByteArray::number(m_random.generate64()));
            return;
        default: {
            const QByteArray some = line(*text);
            text->replace(some, m_random.bounded(2) == 0 ? QByteArray() : some + some);
            return;
        }
        }
    }

    const QList<QByteArray> m_texts;
    QRandomGenerator m_random;
};

} // namespace

class TestDeadlockFuzz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whateverIsChangedIsRead();
    void fiveMegabytesAreRead_data();
    void fiveMegabytesAreRead();
};

void TestDeadlockFuzz::whateverIsChangedIsRead()
{
    bool isSet = false;
    const int seconds = qEnvironmentVariableIntValue("LOCKSCOPE_FUZZ_SECONDS", &isSet);
    const quint32 seed = qEnvironmentVariableIsSet("LOCKSCOPE_FUZZ_SEED")
        ? qEnvironmentVariable("LOCKSCOPE_FUZZ_SEED").toUInt()
        : QRandomGenerator::system()->generate();
    qInfo("LOCKSCOPE_FUZZ_SEED=%u", seed);
    Mutator mutator(rawTexts(), seed);
    const QDeadlineTimer end(std::chrono::seconds(isSet ? seconds : kUsualSeconds));
    int texts = 0;
    do {
        readAll(mutator.next());
        ++texts;
    } while (!end.hasExpired());
    qInfo("%d texts", texts);
}

void TestDeadlockFuzz::fiveMegabytesAreRead_data()
{
    QTest::addColumn<QByteArray>("repeated");
    const QByteArray head = "*** (1) TRANSACTION:\nTRANSACTION 5, ACTIVE 1 sec\nMySQL thread id 9, OS thread handle 1, "
                            "query id 1 a b c\nselect 1\n";
    const QByteArray lock = "RECORD LOCKS space id 5 page no 3 n bits 8 index a of table `a`.`a` trx id 5 lock_mode X\n"
                            "Record lock, heap no 2\n 0: len 1; hex 61;\n";
    const QByteArray holds = "*** (1) HOLDS THE LOCK(S):\n";
    const QByteArray waits = "*** (1) WAITING FOR THIS LOCK TO BE GRANTED:\n";
    const auto with = [](QByteArray text, const char *before, const char *after) {
        return text.replace(before, after);
    };
    const QByteArray locks = with(lock, "heap no 2", "heap no %n");
    QTest::newRow("locks that are held") << head + holds + "%" + locks;
    QTest::newRow("locks that are waited for") << head + waits + "%" + locks;
    QTest::newRow("headings of sides") << head + "%*** (%n) TRANSACTION:\nTRANSACTION %n, ACTIVE 1 sec\n"
            + with(holds + lock + waits + lock, "trx id 5", "trx id %n");
    QTest::newRow("a statement of headings") << head + "%*** (1) TRANSACTION:\n";
    QTest::newRow("one line of a heading")
        << head + holds + "RECORD LOCKS space id 5 page no 3 n bits 8 index a of table `%`.`a of table `";
    QTest::newRow("lines that are nearly headings") << head + holds
            + "%RECORD LOCKS space id 5 page no 3 n bits 8 index " + QByteArray(" of table `a`.`").repeated(100) + "\n";
    QTest::newRow("one field") << head + holds + lock + " 1: len 1; hex %61";
    QTest::newRow("quotes") << head + "%'\"`";
    QTest::newRow("a list of values") << head + "select (%1,";
    QTest::newRow("comments") << head + "%/* -- # ";
    QTest::newRow("empty lines") << head + "%\n";
}

void TestDeadlockFuzz::fiveMegabytesAreRead()
{
    QFETCH(QByteArray, repeated);
    const qsizetype mark = repeated.indexOf('%');
    QByteArray status =
        "------------------------\nLATEST DETECTED DEADLOCK\n------------------------\n" + repeated.left(mark);
    const QByteArray unit = repeated.mid(mark + 1);
    int number = 1;
    while (status.size() < qsizetype(5) * 1024 * 1024) {
        QByteArray one = unit;
        status += one.replace("%n", QByteArray::number(++number));
    }
    readAll(status);
    readAll("------------\nTRANSACTIONS\n------------\n---TRANSACTION 5, ACTIVE 1 sec\n" + status);
}

QTEST_GUILESS_MAIN(TestDeadlockFuzz)
#include "tst_deadlockfuzz.moc"
