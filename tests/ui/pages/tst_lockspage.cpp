// SPDX-License-Identifier: MIT
// The locks page on a real server: what is selected stays selected, and what is said about it is so.
#include "enginefixture.h"
#include "strict.h"

#include "ui/pages/locks/facetbar.h"
#include "ui/pages/locks/lockending.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/widgets/livetableview.h"
#include "ui/window/statusline.h"
#include "visibletext.h"
#include "windowtest.h"

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;

namespace {

constexpr int kPatience = 30'000;

LockKey key(const QByteArray &resource)
{
    return {LockKind::Lease, resource, 0};
}

} // namespace

class TestLocksPage : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup();

    void theInspectorFollowsTheSelectedLock();
    void aVanishedLockIsNotReplacedByItsNeighbour();
    void aLockThatComesBackIsSelectedAgain();
    void theFilterHidesRowsAndNotTheInspectorsLock();
    void aFilterThatHidesAllEmptiesTheInspector();
    void selectingIsStrongerThanFilterAndFacets_data();
    void selectingIsStrongerThanFilterAndFacets();
    void keysWorkInTheList();
    void aReadOnlyServerOffersNoRelease();
    void aRowLockShowsItsQueueAndEndsWithItsSession();
    void anOptimisticResourceShowsItsConflictsAndCannotBeReleased();
    void theStatusLineTellsTheTruthAboutTheData();

private:
    void open(bool isPrivate = true);
    AcquireResult hold(const QByteArray &resource);
    QString inspectorText() const;

    TestServer *m_server = nullptr;
    std::unique_ptr<LockEngine> m_engine;
    LocksPage *m_page = nullptr;
};

void TestLocksPage::init()
{
    failOnWarnings(OffscreenWarning);
    m_server = &TestServer::instance();
    resetTables(*m_server);
    m_engine = std::make_unique<LockEngine>(configFor(*m_server));
    makeWindow();
    m_connection->setInterval(50ms);
    m_page = m_window->locksPage();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestLocksPage::cleanup()
{
    closeWindow();
    m_engine.reset();
}

void TestLocksPage::open(bool isPrivate)
{
    openServer(QStringLiteral("db1"), m_server->url(), isPrivate);
}

AcquireResult TestLocksPage::hold(const QByteArray &resource)
{
    auto held = m_engine->acquire(requestFor(resource, 0s, 60s));
    if (held.outcome != Outcome::Granted)
        qFatal("%s was not granted", resource.constData());
    return held;
}

QString TestLocksPage::inspectorText() const
{
    return visibleText(m_page->inspector());
}

void TestLocksPage::theInspectorFollowsTheSelectedLock()
{
    auto a = hold("a");
    const auto b = hold("b");
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    m_page->select(key("a"));
    QCOMPARE(m_page->inspector()->lock()->token, a.handle.token());
    QVERIFY(m_page->releaseAction()->isEnabled());
    Worker waiter(*m_server);
    waiter.send("acquire a 30000 60000");
    QTRY_VERIFY_WITH_TIMEOUT(m_page->inspector()->hasQueue(), kPatience);
    QTRY_VERIFY2_WITH_TIMEOUT(inspectorText().contains(QStringLiteral("one waits.")), qPrintable(inspectorText()),
                              kPatience);
    const quint64 token = a.handle.token();
    a.handle.release();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->inspector()->lock()->token, token + 1, kPatience);
    QCOMPARE(m_page->inspector()->lock()->owner.pid, waiter.pid());
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->inspector()->hasQueue(), kPatience);
}

void TestLocksPage::aVanishedLockIsNotReplacedByItsNeighbour()
{
    auto a = hold("a");
    const auto b = hold("b");
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    m_page->select(key("a"));
    a.handle.release();
    QTRY_VERIFY_WITH_TIMEOUT(m_page->inspector()->isGone(), kPatience);
    QVERIFY(!m_page->releaseAction()->isEnabled());
    // Not counted: an engine's own transaction may be seen in the moment that it commits.
    QVERIFY(m_page->model()->rowOf(key("a")) >= 0); // struck through for a moment
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowOf(key("a")), -1, kPatience);
    QVERIFY(!m_page->view()->currentIndex().isValid());
    m_page->focusFilter();
    m_page->view()->setFocus(); // a view makes some row current when the focus comes
    QCOMPARE(m_page->inspector()->lock()->key.resource, "a");
    QVERIFY2(inspectorText().contains(QStringLiteral("a is free now.")), qPrintable(inspectorText()));
    QVERIFY(!m_page->releaseAction()->isEnabled());
}

void TestLocksPage::aLockThatComesBackIsSelectedAgain()
{
    m_page->setReducedMotion(true); // it leaves the list at once
    auto a = hold("a");
    const auto b = hold("b");
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    m_page->select(key("a"));
    a.handle.release();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 1, kPatience);
    QVERIFY(!m_page->view()->currentIndex().isValid());
    const auto again = hold("a");
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    QCOMPARE(m_page->view()->currentIndex().row(), m_page->model()->rowOf(key("a")));
    QTRY_COMPARE_WITH_TIMEOUT(m_page->inspector()->lock()->token, again.handle.token(), kPatience);
    QVERIFY(!m_page->inspector()->isGone());
}

void TestLocksPage::theFilterHidesRowsAndNotTheInspectorsLock()
{
    const auto a = hold("a");
    const auto b = hold("b");
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    m_page->select(key("a"));
    m_page->focusFilter();
    QTest::keyClicks(m_page->focusWidget(), QStringLiteral("b"));
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 1, kPatience);
    QCOMPARE(m_page->model()->itemAt(0)->row->key.resource, "b");
    QCOMPARE(m_page->inspector()->lock()->key.resource, "a");
    QVERIFY(!m_page->inspector()->isGone());
    QVERIFY(m_page->closeLast());
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->view()->currentIndex().row(), m_page->model()->rowOf(key("a")), kPatience);
}

void TestLocksPage::aFilterThatHidesAllEmptiesTheInspector()
{
    const auto a = hold("a");
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 1, kPatience);
    m_page->select(key("a"));
    QVERIFY(m_page->releaseAction()->isEnabled());
    m_page->focusFilter();
    QTest::keyClicks(m_page->focusWidget(), QStringLiteral("other"));
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 0, kPatience);
    QVERIFY(!m_page->inspector()->lock());
    QVERIFY(!m_page->releaseAction()->isEnabled());
    QVERIFY(m_page->closeLast());
    QTRY_VERIFY_WITH_TIMEOUT(m_page->inspector()->lock(), kPatience); // it is in the list again
}

void TestLocksPage::selectingIsStrongerThanFilterAndFacets_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("facet");
    QTest::newRow("a filter hides it") << QStringLiteral("b") << QString();
    QTest::newRow("a facet hides it") << QString() << QStringLiteral("Orphan");
}

void TestLocksPage::selectingIsStrongerThanFilterAndFacets()
{
    QFETCH(QString, filter);
    QFETCH(QString, facet);
    const auto a = hold("a");
    const auto b = hold("b");
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    m_page->focusFilter();
    QTest::keyClicks(m_page->focusWidget(), filter);
    for (QToolButton *button : m_page->findChild<FacetBar *>()->findChildren<QToolButton *>()) {
        if (!facet.isEmpty() && button->text().startsWith(facet))
            button->click();
    }
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowOf(key("a")), -1, kPatience);
    m_page->select(key("a"));
    QTRY_VERIFY_WITH_TIMEOUT(m_page->inspector()->lock(), kPatience);
    QCOMPARE(m_page->inspector()->lock()->key.resource, "a");
    QCOMPARE(m_page->view()->currentIndex().row(), m_page->model()->rowOf(key("a")));
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
}

void TestLocksPage::keysWorkInTheList()
{
    const auto a = hold("a");
    open();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 1, kPatience);
    m_page->select(key("a"));
    m_page->view()->setFocus();
    QSignalSpy wanted(m_page->ending(), &LockEnding::releaseRequested);
    QTest::keyClick(m_page->view(), Qt::Key_Delete);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].value<LockRow>().token, a.handle.token());
    QVERIFY(QApplication::activeModalWidget());
    QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!QApplication::activeModalWidget(), kPatience);
    QVERIFY(a.handle.isHeld());

    m_page->view()->setFocus();
    QTest::keyClick(m_page->view(), Qt::Key_Space);
    QVERIFY(m_connection->isPaused());
    QTest::keyClick(m_page->view(), Qt::Key_Space);
    QVERIFY(!m_connection->isPaused());
    const bool wasShown = m_page->inspector()->isVisible();
    QTest::keyClick(m_page->view(), Qt::Key_Return);
    QCOMPARE(m_page->inspector()->isVisible(), !wasShown);
    QTest::keyClick(m_window.get(), Qt::Key_Slash);
    QVERIFY(qobject_cast<QLineEdit *>(m_page->focusWidget()));
    QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
    QVERIFY(!m_page->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
    QVERIFY(m_page->isVisible());
}

void TestLocksPage::aReadOnlyServerOffersNoRelease()
{
    const auto a = hold("a");
    open(false);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 1, kPatience);
    m_page->select(key("a"));
    QVERIFY(!m_page->releaseAction()->isEnabled());
    QVERIFY(m_page->releaseAction()->toolTip().contains(QStringLiteral("read-only")));
    m_connection->startOperatorMode();
    QVERIFY(m_page->releaseAction()->isEnabled());
    m_connection->endOperatorMode();
    QVERIFY(!m_page->releaseAction()->isEnabled());
}

void TestLocksPage::aRowLockShowsItsQueueAndEndsWithItsSession()
{
    LockRequest request = requestFor("a", 30s);
    request.mode = Mode::Pessimistic;
    auto held = m_engine->acquire(request);
    const auto lease = hold("a");
    std::thread waiter([&] { m_engine->acquire(request); });
    open();
    const LockKey row{LockKind::Row, "a", 0};
    const auto isQueued = [&] {
        const int at = m_page->model()->rowOf(row);
        return at >= 0 && m_page->model()->itemAt(at)->row->waiters == 1;
    };
    const bool isListed = QTest::qWaitFor(isQueued, kPatience);
    m_page->select(row);
    const bool hasQueue = QTest::qWaitFor([this] { return m_page->inspector()->hasQueue(); }, kPatience);
    const QString text = inspectorText();
    const quint64 connection = m_page->inspector()->lock()->connectionId.value_or(0);
    const QSignalSpy asked(m_page->ending(), &LockEnding::killRequested);
    m_page->releaseAction()->trigger();
    held.handle.release();
    waiter.join();
    QVERIFY(isListed && hasQueue);
    QVERIFY2(text.contains(QStringLiteral("one waits.")) && text.contains(QStringLiteral("Queue (1)")),
             qPrintable(text));
    QCOMPARE(asked.count(), 1);
    QVERIFY(connection != 0);
    QCOMPARE(asked[0][0].value<QList<quint64>>(), QList<quint64>{connection});
}

void TestLocksPage::anOptimisticResourceShowsItsConflictsAndCannotBeReleased()
{
    Observer observer(*m_server);
    observer.run("DELETE FROM lock_version; INSERT INTO lock_version VALUES ('doc/1', 1204, UTC_TIMESTAMP(6), '')");
    observer.run("INSERT INTO lock_attempt VALUES ('doc/1', 10, 10, 5, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))");
    const auto a = hold("a");
    open();
    const LockKey version{LockKind::Version, "doc/1", 0};
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 2, kPatience);
    m_page->select(version);
    QVERIFY2(inspectorText().contains(QStringLiteral("10 of 20 attempts (50\u00a0%)")), qPrintable(inspectorText()));
    observer.run("UPDATE lock_attempt SET commits = 11, conflicts = 13, updated_at = UTC_TIMESTAMP(6)");
    QTRY_VERIFY2_WITH_TIMEOUT(
        inspectorText().contains(QStringLiteral("In the last minute 3 of 4 attempts (75\u00a0%)")),
        qPrintable(inspectorText()), kPatience);
    QVERIFY(inspectorText().contains(QStringLiteral("1,204")));
    QVERIFY(!inspectorText().contains(QStringLiteral("Nobody waits")));
    QVERIFY(!m_page->releaseAction()->isEnabled());
    m_page->view()->setFocus();
    QSignalSpy wanted(m_page->ending(), &LockEnding::releaseRequested);
    QTest::keyClick(m_page->view(), Qt::Key_Delete);
    QCOMPARE(wanted.count(), 0);
    m_page->copyAction()->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("doc/1"));
    for (const auto *button : m_page->inspector()->findChildren<QPushButton *>())
        QVERIFY(!button->isVisible());
    m_page->select(key("a"));
    QVERIFY(m_page->releaseAction()->isEnabled());
    observer.run("DELETE FROM lock_attempt");
}

void TestLocksPage::theStatusLineTellsTheTruthAboutTheData()
{
    const auto a = hold("a");
    open();
    const auto text = [this] { return m_window->statusLine()->text(); };
    QTRY_VERIFY2_WITH_TIMEOUT(text().contains(QStringLiteral("shown 1 of 1")), qPrintable(text()), kPatience);
    QVERIFY2(text().contains(QStringLiteral(" s old")), qPrintable(text()));
    QVERIFY2(text().contains(QStringLiteral("poll ")), qPrintable(text()));
    QVERIFY2(text().startsWith(QStringLiteral("M")), qPrintable(text())); // MariaDB or MySQL
    m_connection->setPaused(true);
    QVERIFY2(text().contains(QStringLiteral("paused, data")), qPrintable(text()));
}

QTEST_MAIN(TestLocksPage)
#include "tst_lockspage.moc"
