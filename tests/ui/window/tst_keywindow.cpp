// SPDX-License-Identifier: MIT
// Locks that other programs keep in a real Redis, ZooKeeper or etcd stand in the window's list, and are released there.
#include "console/auditfile.h"
#include "programkeeper.h"
#include "strict.h"
#include "visibletext.h"
#include "windowtest.h"

#include "ui/actions/keyreleasecontroller.h"
#include "ui/actions/keyreleasedialog.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/pages/locks/serverbar.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverchooser.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/messagebar.h"
#include "ui/window/statusline.h"

#include <QtCore/QFile>
#include <QtGui/QAction>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

LockKind kindOf(StoreKind kind)
{
    return kind == StoreKind::Redis ? LockKind::RedisKey
        : kind == StoreKind::Etcd   ? LockKind::EtcdKey
                                    : LockKind::ZooKeeperNode;
}

} // namespace

class TestKeyWindow : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { closeWindow(); }

    void oneComesIsReleasedAndGoes_data() { addStoreKinds(); }
    void oneComesIsReleasedAndGoes();
    void oneThatGoesByItselfLeavesTheList();
    void itsQueueIsShownAndWhoIsNext();
    void whatChangesHandsIsLeftAlone();
    void whatItsHolderTookOnceMoreIsConfirmedAnew();
    void oneOfSeveralHoldersIsEnded();
    void oneOfSeveralThatEndedLeavesTheOthersAlone();
    void whatIsOnlyRefreshedIsStillAsShown();
    void aProgramThatNeedsItsLockOffersNoRelease();
    void aLeaderIsEndedOnlyWhenThatIsMeant();
    void whatIsOnlyGuessedIsListedWhenAskedFor();
    void itsServerIsNamedInAListOfSeveral();

private:
    LocksPage *page() const { return m_window->locksPage(); }
    void open(StoreKind kind);
    bool isListed(const LockKey &key) const { return page()->model()->rowOf(key) >= 0; }
    bool select(const LockKey &key);
    KeyReleaseDialog *askForRelease();
    QString text(const LockKey &key, LockTableModel::Column column) const;

    StoreNodes m_nodes;
    ProgramKeeper m_programs{&m_nodes};
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    QTemporaryDir m_home;
};

void TestKeyWindow::initTestCase()
{
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
    prepare();
    QStandardPaths::setTestModeEnabled(false); // else the record is not where XDG_DATA_HOME says
}

void TestKeyWindow::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    m_tester = std::make_unique<QAbstractItemModelTester>(page()->model(),
                                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_window->show();
}

void TestKeyWindow::open(StoreKind kind)
{
    m_connection->setInterval(50ms);
    m_window->chooser()->open(m_window->chooser()->profileAt(m_nodes.url(kind)));
    QTRY_COMPARE_WITH_TIMEOUT(m_connection->status().phase, MonitorStatus::Phase::Live, kPatience);
}

bool TestKeyWindow::select(const LockKey &key)
{
    if (!QTest::qWaitFor([&] { return isListed(key); }, kPatience))
        return false;
    page()->select(key);
    return page()->inspector()->lock().has_value();
}

QString TestKeyWindow::text(const LockKey &key, LockTableModel::Column column) const
{
    return page()->model()->index(page()->model()->rowOf(key), column).data().toString();
}

/// With a reason, once the server has said that it is still held.
KeyReleaseDialog *TestKeyWindow::askForRelease()
{
    m_connection->startOperatorMode();
    page()->releaseAction()->trigger();
    KeyReleaseDialog *dialog = m_window->keyReleaseController()->dialog();
    if (!dialog)
        return nullptr;
    dialog->reasonEdit()->setText(u"host a7 is gone"_s);
    const auto isSeen = [dialog] { return !dialog->actButton()->toolTip().contains(u"not answered yet"_s); };
    return QTest::qWaitFor(isSeen, kPatience) ? dialog : nullptr;
}

void TestKeyWindow::oneComesIsReleasedAndGoes()
{
    QFETCH(const StoreKind, kind);
    open(kind);
    const LockKey key{kindOf(kind), m_programs.lock(kind, "orders")};
    QVERIFY(select(key));
    const QString state = text(key, LockTableModel::StateColumn);
    QVERIFY2(state.endsWith(u" key"_s) || state.endsWith(u" node"_s), qPrintable(state));
    const QString status = m_window->statusLine()->text();
    QVERIFY2(status.contains(u"other programs' keys: seen "_s), qPrintable(status));
    const LockRow row = *page()->inspector()->lock();
    const QString shown = visibleText(page()->inspector());
    QVERIFY2(shown.contains(row.keyLock->convention.title) && shown.contains(u"Clock"_s), qPrintable(shown));
    QVERIFY2(!shown.contains(u"its session is"_s), qPrintable(shown)); // which no server tells
    QVERIFY(!page()->releaseAction()->isEnabled());                    // it opens read-only

    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    QVERIFY2(dialog->actButton()->isEnabled(), qPrintable(visibleText(dialog)));
    const QString words = visibleText(dialog);
    QVERIFY2(words.contains(u"Its holder is not told"_s) && words.contains(u"may both work"_s), qPrintable(words));
    const QString sent = dialog->findChild<QPlainTextEdit *>()->toPlainText();
    QVERIFY2(sent.contains(QString::fromUtf8(row.keyLock->holders.first().guard())), qPrintable(sent));
    QCOMPARE(sent, page()->inspector()->findChild<QPlainTextEdit *>()->toPlainText());
    dialog->actButton()->click();
    QTRY_VERIFY2_WITH_TIMEOUT(m_window->messageBar()->text().startsWith(u"Released "_s),
                              qPrintable(m_window->messageBar()->text()), kPatience);
    if (kind == StoreKind::ZooKeeper) { // the next one has it
        QTRY_COMPARE_WITH_TIMEOUT(text(key, LockTableModel::WaitersColumn), u"0"_s, kPatience);
        m_programs.endSession();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!isListed(key), kPatience);
    QFile record(AuditFile::defaultPath());
    QVERIFY(record.open(QIODevice::ReadOnly));
    QVERIFY(record.readAll().contains("host a7 is gone"));
}

void TestKeyWindow::oneThatGoesByItselfLeavesTheList()
{
    open(StoreKind::Redis);
    const LockKey key{LockKind::RedisKey, m_programs.lock(StoreKind::Redis, "short")};
    QTRY_VERIFY_WITH_TIMEOUT(isListed(key), kPatience); // and nobody looks at it
    m_programs.redis({{"DEL", key.resource}});
    QTRY_VERIFY_WITH_TIMEOUT(!isListed(key), kPatience);
}

/// A fair lock of Redisson.
void TestKeyWindow::itsQueueIsShownAndWhoIsNext()
{
    const QByteArray holder = "0f8fad5b-d9cb-469f-a165-70867728950e:42";
    const QByteArray waiter = "7c9e6679-7425-40de-944b-e07fc1f90ae7:7";
    m_programs.redis({{"HSET", "fairLock", holder, "1"},
                      {"PEXPIRE", "fairLock", "60000"},
                      {"RPUSH", "redisson_lock_queue:{fairLock}", waiter}});
    open(StoreKind::Redis);
    const LockKey key{LockKind::RedisKey, "fairLock"};
    QVERIFY(select(key));
    QTRY_VERIFY_WITH_TIMEOUT(page()->inspector()->hasQueue(), kPatience);
    QCOMPARE(text(key, LockTableModel::WaitersColumn), u"1"_s);
    QVERIFY(visibleText(page()->inspector()).contains(u"= 1"_s)); // how deep it is held
    page()->findChild<FilterEdit *>()->setText(u"kind:rediskey profile:redisson"_s);
    QTRY_VERIFY_WITH_TIMEOUT(isListed(key), kPatience);
    QVERIFY(select(key));
    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    QVERIFY2(visibleText(dialog).contains(u"1 in its queue"_s), qPrintable(visibleText(dialog)));
    dialog->reject();
    m_programs.redis({{"DEL", "fairLock", "redisson_lock_queue:{fairLock}"}});
}

void TestKeyWindow::whatChangesHandsIsLeftAlone()
{
    open(StoreKind::Redis);
    const LockKey key{LockKind::RedisKey, m_programs.lock(StoreKind::Redis, "hands")};
    QVERIFY(select(key));
    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    const QByteArray other = "c3c4f0d0cb4d11f0a4a9acde48001122";
    m_programs.redis({{"SET", key.resource, other, "PX", "60000"}});
    if (dialog->actButton()->isEnabled()) // it may have seen that already
        dialog->actButton()->click();
    QTRY_VERIFY2_WITH_TIMEOUT(visibleText(dialog).contains(u"It changed hands"_s), qPrintable(visibleText(dialog)),
                              kPatience);
    QVERIFY(!dialog->actButton()->isVisible());
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(isListed(key), kPatience);
    m_programs.redis({{"DEL", key.resource}});
}

void TestKeyWindow::whatItsHolderTookOnceMoreIsConfirmedAnew()
{
    const QByteArray one = "0f8fad5b-d9cb-469f-a165-70867728950e:42";
    const QByteArray two = "7c9e6679-7425-40de-944b-e07fc1f90ae7:7";
    m_programs.redis({{"HSET", "rwLock", "mode", "read", one, "1", two, "1"}, {"PEXPIRE", "rwLock", "60000"}});
    open(StoreKind::Redis);
    QVERIFY(select({LockKind::RedisKey, "rwLock"}));
    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    dialog->holders()->setCurrentIndex(dialog->holders()->findData(two + "=1"));
    Q_EMIT dialog->holders()->activated(dialog->holders()->currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    m_programs.redis({{"HINCRBY", "rwLock", two, "1"}});
    if (dialog->actButton()->isEnabled()) // it may have seen that already
        dialog->actButton()->click();
    QTRY_VERIFY2_WITH_TIMEOUT(visibleText(dialog).contains(u"has taken it anew"_s), qPrintable(visibleText(dialog)),
                              kPatience);
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->retargetButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    QCOMPARE(dialog->holders()->currentData().toByteArray(), two + "=2"); // not the first of the holders
    dialog->reject();
    m_programs.redis({{"DEL", "rwLock"}});
}

/// Readers of Redisson.
void TestKeyWindow::oneOfSeveralHoldersIsEnded()
{
    const QByteArray one = "0f8fad5b-d9cb-469f-a165-70867728950e:42";
    const QByteArray two = "7c9e6679-7425-40de-944b-e07fc1f90ae7:7";
    m_programs.redis({{"HSET", "rwLock", "mode", "read", one, "1", two, "1"}, {"PEXPIRE", "rwLock", "60000"}});
    open(StoreKind::Redis);
    const LockKey key{LockKind::RedisKey, "rwLock"};
    QVERIFY(select(key));
    QVERIFY2(visibleText(page()->inspector()).contains(u"and 1 more hold rwLock"_s),
             qPrintable(visibleText(page()->inspector())));
    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    QCOMPARE(dialog->holders()->count(), 2);
    dialog->holders()->setCurrentIndex(dialog->holders()->findData(two + "=1"));
    Q_EMIT dialog->holders()->activated(dialog->holders()->currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    QVERIFY(dialog->findChild<QPlainTextEdit *>()->toPlainText().contains(QString::fromLatin1(two)));
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->messageBar()->text().startsWith(u"Released rwLock"_s), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(page()->inspector()->lock()->keyLock->holders.size(), 1, kPatience);
    QCOMPARE(page()->inspector()->lock()->keyLock->holders.first().guard(), one + "=1");
    m_programs.redis({{"DEL", "rwLock"}});
}

/// Leases of a semaphore of Curator's, which have the same text where they are of one host.
void TestKeyWindow::oneOfSeveralThatEndedLeavesTheOthersAlone()
{
    const LockKey key{LockKind::ZooKeeperNode, "/app/pool/leases"};
    const QByteArray node = key.resource + "/_c_0f8fad5b-d9cb-469f-a165-70867728950e-lease-";
    ProgramKeeper ending(&m_nodes);
    ending.node(node, "10.0.0.7", ProgramKeeper::Node::EphemeralSequential);
    m_programs.node(node, "10.0.0.7", ProgramKeeper::Node::EphemeralSequential);
    open(StoreKind::ZooKeeper);
    QVERIFY(select(key));
    KeyReleaseDialog *dialog = askForRelease(); // for the first one
    QVERIFY(dialog);
    QCOMPARE(dialog->holders()->count(), 2);
    QVERIFY(dialog->actButton()->isEnabled());
    ending.endSession();
    QTRY_VERIFY2_WITH_TIMEOUT(visibleText(dialog).contains(u"This hold of 10.0.0.7 has ended"_s),
                              qPrintable(visibleText(dialog)), kPatience);
    QVERIFY(!dialog->retargetButton()->isVisible() && !dialog->actButton()->isEnabled());
    m_programs.endSession();
    QTRY_VERIFY2_WITH_TIMEOUT(visibleText(dialog).contains(u"It is not held any more"_s),
                              qPrintable(visibleText(dialog)), kPatience);
    dialog->reject();
}

/// redis-semaphore does so every few seconds.
void TestKeyWindow::whatIsOnlyRefreshedIsStillAsShown()
{
    const QByteArray holder = "0f8fad5b-d9cb-469f-a165-70867728950e";
    m_programs.redis({{"ZADD", "semaphore:orders", "1764212345000", holder}, {"PEXPIRE", "semaphore:orders", "60000"}});
    open(StoreKind::Redis);
    QVERIFY(select({LockKind::RedisKey, "semaphore:orders"}));
    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    m_programs.redis({{"ZADD", "semaphore:orders", "1764212353000", holder}});
    const QPlainTextEdit *sent = dialog->findChild<QPlainTextEdit *>();
    QTRY_VERIFY2_WITH_TIMEOUT(sent->toPlainText().contains(u"1764212353000"_s), qPrintable(visibleText(dialog)),
                              kPatience);
    QVERIFY2(dialog->actButton()->isEnabled(), qPrintable(visibleText(dialog)));
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->messageBar()->text().startsWith(u"Released semaphore:orders"_s), kPatience);
}

void TestKeyWindow::aProgramThatNeedsItsLockOffersNoRelease()
{
    m_programs.redis({{"SET", "bull:mail:7:lock", "0f8fad5b-d9cb-469f-a165-70867728950e:1", "PX", "60000"}});
    open(StoreKind::Redis);
    m_connection->startOperatorMode();
    QVERIFY(select({LockKind::RedisKey, "bull:mail:7:lock"}));
    QVERIFY(!page()->releaseAction()->isEnabled());
    const QString why = page()->releaseAction()->toolTip();
    QVERIFY2(why.startsWith(u"The queue would take its job for stalled"_s), qPrintable(why));
    QVERIFY(visibleText(page()->inspector()).contains(why));
    m_programs.redis({{"DEL", "bull:mail:7:lock"}});
}

void TestKeyWindow::aLeaderIsEndedOnlyWhenThatIsMeant()
{
    m_programs.node("/hbase/master", "bytes", ProgramKeeper::Node::Ephemeral);
    open(StoreKind::ZooKeeper);
    const LockKey key{LockKind::ZooKeeperNode, "/hbase/master"};
    QVERIFY(select(key));
    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    QVERIFY(!dialog->actButton()->isEnabled());
    QVERIFY2(dialog->actButton()->toolTip().contains(u"leads"_s), qPrintable(dialog->actButton()->toolTip()));
    dialog->leaderCheck()->setChecked(true);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!isListed(key), kPatience);
    m_programs.endSession();
}

void TestKeyWindow::whatIsOnlyGuessedIsListedWhenAskedFor()
{
    m_programs.redis({{"SET", "job-lock-7", "busy", "PX", "60000"}});
    open(StoreKind::Redis);
    const LockKey known{LockKind::RedisKey, m_programs.lock(StoreKind::Redis, "known")};
    const LockKey guessed{LockKind::RedisKey, "job-lock-7"};
    QTRY_VERIFY_WITH_TIMEOUT(isListed(known), kPatience);
    QVERIFY(!isListed(guessed));
    QVERIFY(page()->guessesAction()->isEnabled() && !page()->guessesAction()->isChecked());
    page()->guessesAction()->trigger();
    m_connection->startOperatorMode();
    QVERIFY(select(guessed));
    QVERIFY(!page()->releaseAction()->isEnabled());
    QVERIFY2(page()->releaseAction()->toolTip().contains(u"only guessed"_s),
             qPrintable(page()->releaseAction()->toolTip()));
    m_programs.redis({{"DEL", known.resource, guessed.resource}});
}

void TestKeyWindow::itsServerIsNamedInAListOfSeveral()
{
    open(StoreKind::Etcd);
    m_window->chooser()->addToList(m_window->chooser()->profileAt(m_nodes.url(StoreKind::Redis)));
    const FurtherServers *further = m_connection->further();
    QCOMPARE(further->all().size(), 1U);
    const int number = further->all().begin()->first;
    const LockKey key{LockKind::RedisKey, m_programs.lock(StoreKind::Redis, "there"), 0, 0, number};
    QVERIFY(select(key));
    QCOMPARE(text(key, LockTableModel::ServerColumn), further->names().value(number));
    const auto isTold = [this] {
        const auto buttons = page()->findChild<ServerBar *>()->findChildren<QToolButton *>();
        return 2 == std::count_if(buttons.begin(), buttons.end(), [](const QToolButton *button) {
                   return button->text().contains(u" · keys "_s);
               });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), kPatience);
    KeyReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!isListed(key), kPatience);
    QVERIFY(m_window->messageBar()->text().contains(further->names().value(number)));
}

QTEST_MAIN(TestKeyWindow)
#include "tst_keywindow.moc"
