// SPDX-License-Identifier: MIT
// The release dialog on a real server: what it says is so, and nothing happens that was not confirmed.
#include "console/auditfile.h"
#include "enginefixture.h"
#include "strict.h"

#include "ui/actions/releasedialog.h"
#include "ui/actions/releaseflow.h"
#include "ui/server/serverconnection.h"
#include "ui/widgets/messagebar.h"
#include "visibletext.h"

#include <QtGui/QKeyEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using Step = ReleaseFlow::Step;

namespace {

constexpr int kPatience = 30'000;

} // namespace

class TestReleaseDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void theReasonHasTheFocusAndIsRequired();
    void saysWhoHoldsItAndWhoGetsIt();
    void showsTheStatementThatRuns();
    void releasesAndCloses();
    void returnInTheReasonGoesToTheButton();
    void saysWhenTheLockChangedHands();
    void saysWhenTheLockIsAlreadyFree();
    void aReadOnlyServerReleasesNothing();
    void aProductionServerIsNamed();

private:
    void open(bool isPrivate = true, bool isProduction = false);
    std::optional<LockRow> lock() const;

    TestServer *m_server = nullptr;
    std::unique_ptr<ServerConnection> m_connection;
    std::unique_ptr<LockEngine> m_engine;
    AcquireResult m_held;
};

void TestReleaseDialog::init()
{
    failOnWarnings(OffscreenWarning);
    m_server = &TestServer::instance();
    resetTables(*m_server);
    m_engine = std::make_unique<LockEngine>(configFor(*m_server));
    m_held = m_engine->acquire(requestFor("orders/42", 0s, 60s));
    QCOMPARE(m_held.outcome, Outcome::Granted);
    m_connection = std::make_unique<ServerConnection>();
}

void TestReleaseDialog::cleanup()
{
    m_connection.reset();
    m_held = {};
    m_engine.reset();
}

void TestReleaseDialog::open(bool isPrivate, bool isProduction)
{
    ServerProfile profile;
    profile.name = QStringLiteral("db1");
    profile.url = m_server->url();
    profile.isPrivate = isPrivate;
    profile.isProduction = isProduction;
    m_connection->setInterval(50ms);
    m_connection->open(profile, {});
    QTRY_VERIFY_WITH_TIMEOUT(lock().has_value(), kPatience);
}

std::optional<LockRow> TestReleaseDialog::lock() const
{
    const auto &items = m_connection->last().items;
    return items.isEmpty() || items[0].vanishedAt ? std::nullopt : std::optional(items[0].row);
}

void TestReleaseDialog::theReasonHasTheFocusAndIsRequired()
{
    open();
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Ready, kPatience);
    QCOMPARE(dialog.focusWidget(), dialog.reasonEdit());
    QTest::keyClick(dialog.reasonEdit(), Qt::Key_Return);
    QVERIFY(dialog.isVisible());
    QVERIFY(!dialog.actButton()->isEnabled());
    dialog.reasonEdit()->setText(QStringLiteral("   "));
    QVERIFY(!dialog.actButton()->isEnabled());
    dialog.reasonEdit()->setText(QStringLiteral("stuck"));
    QVERIFY(dialog.actButton()->isEnabled());
    QCOMPARE(dialog.actButton()->text(), QStringLiteral("Release orders/42"));
    dialog.reasonEdit()->clear();
    QVERIFY(!dialog.actButton()->isEnabled());
    QVERIFY(m_held.handle.isHeld());
}

void TestReleaseDialog::saysWhoHoldsItAndWhoGetsIt()
{
    Worker first(*m_server);
    Worker second(*m_server);
    Observer observer(*m_server);
    first.send("acquire orders/42 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(observer.waiters("orders/42"), 1, kPatience);
    second.send("acquire orders/42 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(observer.waiters("orders/42"), 2, kPatience);
    open();
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.show();
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Ready, kPatience);
    const QString text = visibleText(&dialog);
    QVERIFY2(text.contains(QStringLiteral("(pid %1").arg(QCoreApplication::applicationPid())), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("token %1.").arg(m_held.handle.token())), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("Its session is alive: it may still be working.")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("Next: ")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("One more waits.")), qPrintable(text));
    first.kill9(); // they would wait on
    second.kill9();
}

void TestReleaseDialog::showsTheStatementThatRuns()
{
    open();
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.reasonEdit()->setText(QStringLiteral("stuck"));
    ReleaseOrder order{lock()->key, m_held.handle.token(), AuditFile::operatorName(), QStringLiteral("stuck")};
    QCOMPARE(dialog.findChild<QPlainTextEdit *>()->toPlainText(),
             QString::fromUtf8(releaseStatement(order, m_server->family())));
}

void TestReleaseDialog::releasesAndCloses()
{
    open();
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.show();
    dialog.reasonEdit()->setText(QStringLiteral("stuck"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog.actButton()->isEnabled(), kPatience);
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    dialog.actButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(accepted.count(), 1, kPatience);
    QCOMPARE(dialog.flow()->report().outcome, ReleaseReport::Outcome::Released);
    QTRY_VERIFY_WITH_TIMEOUT(!lock().has_value(), kPatience);
    Observer observer(*m_server);
    QCOMPARE(observer.value("SELECT reason FROM lock_event").toString(), QStringLiteral("stuck"));
    QCOMPARE(observer.value("SELECT operator FROM lock_event").toString(), AuditFile::operatorName());
}

void TestReleaseDialog::returnInTheReasonGoesToTheButton()
{
    open();
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Ready, kPatience);
    dialog.reasonEdit()->setFocus();
    QTest::keyClick(dialog.reasonEdit(), Qt::Key_Return); // no reason yet
    QVERIFY(dialog.isVisible());
    QCOMPARE(dialog.focusWidget(), dialog.reasonEdit());
    dialog.reasonEdit()->setText(QStringLiteral("stuck"));
    QVERIFY(dialog.actButton()->isEnabled());
    QTest::keyClick(dialog.reasonEdit(), Qt::Key_Return);
    QCOMPARE(dialog.focusWidget(), dialog.actButton());
    QKeyEvent heldDown(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, QString(), true);
    QCoreApplication::sendEvent(dialog.actButton(), &heldDown);
    QCOMPARE(dialog.flow()->step(), Step::Ready);
    QVERIFY(m_held.handle.isHeld());
    QCOMPARE(Observer(*m_server).value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
    QTest::keyClick(dialog.actButton(), Qt::Key_Return, Qt::NoModifier, 100); // later, as a person presses it
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Released, kPatience);
}

void TestReleaseDialog::saysWhenTheLockChangedHands()
{
    open();
    const LockRow chosen = *lock();
    ReleaseDialog dialog(m_connection.get(), chosen);
    dialog.show();
    dialog.reasonEdit()->setText(QStringLiteral("stuck"));
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Ready, kPatience);
    m_held.handle.release();
    const auto next = m_engine->acquire(requestFor("orders/42"));
    dialog.flow()->act(); // before the dialog has looked again
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Changed, kPatience);
    QVERIFY(dialog.isVisible());
    const QString message = dialog.findChild<MessageBar *>()->text();
    QVERIFY2(message.contains(QStringLiteral("changed hands")), qPrintable(message));
    QVERIFY2(message.contains(QStringLiteral("Nothing was done")), qPrintable(message));
    QVERIFY(!dialog.actButton()->isVisible());
    QVERIFY(next.handle.isHeld());
    QCOMPARE(Observer(*m_server).value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
    dialog.flow()->retarget();
    QCOMPARE(dialog.flow()->step(), Step::Ready);
    QCOMPARE(dialog.flow()->target().token, next.handle.token());
}

void TestReleaseDialog::saysWhenTheLockIsAlreadyFree()
{
    open();
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.show();
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Ready, kPatience);
    m_held.handle.release();
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Gone, kPatience); // it looks again by itself
    QVERIFY(dialog.findChild<MessageBar *>()->text().contains(QStringLiteral("already released")));
    QVERIFY(!dialog.actButton()->isVisible());
}

void TestReleaseDialog::aReadOnlyServerReleasesNothing()
{
    open(false);
    QVERIFY(!m_connection->isOperator());
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.show();
    dialog.reasonEdit()->setText(QStringLiteral("stuck"));
    QTRY_COMPARE_WITH_TIMEOUT(dialog.flow()->step(), Step::Ready, kPatience);
    QVERIFY(!dialog.actButton()->isEnabled());
    QSignalSpy released(m_connection.get(), &ServerConnection::released);
    m_connection->release({lock()->key, m_held.handle.token(), QStringLiteral("alice"), QStringLiteral("stuck")});
    QCOMPARE(released.count(), 1);
    QCOMPARE(released[0][1].value<ReleaseReport>().error->kind, LockError::Kind::BadRequest);
    m_connection->startOperatorMode();
    QVERIFY(dialog.actButton()->isEnabled());
    QVERIFY(m_connection->operatorTimeLeft() > 14min);
    m_connection->endOperatorMode();
    QVERIFY(!dialog.actButton()->isEnabled());
    QVERIFY(m_held.handle.isHeld());
}

void TestReleaseDialog::aProductionServerIsNamed()
{
    open(false, true);
    ReleaseDialog dialog(m_connection.get(), *lock());
    dialog.show();
    QVERIFY(visibleText(&dialog).contains(QStringLiteral("This is a production server.")));
}

QTEST_MAIN(TestReleaseDialog)
#include "tst_releasedialog.moc"
