// SPDX-License-Identifier: MIT
// What is taken out of the list of locks: the report of an incident, rows as text and CSV, and views under a name.
#include "strict.h"

#include "locks/tablerows.h"
#include "tablelockmaker.h"
#include "ui/pages/locks/incidentreport.h"
#include "ui/pages/locks/lockextract.h"
#include "ui/pages/locks/savedviews.h"
#include "ui/text/csv.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtGui/QStandardItemModel>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

constexpr ServerTime kNow{std::chrono::hours(500'000)};

IncidentFacts stuckLease()
{
    IncidentFacts facts;
    facts.server = QStringLiteral("db1, 10.11.19-MariaDB");
    facts.at = kNow;
    facts.details.key.resource = "orders/42";
    LockRow lock;
    lock.key = facts.details.key;
    lock.state = LockState::Held;
    lock.owner.service = QStringLiteral("billing");
    lock.owner.host = QStringLiteral("a7");
    lock.connectionId = 33;
    lock.token = 12;
    lock.acquiredAt = kNow - 10min;
    lock.note = "<b>night</b> run";
    facts.details.lock = lock;
    Waiter waiter;
    waiter.position = 1;
    waiter.owner.service = QStringLiteral("ci|build");
    waiter.owner.host = QStringLiteral("b1");
    waiter.connectionId = 34;
    waiter.since = kNow - 65s;
    facts.details.queue.append(waiter);
    ServerWaits waits;
    ServerSession holder;
    holder.id = 33;
    holder.user = QStringLiteral("app");
    holder.host = QStringLiteral("10.0.0.5");
    holder.statement = {Statement::Source::Last, "SELECT '```' FROM stock", false};
    waits.sessions.insert(33, holder);
    facts.waits = std::make_shared<const ServerWaits>(waits);
    return facts;
}

} // namespace

class TestLockCopies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }
    void anIncidentSaysWhoBlocksWhomSinceWhen();
    void whatTheHolderDidForOthersToWaitIsTold();
    void whatOthersWroteIsNoMarkup();
    void whatWasDoneIsToldWithWhatItFreed();
    void anActOfAnotherLockIsNotToldHere();
    void aSessionOfAnotherServerIsNotToldHere();
    void whoWaitsBehindOthersIsFreedToo();
    void aLockThatIsFreeIsReportedAsFree();
    void aTableLockIsReportedWithItsRow();
    void aReleaseIsToldOfTheRowThatItWasOf_data();
    void aReleaseIsToldOfTheRowThatItWasOf();
    void aCellThatIsAFormulaIsTextInCsv();
    void textKeepsOneLineARow();
    void anExtractHasTheSameRowsInAnyForm();
    void aViewIsKeptUnderItsName();
    void aViewOfALaterVersionIsSortedByName();
};

void TestLockCopies::anIncidentSaysWhoBlocksWhomSinceWhen()
{
    const QString text = IncidentReport::of(stuckLease());
    for (const char *part :
         {"# Incident: orders/42", "db1, 10.11.19\\-MariaDB", "## What was blocked", "billing on a7", "| 1 | ci",
          "## By whom", "Fencing token: 12", "app@10.0.0.5", "## Statements", "1 min 5 s", "Nothing so far."})
        QVERIFY2(text.contains(QLatin1StringView(part)), qPrintable(text));
}

/// It may hold several locks: the statement is the one that took what others wait for.
void TestLockCopies::whatTheHolderDidForOthersToWaitIsTold()
{
    IncidentFacts facts = stuckLease();
    ServerWaits waits = *facts.waits;
    PastStatement took;
    took.text = "UPDATE stock SET left_over = 3";
    took.tookLock = true;
    waits.sessions[33].history = {took, PastStatement()};
    facts.waits = std::make_shared<const ServerWaits>(waits);
    const QString text = IncidentReport::of(facts);
    const QString told = QStringLiteral("Of the holder, connection 33, that took what others wait for:\n\n");
    QVERIFY2(text.contains(told), qPrintable(text));
    QVERIFY2(text.section(told, 1).section(QStringLiteral("Of the holder"), 0, 0).contains(u"UPDATE stock"),
             qPrintable(text));
}

void TestLockCopies::whatOthersWroteIsNoMarkup()
{
    const QString text = IncidentReport::of(stuckLease());
    QVERIFY2(text.contains(QStringLiteral("\\<b\\>night\\</b\\> run")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("ci\\|build")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("````sql\nSELECT '```' FROM stock\n````\n")), qPrintable(text));
}

void TestLockCopies::whatWasDoneIsToldWithWhatItFreed()
{
    IncidentFacts facts = stuckLease();
    KillOrder kill;
    kill.target.session = 33;
    kill.target.user = QStringLiteral("app");
    kill.target.host = QStringLiteral("10.0.0.5");
    kill.operatorName = QStringLiteral("ada");
    kill.reason = QStringLiteral("stuck since noon");
    KillReport ended;
    ended.outcome = KillReport::Outcome::Ended;
    facts.acts.append(IncidentReport::killed(kill, ended, 3, kNow));
    ReleaseOrder order{facts.details.key, 12, QStringLiteral("ada"), QStringLiteral("stuck")};
    ReleaseReport report;
    report.outcome = ForcedRelease::Outcome::Released;
    facts.acts.append(IncidentReport::released(order, report, kNow));
    const QString text = IncidentReport::of(facts);
    QVERIFY2(
        text.contains(QStringLiteral("ada ended connection 33 of app@10.0.0.5: stuck since noon 3 waited behind it.")),
        qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("ada released it by force \\(token 12\\): stuck It is free.")),
             qPrintable(text));
}

void TestLockCopies::anActOfAnotherLockIsNotToldHere()
{
    IncidentFacts facts = stuckLease();
    ReleaseOrder order{{LockKind::Lease, "orders/43", 0, 0}, 1, QStringLiteral("ada"), QStringLiteral("x")};
    facts.acts.append(IncidentReport::released(order, {}, kNow));
    KillOrder kill;
    kill.target.session = 99;
    facts.acts.append(IncidentReport::killed(kill, {}, 0, kNow));
    QVERIFY(IncidentReport::of(facts).contains(QStringLiteral("Nothing so far.")));
}

/// Its number is that of somebody else here.
void TestLockCopies::aSessionOfAnotherServerIsNotToldHere()
{
    IncidentFacts facts = stuckLease();
    facts.details.key.server = 1;
    facts.details.lock->key.server = 1;
    KillOrder kill;
    kill.target.session = 33;
    facts.acts.append(IncidentReport::killed(kill, {}, 0, kNow));
    const QString text = IncidentReport::of(facts);
    QVERIFY2(!text.contains(QStringLiteral("app@10.0.0.5")) && !text.contains(QStringLiteral("## Statements")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("Nothing so far.")), qPrintable(text));
}

void TestLockCopies::whoWaitsBehindOthersIsFreedToo()
{
    ServerWaits waits;
    const auto add = [&waits](quint64 waiter, quint64 blocker) {
        WaitEdge edge;
        edge.waiter = waiter;
        edge.blocker = blocker;
        waits.edges.append(edge);
    };
    add(2, 1);
    add(3, 2);
    add(4, 3);
    add(2, 4); // a ring ends the walk
    add(9, 8);
    QCOMPARE(IncidentReport::freedBy(waits, 1), 3);
    QCOMPARE(IncidentReport::freedBy(waits, 7), 0);
}

void TestLockCopies::aLockThatIsFreeIsReportedAsFree()
{
    IncidentFacts facts = stuckLease();
    facts.details.lock.reset();
    facts.details.queue.clear();
    const QString text = IncidentReport::of(facts);
    QVERIFY(text.contains(QStringLiteral("Nobody holds it any more.")));
    QVERIFY(text.contains(QStringLiteral("Nobody waits for it.")));
}

void TestLockCopies::aTableLockIsReportedWithItsRow()
{
    IncidentFacts facts;
    facts.at = kTableNow;
    const SharedLockRow row = tableRows({tableLock("nightly")}, {})[0];
    facts.details.key = row->key;
    facts.details.lock = *row;
    TableReleaseReport report;
    report.outcome = TableReleaseReport::Outcome::Released;
    facts.acts.append(
        IncidentReport::released(TableReleaseOrder{*row->table, QStringLiteral("ada"), QStringLiteral("gone"), {}},
                                 report, row->key, kTableNow));
    const QString text = IncidentReport::of(facts);
    for (const char *part :
         {"# Incident: app.shedlock nightly", "a7 has held app.shedlock nightly for 10 min", "does not tell who waits",
          "Program: ShedLock", "locked\\_by = a7", "ada released it as its program would: gone"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
}

void TestLockCopies::aReleaseIsToldOfTheRowThatItWasOf_data()
{
    QTest::addColumn<bool>("isKnown");
    QTest::addColumn<bool>("isDone");
    QTest::addColumn<QStringList>("told"); // in the reports of both rows
    const QString nothing = QStringLiteral("Nothing so far.");

    QTest::newRow("released") << true << true
                              << QStringList{nothing, QStringLiteral("ada released it as its program would: gone")};
    QTest::newRow("not released") << true << false
                                  << QStringList{nothing,
                                                 QStringLiteral("ada asked for a release, which was not made")};
    const QString either = QStringLiteral("ada released a row of this name as its program would: gone");
    QTest::newRow("released, which is not known") << false << true << QStringList{either, either};
    const QString neither = QStringLiteral("ada asked for the release of a row of this name, which was not made");
    QTest::newRow("not released, which is not known") << false << false << QStringList{neither, neither};
}

/// Hangfire's rows of one resource have one name.
void TestLockCopies::aReleaseIsToldOfTheRowThatItWasOf()
{
    QFETCH(const bool, isKnown);
    QFETCH(const bool, isDone);
    QFETCH(const QStringList, told);
    TableLock other = tableLock("nightly");
    other.values[1] = "b2";
    const QList<SharedLockRow> rows = tableRows({tableLock("nightly"), other}, {});
    QCOMPARE(rows[1]->key.slot, 1);
    TableReleaseReport report;
    report.outcome = isDone ? TableReleaseReport::Outcome::Released : TableReleaseReport::Outcome::TargetChanged;
    const TableReleaseOrder order{*rows[1]->table, QStringLiteral("ada"), QStringLiteral("gone"), {}};
    for (int i = 0; i < 2; ++i) {
        IncidentFacts facts;
        facts.at = kTableNow;
        facts.details.key = rows[i]->key;
        facts.acts.append(
            IncidentReport::released(order, report, isKnown ? std::optional(rows[1]->key) : std::nullopt, kTableNow));
        const QString text = IncidentReport::of(facts);
        QVERIFY2(text.contains(told[i]), qPrintable(text));
        QCOMPARE(text.count(QStringLiteral("ada ")), told[i].startsWith(QStringLiteral("ada ")) ? 1 : 0);
    }
}

void TestLockCopies::aCellThatIsAFormulaIsTextInCsv()
{
    QStandardItemModel model(2, 1);
    model.setHorizontalHeaderLabels({QStringLiteral("Resource")});
    model.setItem(0, 0, new QStandardItem(QStringLiteral("=1+1")));
    model.setItem(1, 0, new QStandardItem(QStringLiteral("b")));
    QVERIFY(!toCsv(model).contains("\"=1+1\""));
    QVERIFY(toCsv(model).contains("\"b\""));
}

void TestLockCopies::textKeepsOneLineARow()
{
    const QString text = toText({QStringLiteral("Resource"), QStringLiteral("Note")}, 1, [](qsizetype) {
        return QStringList{QStringLiteral("a\tb"), QStringLiteral("one\ntwo")};
    });
    QCOMPARE(text.count(u'\n'), 2);
    QCOMPARE(text.count(u'\t'), 2);
}

void TestLockCopies::anExtractHasTheSameRowsInAnyForm()
{
    LockExtract extract;
    extract.headers = {QStringLiteral("Resource"), QStringLiteral("Server"), QStringLiteral("State")};
    extract.times = {{0, kNow}};
    for (const char *name : {"a", "b,c"}) {
        LockRow row;
        row.key.resource = name;
        row.state = LockState::Held;
        extract.items.append({row, {}, {}});
    }
    extract.items.append({extract.items.first().row, {}, std::chrono::steady_clock::now()}); // gone
    QCOMPARE(extract.as(LockExtract::Format::Names), "a\nb,c\na");
    QCOMPARE(extract.as(LockExtract::Format::Csv),
             "\"Resource\",\"State\"\r\n\"a\",\"Held\"\r\n\"b,c\",\"Held\"\r\n\"a\",\"Free\"\r\n");
    QCOMPARE(extract.as(LockExtract::Format::Text), "Resource\tState\na\tHeld\nb,c\tHeld\na\tFree\n");
    const QJsonArray locks = QJsonDocument::fromJson(extract.as(LockExtract::Format::Json)).array();
    QCOMPARE(locks.size(), 2);
    QCOMPARE(locks[1].toObject()[QStringLiteral("resource")].toString(), QStringLiteral("b,c"));
    extract.items.clear();
    QVERIFY(QJsonDocument::fromJson(extract.as(LockExtract::Format::Json)).isArray());
}

void TestLockCopies::aViewIsKeptUnderItsName()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    SavedView saved{QStringLiteral("ci / stuck & old"), {}};
    saved.view.filter = QStringLiteral("holder:ci \"a b\"");
    saved.view.facets = LockFacet::Orphan | LockFacet::Waited;
    saved.view.sort = LockSort::Waiters;
    saved.view.descending = true;
    saveView(settings, saved);
    saveView(settings, {QStringLiteral("all"), {}});
    const QList<SavedView> views = loadViews(settings);
    QCOMPARE(views.size(), 2);
    QCOMPARE(views[1].name, saved.name);
    QCOMPARE(views[1].view, saved.view);
    removeView(settings, saved.name);
    QCOMPARE(loadViews(settings).size(), 1);
}

void TestLockCopies::aViewOfALaterVersionIsSortedByName()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    settings.setValue(QStringLiteral("lockViews/61/sort"), 99);
    QCOMPARE(loadViews(settings).first().view.sort, LockSort::Resource);
}

QTEST_MAIN(TestLockCopies)
#include "tst_lockcopies.moc"
