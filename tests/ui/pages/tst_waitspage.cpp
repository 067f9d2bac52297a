// SPDX-License-Identifier: MIT
// The waits page: on looks made by hand it says what is so, and on a real server it finds who blocks whom.
#include "console/auditfile.h"
#include "enginefixture.h"
#include "strict.h"

#include "ui/pages/waits/sourcebar.h"
#include "ui/pages/waits/waitgraphview.h"
#include "ui/pages/waits/waitinspector.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/pages/waits/waitspagetext.h"
#include "ui/pages/waits/waittreemodel.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/livetreeview.h"
#include "ui/window/statusline.h"
#include "visibletext.h"
#include "waitsmaker.h"
#include "windowtest.h"

#include <QtCore/QSettings>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

} // namespace

class TestWaitsPage : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void nobodyWaits_data();
    void nobodyWaits();
    void aRecordedMomentWithoutWaitsIsSaidToBeOver_data();
    void aRecordedMomentWithoutWaitsIsSaidToBeOver();
    void whatFailsKeepsTheLastData();
    void limitedSourcesAreFoldedAndCopied();
    void theKindOfServerIsSaid_data();
    void theKindOfServerIsSaid();
    void theInspectorFollowsTheSelection();
    void theStatusLineTellsOfThePageThatIsShown();
    void everythingIsCopiedAsText();
    void escapeClosesWhatWasOpenedLast();
    void theTreeStandsInForAMissingGraph();
    void theGraphIsExportedWhileItIsShown();
    void anotherServerHasNoGraphYet();
    void aGraphThatIsNotWantedAnyMoreDoesNotFail();
    void aBlockedTransactionIsFoundOnAServer();
    void whatIsSwitchedOffIsKeptForEachServer();
    void aPausedPageIsLookedAtByHand();

private:
    void update(const WaitsMaker &maker) { Q_EMIT m_connection->feed<WaitsFeed>()->updated(maker.done(), {}); }
    void open(bool isPrivate);

    WaitsPage *m_page = nullptr;
};

void TestWaitsPage::init()
{
    failOnWarnings();
    makeWindow();
    openSilentServer();
    m_page = m_window->waitsPage();
    m_window->show();
    m_window->showPage(1);
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestWaitsPage::open(bool isPrivate)
{
    openServer(u"db1"_s, TestServer::instance().url(), isPrivate);
}

void TestWaitsPage::nobodyWaits_data()
{
    QTest::addColumn<SourceStatus::State>("rowWaits");
    QTest::addColumn<QString>("headline");
    QTest::newRow("all is seen") << SourceStatus::State::Complete << u"Nobody waits"_s;
    QTest::newRow("all that the family tells") << SourceStatus::State::Partial << u"Nobody waits"_s;
    QTest::newRow("row locks are not") << SourceStatus::State::Missing << u"Nobody is seen to wait"_s;
}

void TestWaitsPage::nobodyWaits()
{
    QFETCH(SourceStatus::State, rowWaits);
    QFETCH(QString, headline);
    WaitsMaker maker;
    maker.waits().sources[int(WaitSource::Sessions)].rows = 1;
    maker.waits().sources[int(WaitSource::Transactions)].rows = 12;
    maker.waits().sources[int(WaitSource::RowWaits)].state = rowWaits;
    maker.waits().sources[int(WaitSource::RowWaits)].isOfFamily = rowWaits == SourceStatus::State::Partial;
    update(maker);
    const QString text = visibleText(m_page);
    QVERIFY2(text.contains(headline), qPrintable(text));
    QVERIFY2(text.contains(u"Looked at 1 session and 12 open transactions."_s), qPrintable(text));
}

void TestWaitsPage::aRecordedMomentWithoutWaitsIsSaidToBeOver_data()
{
    using State = SourceStatus::State;
    QTest::addColumn<SourceStatus::State>("rowWaits");
    QTest::addColumn<SourceStatus::State>("others");
    QTest::addColumn<QString>("headline");
    QTest::newRow("all was seen") << State::Complete << State::Complete << u"Nobody waited"_s;
    QTest::newRow("all that the family tells") << State::Partial << State::Complete << u"Nobody waited"_s;
    QTest::newRow("row locks were not") << State::Missing << State::Complete << u"Nobody was seen to wait"_s;
    QTest::newRow("no waits were") << State::Failed << State::Off << u"Waits were not recorded"_s;
}

void TestWaitsPage::aRecordedMomentWithoutWaitsIsSaidToBeOver()
{
    QFETCH(SourceStatus::State, rowWaits);
    QFETCH(SourceStatus::State, others);
    QFETCH(QString, headline);
    WaitsMaker maker;
    for (const WaitSource source : {WaitSource::Metadata, WaitSource::UserLocks})
        maker.waits().sources[int(source)].state = others;
    maker.waits().sources[int(WaitSource::RowWaits)].state = rowWaits;
    maker.waits().sources[int(WaitSource::RowWaits)].isOfFamily = rowWaits == SourceStatus::State::Partial;
    EmptyState empty;
    WaitsPageText::explainEmpty(WaitPicture::of(maker.done()), true, false, &empty);
    const QString text = visibleText(&empty);
    QVERIFY2(text.contains(headline), qPrintable(text));
    QVERIFY2(text.contains(u"at this moment of the recording"_s, Qt::CaseInsensitive), qPrintable(text));
    QVERIFY2(!text.contains(u"Looked at"_s), qPrintable(text));
}

void TestWaitsPage::whatFailsKeepsTheLastData()
{
    LockError error;
    error.message = u"The server is gone."_s;
    Q_EMIT m_connection->feed<WaitsFeed>()->failed(error);
    QVERIFY(visibleText(m_page).contains(u"Nothing can be shown yet"_s));
    WaitsMaker maker;
    maker.wait(2, 1);
    update(maker);
    QVERIFY(!visibleText(m_page).contains(error.message));
    Q_EMIT m_connection->feed<WaitsFeed>()->failed(error);
    QVERIFY(m_page->view()->isVisible());
    QCOMPARE(m_page->model()->rowCount(), 1);
    QVERIFY(visibleText(m_page).contains(u"The server is gone. What is shown is from "_s));
    QVERIFY(m_page->view()->palette().color(QPalette::Text) != m_page->palette().color(QPalette::Text));
    update(maker);
    QCOMPARE(m_page->view()->palette().color(QPalette::Text), m_page->palette().color(QPalette::Text));
}

void TestWaitsPage::limitedSourcesAreFoldedAndCopied()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    update(maker);
    QVERIFY(!m_page->sources()->isVisible());
    SourceStatus &rows = maker.waits().sources[int(WaitSource::RowWaits)];
    rows.state = SourceStatus::State::Partial;
    rows.reason = u"So are servers of this family."_s;
    rows.isOfFamily = true;
    update(maker);
    QVERIFY(!m_page->sources()->isVisible()); // nothing is wrong with this one
    QCOMPARE(m_page->sourceActions()[int(WaitSource::RowWaits)]->toolTip(), rows.reason);
    SourceStatus &status = maker.waits().sources[int(WaitSource::Metadata)];
    status.state = SourceStatus::State::Missing;
    status.reason = u"The plugin is not installed."_s;
    status.remedy = u"INSTALL SONAME 'metadata_lock_info';"_s;
    update(maker);
    QVERIFY(m_page->sources()->isVisible());
    QCOMPARE(m_page->sources()->title()->text(), u"1 source is limited"_s);
    QVERIFY(!visibleText(m_page->sources()).contains(status.reason));
    m_page->sources()->title()->click();
    QTRY_VERIFY(visibleText(m_page->sources()).contains(status.reason));
    QVERIFY(visibleText(m_page->sources()).contains(u"Metadata locks: not there"_s));
    QToolButton *copy = m_page->sources()->findChildren<QToolButton *>().last();
    update(maker); // the same again leaves what is unfolded
    copy->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), status.remedy);
    QVERIFY(m_page->closeLast());
    QVERIFY(!visibleText(m_page->sources()).contains(status.reason));
    maker.waits().sources[int(WaitSource::Sessions)].isCut = true;
    update(maker);
    QCOMPARE(m_page->sources()->title()->text(), u"2 sources are limited"_s);
}

void TestWaitsPage::theKindOfServerIsSaid_data()
{
    QTest::addColumn<Capabilities>("server");
    QTest::addColumn<QString>("said");
    Capabilities plain;
    QTest::newRow("nothing special") << plain << QString();
    Capabilities replica;
    replica.isReplica = true;
    replica.isReadOnly = true;
    QTest::newRow("a replica")
        << replica << u"This is a replica: its locks are its own, those of its primary are not seen here."_s;
    Capabilities readOnly;
    readOnly.isReadOnly = true;
    QTest::newRow("read-only") << readOnly << u"This server is read-only."_s;
    Capabilities node;
    node.isCluster = true;
    QTest::newRow("a node") << node << u"This is one node of a cluster: locks of the other nodes are not seen here."_s;
    Capabilities hosted;
    hosted.hosting = u"Amazon RDS"_s;
    QTest::newRow("hosted") << hosted
                            << u"Hosted by Amazon RDS: settings, and who may end sessions, are changed there."_s;
}

void TestWaitsPage::theKindOfServerIsSaid()
{
    QFETCH(Capabilities, server);
    QFETCH(QString, said);
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(WaitsMaker().done(), server);
    QCOMPARE(m_page->sources()->isVisible(), !said.isEmpty());
    QCOMPARE(visibleText(m_page->sources()), said);
    Q_EMIT m_connection->opened();
    QVERIFY(!m_page->sources()->isVisible());
}

void TestWaitsPage::theInspectorFollowsTheSelection()
{
    WaitsMaker maker;
    maker.idle(1);
    maker.queue(1, 2, 3);
    update(maker);
    m_page->select(1);
    const QString text = visibleText(m_page->inspector());
    for (const QString &wanted :
         {u"app1@web-1"_s, u"3 locked, 1 changed"_s, u"Blocks 3 sessions"_s,
          u"1 goes on at once when it ends, up to 2 later, one after the other, if each commits."_s,
          u"It does nothing, and its transaction has been open for 1 min 30"_s})
        QVERIFY2(text.contains(wanted), qPrintable(wanted + u" is not in\n"_s + text));
    m_page->view()->setFocus();
    QTest::keyClick(m_page->view(), Qt::Key_Down);
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(2));
    QVERIFY(visibleText(m_page->inspector()).contains(u"behind 1 · app1@web-1"_s));
    QVERIFY(visibleText(m_page->inspector()).contains(u"2 queue behind it"_s));
    QVERIFY(!visibleText(m_page->inspector()).contains(u"Blocks "_s));
}

void TestWaitsPage::everythingIsCopiedAsText()
{
    WaitsMaker maker;
    maker.idle(1);
    maker.queue(1, 2, 60);
    ServerObject table;
    table.kind = ServerLockKind::Metadata;
    table.schema = u"shop"_s;
    table.name = "stock";
    maker.waits().locks.append({table, u"SHARED_WRITE"_s, true, 1, {}});
    update(maker);
    m_page->select(1);
    m_page->copyAction()->trigger();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(u"Session 1\n"_s));
    QVERIFY(text.contains(u"UPDATE stock SET n = n - 1 WHERE id = 5"_s));
    QVERIFY(text.contains(u"61 · app61@web-1"_s));
    QVERIFY(text.contains(u"Metadata lock · shop.stock, SHARED_WRITE"_s));
    QVERIFY(!visibleText(m_page->inspector()).contains(u"61 · app61"_s)); // only so many
}

void TestWaitsPage::theStatusLineTellsOfThePageThatIsShown()
{
    const StatusLine *line = m_window->statusLine();
    QVERIFY2(line->text().contains(u"no poll yet"_s), qPrintable(line->text()));
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    maker.waits().cost = std::chrono::milliseconds(12);
    update(maker);
    QTRY_VERIFY2(line->text().contains(u"poll 12 ms"_s), qPrintable(line->text()));
    QVERIFY2(line->text().endsWith(u"shown 4 of 4"_s), qPrintable(line->text()));
    WaitsMaker many;
    many.queue(1, 2, 60); // ten of them behind "+10 more"
    update(many);
    QTRY_VERIFY2(line->text().endsWith(u"shown 51 of 61"_s), qPrintable(line->text()));
    Q_EMIT m_connection->opened();
    QTRY_VERIFY2(line->text().contains(u"no poll yet"_s), qPrintable(line->text()));
    update(maker);
    m_window->showPage(0); // its list was never read
    QVERIFY2(line->text().contains(u"no poll yet"_s), qPrintable(line->text()));
}

void TestWaitsPage::escapeClosesWhatWasOpenedLast()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    update(maker);
    m_page->select(2);
    m_page->focusFilter();
    QTest::keyClicks(m_page->focusWidget(), u"nobody"_s);
    QVERIFY(visibleText(m_page).contains(u"No session matches"_s));
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(2));
    QVERIFY(m_page->closeLast());
    QCOMPARE(m_page->model()->rowCount(), 1);
    QVERIFY(m_page->closeLast());
    QVERIFY(!m_page->inspector()->session());
    QVERIFY(!m_page->closeLast());
}

void TestWaitsPage::theTreeStandsInForAMissingGraph()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_page->graph()->graphLayout()->setProgram(u"/nonexistent/dot"_s);
    m_page->graphAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(visibleText(m_page).contains(u"The graph needs Graphviz"_s), kPatience);
    QVERIFY(m_page->view()->isVisible());
    update(maker);
    QVERIFY(m_page->view()->isVisible());
    m_page->graph()->graphLayout()->setProgram(u"dot"_s);
    m_page->graphAction()->trigger();
    m_page->graphAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(m_page->graph()->hasPicture(), kPatience);
    QVERIFY(m_page->graph()->isVisible());
    QVERIFY(!visibleText(m_page).contains(u"The graph needs Graphviz"_s));
}

void TestWaitsPage::theGraphIsExportedWhileItIsShown()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    QCOMPARE(m_page->exportFormats(), QStringList{u"csv"_s});
    QVERIFY(m_page->exported(u"csv"_s).contains("app4"));
    m_page->graphAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(m_page->graph()->hasPicture(), kPatience);
    QCOMPARE(m_page->exportFormats(), (QStringList{u"svg"_s, u"png"_s, u"csv"_s}));
    QVERIFY(m_page->exported(u"svg"_s).contains("app4@web-1"));
}

void TestWaitsPage::anotherServerHasNoGraphYet()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_page->graphAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(m_page->graph()->isVisible(), kPatience);
    Q_EMIT m_connection->opened();
    QVERIFY(!m_page->graph()->hasPicture());
    QCOMPARE(m_page->exportFormats(), QStringList{u"csv"_s});
    m_page->graph()->graphLayout()->setProgram(u"/nonexistent/dot"_s);
    WaitsMaker other;
    other.wait(8, 7);
    update(other);
    QVERIFY(m_page->view()->isVisible()); // until its own graph is there
    QTRY_VERIFY_WITH_TIMEOUT(visibleText(m_page).contains(u"The graph needs Graphviz"_s), kPatience);
}

void TestWaitsPage::aGraphThatIsNotWantedAnyMoreDoesNotFail()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_page->graph()->graphLayout()->setProgram(u"/nonexistent/dot"_s);
    const QSignalSpy failed(m_page->graph(), &WaitGraphView::failed);
    m_page->graphAction()->trigger();
    m_page->graphAction()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience);
    QVERIFY(!visibleText(m_page).contains(u"The graph needs Graphviz"_s));
}

/// The blocker is another process: sessions of this one are Lockscope's own, and protected.
void TestWaitsPage::aBlockedTransactionIsFoundOnAServer()
{
    TestServer &server = TestServer::instance();
    resetTables(server);
    Observer observer(server);
    observer.run("CREATE TABLE IF NOT EXISTS waits_stock (id INT PRIMARY KEY, n INT)");
    observer.run("REPLACE INTO waits_stock VALUES (5, 1)");
    open(true);
    QTRY_VERIFY_WITH_TIMEOUT(visibleText(m_page).contains(u"Nobody"_s), kPatience);
    Worker holder(server);
    QCOMPARE(holder.ask("sql BEGIN"), u"done 0"_s);
    QCOMPARE(holder.ask("sql UPDATE waits_stock SET n = 2 WHERE id = 5"), u"done 1"_s);
    Worker waiter(server);
    waiter.ask("sql SET SESSION innodb_lock_wait_timeout = 600");
    waiter.send("sql UPDATE waits_stock SET n = 3 WHERE id = 5");
    WaitTreeModel *model = m_page->model();
    QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(model->index(0, 0)), 1, kPatience);
    const WaitKey blocker = model->keyAt(model->index(0, 0));
    m_page->select(blocker.id);
    QCOMPARE(model->index(0, WaitTreeModel::StateColumn).data().toString(), u"Idle in transaction"_s);
    QVERIFY(visibleText(m_page->inspector()).contains(u"1 waiter goes on once it ends."_s));
    QVERIFY2(m_page->endAction()->isEnabled(), qPrintable(m_page->endAction()->toolTip()));

    QSignalSpy killed(m_connection.get(), &ServerConnection::killed);
    KillOrder order;
    order.target = KillTarget::of(*model->picture()->waits, blocker.id);
    order.operatorName = AuditFile::operatorName();
    order.reason = u"it blocks the test"_s;
    m_connection->kill(order);
    QVERIFY(killed.wait(kPatience));
    const auto report = killed.first().at(1).value<KillReport>();
    QVERIFY2(report.outcome == KillReport::Outcome::Ended,
             qPrintable(report.error ? report.error->toString() : QString::number(int(report.outcome))));
    QCOMPARE(waiter.answer(), u"done 1"_s);
    QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 0, kPatience);
    observer.run("DROP TABLE waits_stock");
}

void TestWaitsPage::whatIsSwitchedOffIsKeptForEachServer()
{
    ServerProfile one;
    one.name = u"db1"_s;
    one.url = TestServer::instance().url();
    ServerProfile other = one;
    other.name = u"db2"_s;
    QSettings settings;
    saveProfiles(settings, {one, other});
    m_window = std::make_unique<MainWindow>(m_connection.get()); // reads them
    m_window->setRemembersState(false);
    m_window->show();
    m_page = m_window->waitsPage();
    const auto isOn = [this](WaitSource source) { return m_page->sourceActions()[int(source)]->isChecked(); };
    m_connection->open(one, {});
    m_page->sourceActions()[int(WaitSource::Statements)]->trigger();
    m_connection->open(other, {});
    QVERIFY(isOn(WaitSource::Statements));
    const QList<ServerProfile> kept = loadProfiles(settings);
    QCOMPARE(kept.first().waitsOff, QSet{WaitSource::Statements});
    QVERIFY(kept.last().waitsOff.isEmpty());
    m_connection->open(kept.first(), {});
    QSignalSpy looks(m_connection->feed<WaitsFeed>(), &WaitsFeed::updated);
    QVERIFY(!isOn(WaitSource::Statements));
    QVERIFY(isOn(WaitSource::Sessions));
    QVERIFY(looks.wait(kPatience));
    const auto first = looks.first().first().value<ServerWaitsPtr>();
    QCOMPARE(first->sources[int(WaitSource::Statements)].state, SourceStatus::State::Off);
    settings.clear();
}

void TestWaitsPage::aPausedPageIsLookedAtByHand()
{
    open(false);
    QSignalSpy looks(m_connection->feed<WaitsFeed>(), &WaitsFeed::updated);
    QVERIFY(looks.wait(kPatience));
    m_connection->setPaused(true);
    m_connection->refresh();
    QVERIFY(looks.wait(kPatience));
    m_connection->setPaused(false);
    QVERIFY(looks.wait(kPatience));
}

QTEST_MAIN(TestWaitsPage)
#include "tst_waitspage.moc"
