// SPDX-License-Identifier: MIT
// What a person types to find locks: fields, words, and what cannot be understood.
#include "locks/lockfilter.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr ServerTime kNow{std::chrono::hours(1000)};

LockRow row()
{
    LockRow made;
    made.key.resource = "Orders/42:a";
    made.state = LockState::Held;
    made.owner.service = QStringLiteral("ci");
    made.owner.host = QStringLiteral("app-7");
    made.owner.pid = 812;
    made.connectionId = 33;
    made.token = 1204;
    made.note = "night run";
    made.acquiredAt = kNow - 10min;
    made.expiresAt = kNow + 20s;
    made.waiters = 4;
    return made;
}

} // namespace

class TestLockFilter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsByWordsAndFields_data();
    void findsByWordsAndFields();
    void saysWhatItCannotUnderstand_data();
    void saysWhatItCannotUnderstand();
    void whatCannotBeUnderstoodIsLookedForAsItStands();
    void whatIsNotKnownIsNoNumber();
    void theServerCanLookForAPlainWord_data();
    void theServerCanLookForAPlainWord();
    void onlyTimesChangeWithTheTime();
};

void TestLockFilter::findsByWordsAndFields_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isFound");
    const auto found = [](const char *text) { QTest::newRow(text) << QString::fromUtf8(text) << true; };
    const auto hidden = [](const char *text) { QTest::newRow(text) << QString::fromUtf8(text) << false; };
    for (const char *text : {"",
                             "  ",
                             "orders",
                             "ORDERS/42",
                             "ci",
                             "run night",
                             "\"night run\"",
                             "\"orders/42:A\"",
                             "-nothing",
                             "holder:ci",
                             "holder:=CI",
                             "holder:app-7",
                             "host:app",
                             "resource:42",
                             "resource:\"42:a\"",
                             "note:run",
                             "note:\"night run\"",
                             "kind:lease",
                             "kind:row,lease",
                             "state:held",
                             "waiters:4",
                             "waiters:>3",
                             "waiters:>=4",
                             "waiters:<5",
                             "waiters:<=4",
                             "token:1204",
                             "session:33",
                             "pid:812",
                             "held:>5m",
                             "held:<1h",
                             "left:<30s",
                             "left:>=20s",
                             "-kind:row",
                             "HOLDER:ci waiters:>3 kind:lease night",
                             "-",
                             "-\"nothing: here\""})
        found(text);
    for (const char *text :
         {"nothing",          "\"run night\"",  "-orders",          "holder:c holder:x",  "holder:=c",    "host:=app",
          "resource:=orders", "note:noon",      "kind:row",         "kind:metadata,user", "state:orphan", "waiters:5",
          "waiters:>4",       "waiters:<4",     "token:1205",       "session:1",          "held:>1h",     "left:>1m",
          "-kind:lease",      "-\"night run\"", "orders waiters:>9"})
        hidden(text);
}

void TestLockFilter::findsByWordsAndFields()
{
    QFETCH(const QString, text);
    std::optional<FilterError> error;
    const LockFilter filter = LockFilter::parse(text, &error);
    QVERIFY(!error);
    QTEST(filter.matches(row(), kNow), "isFound");
}

void TestLockFilter::saysWhatItCannotUnderstand_data()
{
    using Kind = FilterError::Kind;
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("word");
    QTest::newRow("a field that there is not") << QStringLiteral("a hodler:ci") << int(Kind::UnknownField) << "hodler";
    QTest::newRow("a name with a colon") << QStringLiteral("orders/42:a") << int(Kind::UnknownField) << "orders/42";
    QTest::newRow("a kind that there is not") << QStringLiteral("kind:row,foo") << int(Kind::UnknownValue) << "foo";
    QTest::newRow("a state that there is not") << QStringLiteral("state:free") << int(Kind::UnknownValue) << "free";
    QTest::newRow("no number") << QStringLiteral("waiters:>many") << int(Kind::NotANumber) << "many";
    QTest::newRow("two signs") << QStringLiteral("waiters:><3") << int(Kind::NotANumber) << "<3";
    QTest::newRow("a number too large") << QStringLiteral("token:99999999999999999999") << int(Kind::NotANumber)
                                        << "99999999999999999999";
    QTest::newRow("a duration without a unit") << QStringLiteral("held:>5") << int(Kind::NotADuration) << "5";
    QTest::newRow("a sign alone") << QStringLiteral("left:<") << int(Kind::NotADuration) << "";
    QTest::newRow("a field alone") << QStringLiteral("note:") << int(Kind::NothingToFind) << "";
    QTest::newRow("an open quotation mark") << QStringLiteral("\"night run") << int(Kind::OpenQuote) << "\"night run";
}

void TestLockFilter::saysWhatItCannotUnderstand()
{
    QFETCH(const QString, text);
    std::optional<FilterError> error;
    LockFilter::parse(text, &error);
    QVERIFY(error.has_value());
    QTEST(int(error->kind), "kind");
    QTEST(error->word, "word");
}

void TestLockFilter::whatCannotBeUnderstoodIsLookedForAsItStands()
{
    QVERIFY(LockFilter::parse(QStringLiteral("orders/42:a")).matches(row(), kNow));
    QVERIFY(!LockFilter::parse(QStringLiteral("orders/42:b")).matches(row(), kNow));
}

void TestLockFilter::whatIsNotKnownIsNoNumber()
{
    LockRow unknown = row();
    unknown.waiters.reset();
    unknown.expiresAt.reset();
    QVERIFY(!LockFilter::parse(QStringLiteral("waiters:<=0")).matches(unknown, kNow));
    QVERIFY(!LockFilter::parse(QStringLiteral("left:>1s")).matches(unknown, kNow));
    QVERIFY(LockFilter::parse(QStringLiteral("-waiters:>3")).matches(unknown, kNow));
}

void TestLockFilter::theServerCanLookForAPlainWord_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("needle");
    QTest::newRow("nothing") << QString() << QByteArray();
    QTest::newRow("a word") << QStringLiteral("Orders") << QByteArray("Orders");
    QTest::newRow("behind a field") << QStringLiteral("kind:lease orders") << QByteArray("orders");
    QTest::newRow("in quotation marks") << QStringLiteral("\"night run\" a") << QByteArray("night run");
    QTest::newRow("not what is not to be there") << QStringLiteral("-orders") << QByteArray();
    QTest::newRow("not what the server does not fold") << QStringLiteral("Ärger") << QByteArray();
    QTest::newRow("not a field") << QStringLiteral("holder:ci") << QByteArray();
}

void TestLockFilter::theServerCanLookForAPlainWord()
{
    QFETCH(const QString, text);
    QTEST(LockFilter::parse(text).needle(), "needle");
}

void TestLockFilter::onlyTimesChangeWithTheTime()
{
    QVERIFY(LockFilter::parse(QStringLiteral("held:>1m")).isOfTime());
    QVERIFY(LockFilter::parse(QStringLiteral("a left:<1m")).isOfTime());
    QVERIFY(!LockFilter::parse(QStringLiteral("a waiters:>1")).isOfTime());
}

QTEST_GUILESS_MAIN(TestLockFilter)
#include "tst_lockfilter.moc"
