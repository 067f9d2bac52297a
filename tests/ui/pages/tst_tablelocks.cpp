// SPDX-License-Identifier: MIT
// Locks of other programs' tables in the window, on a real server.
#include "tablelocktest.h"
#include "ui/pages/locks/facetbar.h"
#include "ui/pages/locks/zonebar.h"

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestTableLocks : public TableLockTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void oneStandsInTheListWithItsDetails();
    void theFilterFindsThemByKindAndProfile();
    void onlyWhatIsKnownIsShown();
    void theZoneIsAskedForOnce();
    void whoDoesNotKnowTheZoneIsNotAskedAgain();
    void aTableThatIsLockedIsSaidQuietly();
    void oneWhoseTableIsDroppedIsGone();
    void whoMayReadOneTableAloneSeesItsLocks_data();
    void whoMayReadOneTableAloneSeesItsLocks();

private:
    void makeTimesUnclear();
    QString cell(const LockKey &key, int column) const;
    QString held() const;
};

QString TestTableLocks::cell(const LockKey &key, int column) const
{
    return m_page->model()->index(m_page->model()->rowOf(key), column).data().toString();
}

/// How many locks are held, as the button over the list says it.
QString TestTableLocks::held() const
{
    for (const QToolButton *button : m_page->findChild<FacetBar *>()->findChildren<QToolButton *>()) {
        if (button->text().startsWith(u"Held"))
            return button->text();
    }
    return {};
}

void TestTableLocks::oneStandsInTheListWithItsDetails()
{
    open();
    choose();
    QCOMPARE(cell(nightly(), LockTableModel::ResourceColumn), u"app.shedlock nightly"_s);
    QCOMPARE(cell(nightly(), LockTableModel::StateColumn), u"In a table"_s);
    QCOMPARE(cell(nightly(), LockTableModel::OwnerColumn), u"host-a7"_s);
    QCOMPARE(cell(nightly(), LockTableModel::NoteColumn), u"ShedLock"_s);
    for (const int column : {int(LockTableModel::TokenColumn), int(LockTableModel::WaitersColumn),
                             int(LockTableModel::SessionColumn), int(LockTableModel::ProcessColumn)})
        QCOMPARE(cell(nightly(), column), u"–"_s);
    const QString text = details();
    for (const QString &part : {u"host-a7 has held app.shedlock nightly for 2 h"_s, u"ShedLock"_s, u"the server's"_s,
                                u"lock_until = "_s, u"locked_by = host-a7"_s, u"lockAtLeastFor"_s})
        QVERIFY2(text.contains(part), qPrintable(text));
    for (const QString &part : {u"Token"_s, u"Session"_s, u"Queue"_s, u"waits"_s})
        QVERIFY2(!text.contains(part), qPrintable(text));
}

void TestTableLocks::theFilterFindsThemByKindAndProfile()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    auto *filter = m_page->findChild<QLineEdit *>();
    for (const QString &text : {u"kind:table"_s, u"profile:ShedLock"_s}) {
        filter->setText(text);
        QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 1, kPatience);
        QVERIFY(m_page->model()->rowOf(nightly()) >= 0);
        filter->clear();
        QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    }
}

/// The row of ShedLock's own TIMESTAMP column cannot be judged without the application's zone, unless it is far off.
void TestTableLocks::onlyWhatIsKnownIsShown()
{
    makeTimesUnclear();
    open();
    choose();
    QCOMPARE(cell(nightly(), LockTableModel::StateColumn), u"Unknown"_s);
    QCOMPARE(cell(nightly(), LockTableModel::HeldForColumn), u"–"_s);
    QCOMPARE(cell(nightly(), LockTableModel::TtlColumn), u"–"_s);
    const QString text = details();
    QVERIFY2(text.contains(u"Whether app.shedlock nightly is held is not known."_s), qPrintable(text));
    QVERIFY2(text.contains(u"time zone of the application"_s), qPrintable(text));
    QVERIFY2(!visibleText(m_window.get()).contains(u"read-only, perhaps a replica"_s), "that is about leases");
}

void TestTableLocks::makeTimesUnclear()
{
    m_observer->run("ALTER TABLE app.shedlock MODIFY lock_until TIMESTAMP(3) NOT NULL DEFAULT '2030-01-01 00:00:00', "
                    "MODIFY locked_at TIMESTAMP(3) NOT NULL DEFAULT '2030-01-01 00:00:00'");
}

void TestTableLocks::theZoneIsAskedForOnce()
{
    makeTimesUnclear();
    open();
    choose();
    const auto *bar = m_page->findChild<ZoneBar *>();
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kPatience);
    QVERIFY2(visibleText(m_page).contains(u"In which time zone are ShedLock's connections"_s),
             qPrintable(visibleText(m_page)));
    QVERIFY(!bar->useButton()->isEnabled());
    bar->zones()->setEditText(u"Nowhere"_s);
    QVERIFY(!bar->useButton()->isEnabled());
    bar->zones()->setEditText(u"UTC"_s); // of the connection that wrote the row
    bar->useButton()->click();
    QVERIFY(!bar->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(cell(nightly(), LockTableModel::StateColumn), u"In a table"_s, kPatience);
    QTRY_VERIFY2_WITH_TIMEOUT(details().contains(u"has held app.shedlock nightly for 2 h"_s), qPrintable(details()),
                              kPatience);
    QVERIFY(!bar->isVisible());
    QCOMPARE(applicationZones().value(u"shedlock"_s), applicationZone(u"UTC"_s)); // as lockctl keeps it
    QVERIFY(setApplicationZone(u"shedlock"_s, {}));
}

void TestTableLocks::whoDoesNotKnowTheZoneIsNotAskedAgain()
{
    makeTimesUnclear();
    open();
    choose();
    const auto *bar = m_page->findChild<ZoneBar *>();
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kPatience);
    bar->laterButton()->click();
    QSignalSpy read(m_connection->feed<TablesFeed>(), &TablesFeed::updated);
    QVERIFY(read.wait(kPatience));
    QVERIFY(!bar->isVisible());
    QCOMPARE(cell(nightly(), LockTableModel::StateColumn), u"Unknown"_s);
}

void TestTableLocks::aTableThatIsLockedIsSaidQuietly()
{
    open();
    choose();
    QTRY_COMPARE_WITH_TIMEOUT(held(), u"Held 1"_s, kPatience);
    m_observer->run("LOCK TABLES app.shedlock WRITE");
    const auto isSaid = [this] {
        return visibleText(m_page).contains(u"Of lock tables of other programs not all was read: app.shedlock."_s);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSaid(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(cell(nightly(), LockTableModel::StateColumn), u"Unknown"_s, kPatience); // not free
    const auto mayBeMore = [&] { return held() == u"Held ?"_s || held() == u"Held 1+"_s; }; // MySQL shows LOCK TABLES
    QTRY_VERIFY2_WITH_TIMEOUT(mayBeMore(), qPrintable(held()), kPatience);
    QVERIFY(!m_page->inspector()->isGone());
    QTRY_VERIFY2_WITH_TIMEOUT(details().contains(u"Its table is not read now"_s), qPrintable(details()), kPatience);
    m_observer->run("UNLOCK TABLES");
    QTRY_VERIFY_WITH_TIMEOUT(!isSaid(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(m_page->model()->rowOf(nightly()) >= 0, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(held(), u"Held 1"_s, kPatience);
}

void TestTableLocks::oneWhoseTableIsDroppedIsGone()
{
    open();
    choose();
    m_observer->run("DROP TABLE app.shedlock");
    QTRY_VERIFY_WITH_TIMEOUT(m_page->inspector()->isGone(), kPatience);
    QTRY_VERIFY2_WITH_TIMEOUT(details().contains(u"The table of app.shedlock nightly is gone"_s), qPrintable(details()),
                              kPatience);
    QVERIFY(!m_page->releaseAction()->isEnabled());
    QVERIFY(!visibleText(m_page).contains(u"not all was read"_s));
}

void TestTableLocks::whoMayReadOneTableAloneSeesItsLocks_data()
{
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QString>("said");
    const QString may = u"this user may not use it: only locks of"_s;
    QTest::newRow("in the schema of the engine's tables") << u"lockscope"_s << may;
    QTest::newRow("in the schema of the table") << u"app"_s << u"This user may not read the engine's lock tables"_s;
    QTest::newRow("in none") << QString() << may;
}

/// Whether there are tables of the engine the server does not tell who may not read them.
void TestTableLocks::whoMayReadOneTableAloneSeesItsLocks()
{
    QFETCH(QString, schema);
    QFETCH(QString, said);
    m_observer->run("CREATE USER IF NOT EXISTS narrow@localhost");
    m_observer->run("GRANT SELECT ON app.shedlock TO narrow@localhost");
    ServerUrl url = m_server->url();
    url.user = u"narrow"_s;
    url.schema = schema;
    openServer(u"db1"_s, url);
    choose();
    QCOMPARE(cell(nightly(), LockTableModel::StateColumn), u"In a table"_s);
    QVERIFY(!m_connection->status().isFailing());
    QVERIFY2(visibleText(m_page).contains(said), qPrintable(visibleText(m_page)));
    m_observer->run("DROP USER narrow@localhost");
}

QTEST_MAIN(TestTableLocks)
#include "tst_tablelocks.moc"
