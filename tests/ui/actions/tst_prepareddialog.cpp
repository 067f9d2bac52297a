// SPDX-License-Identifier: MIT
// The dialog that ends prepared transactions, on hand-made looks and answers.
#include "strict.h"
#include "ui/actions/preparedcontroller.h"
#include "ui/actions/prepareddialog.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/widgets/messagebar.h"
#include "visibletext.h"
#include "waitsmaker.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr quint64 kNumber = preparedNumber(421);

/// Two wait for it.
WaitsMaker incident(const QList<Xid> &xids = {{1, "x1", {}}}, quint64 attachedTo = 0)
{
    WaitsMaker maker;
    PreparedTransaction &prepared = maker.prepare(421, xids);
    prepared.session = attachedTo;
    prepared.isAttached = attachedTo != 0;
    maker.queue(kNumber, 12, 2);
    maker.waits().sessions.remove(kNumber);
    return maker;
}

} // namespace

class TestPreparedDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init();
    void cleanup() { m_connection.reset(); }

    void saysWhoGoesOnAndLeavesTheChoice();
    void sendsWhatItShows();
    void showsNoStatementBeforeTheChoice();
    void tabGoesAsItIsRead();
    void oneOfSeveralNamesIsChosen();
    void aNameThatIsAnothersIsChosenNoMore();
    void aProductionServersNameIsTyped();
    void whatASessionHasIsNotEnded();
    void whatHasEndedIsOver();
    void aRefusalIsTold();
    void whatBrokeOffIsNotKnown();
    void aReadOnlyServerEndsNothing();

private:
    void connectTo(bool isProduction);
    std::unique_ptr<PreparedDialog> open(const WaitsMaker &maker);

    std::unique_ptr<ServerConnection> m_connection;
};

void TestPreparedDialog::connectTo(bool isProduction)
{
    m_connection = std::make_unique<ServerConnection>();
    ServerProfile profile;
    profile.name = u"shop-db"_s;
    profile.isProduction = isProduction;
    profile.url.user = u"ops"_s;
    profile.url.host = u"127.0.0.1"_s;
    profile.url.port = 9;
    m_connection->open(profile, {});
    m_connection->startOperatorMode();
}

void TestPreparedDialog::init()
{
    failOnWarnings(OffscreenWarning);
    connectTo(false);
}

std::unique_ptr<PreparedDialog> TestPreparedDialog::open(const WaitsMaker &maker)
{
    auto dialog = std::make_unique<PreparedDialog>(m_connection.get(), kNumber, maker.done(), Family::MariaDb);
    dialog->show();
    return dialog;
}

void TestPreparedDialog::saysWhoGoesOnAndLeavesTheChoice()
{
    const auto dialog = open(incident());
    const QString text = visibleText(dialog.get());
    for (const QString &part :
         {u"End transaction 421 on shop-db (127.0.0.1:9)?"_s, u"XA 'x1', open for 3 min"_s, u"Changed rows: 2."_s,
          u"1 goes on at once: 12"_s, u"Up to 1 later"_s, u"Only its coordinator knows"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u"\nis not in\n"_s + text));
    QVERIFY(!dialog->commitChoice()->isChecked() && !dialog->rollbackChoice()->isChecked());
    QVERIFY(!dialog->xidChoice()->isVisible());
    dialog->reasonEdit()->setText(u"left over"_s);
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->rollbackChoice()->click();
    QVERIFY(dialog->actButton()->isEnabled());
    dialog->reasonEdit()->setText(u"  "_s);
    QVERIFY(!dialog->actButton()->isEnabled());
}

void TestPreparedDialog::sendsWhatItShows()
{
    const auto dialog = open(incident());
    const QSignalSpy ordered(dialog.get(), &PreparedDialog::ordered);
    dialog->reasonEdit()->setText(u" decided so "_s);
    dialog->commitChoice()->click();
    dialog->actButton()->click();
    QCOMPARE(ordered.count(), 1);
    const auto order = ordered.first().first().value<PreparedOrder>();
    QCOMPARE(preparedCommand(order), QByteArray("XA COMMIT 'x1'"));
    QCOMPARE(order.target.transaction, quint64(421));
    QCOMPARE(order.reason, u"decided so"_s);
    QVERIFY(!dialog->actButton()->isEnabled());
    PreparedReport report;
    report.outcome = PreparedReport::Outcome::Ended;
    QVERIFY(!dialog->onEnded({}, report)); // somebody else's
    QVERIFY(dialog->isVisible());
    QVERIFY(dialog->onEnded(order, report));
    QVERIFY(!dialog->isVisible());
}

void TestPreparedDialog::showsNoStatementBeforeTheChoice()
{
    const auto dialog = open(incident());
    const auto *statement = dialog->findChild<QPlainTextEdit *>();
    QCOMPARE(statement->toPlainText(), QString());
    QVERIFY(!visibleText(dialog.get()).contains(u"This is exactly what is sent"_s));
    QCOMPARE(dialog->actButton()->text(), u"End transaction 421"_s);
    dialog->commitChoice()->click();
    QCOMPARE(statement->toPlainText(), u"XA COMMIT 'x1'"_s);
    QCOMPARE(dialog->actButton()->text(), u"Commit transaction 421"_s);
    dialog->rollbackChoice()->click();
    QCOMPARE(statement->toPlainText(), u"XA ROLLBACK 'x1'"_s);
    QCOMPARE(dialog->actButton()->text(), u"Roll back transaction 421"_s);
    for (QToolButton *button : dialog->findChildren<QToolButton *>()) {
        if (button->text() == u"With its &guard"_s)
            button->click();
    }
    QVERIFY(statement->toPlainText().contains(u"innodb_trx"_s));
    QVERIFY(statement->toPlainText().endsWith(u"XA ROLLBACK 'x1'"_s));
}

void TestPreparedDialog::tabGoesAsItIsRead()
{
    const auto dialog = open(incident());
    QWidget *const commit = dialog->commitChoice();
    QVERIFY(commit->nextInFocusChain() == dialog->rollbackChoice());
    QVERIFY(dialog->rollbackChoice()->nextInFocusChain() == dialog->findChild<QPlainTextEdit *>());
    QVERIFY(dialog->reasonEdit()->nextInFocusChain() == dialog->nameEdit());
    QVERIFY(dialog->cancelButton()->nextInFocusChain() == dialog->actButton());
    const auto *reason = dialog->findChild<QFormLayout *>()->labelForField(dialog->reasonEdit());
    QVERIFY(QKeySequence::mnemonic(static_cast<const QLabel *>(reason)->text())
            != QKeySequence::mnemonic(dialog->rollbackChoice()->text()));
}

void TestPreparedDialog::oneOfSeveralNamesIsChosen()
{
    const auto dialog = open(incident({{1, "x1", {}}, {1, "x2", {}}}));
    const QSignalSpy ordered(dialog.get(), &PreparedDialog::ordered);
    QVERIFY(dialog->xidChoice()->isVisible());
    QVERIFY(visibleText(dialog.get())
                .contains(u"does not tell which transaction has this name, so nobody knows who goes on"_s));
    dialog->reasonEdit()->setText(u"r"_s);
    dialog->rollbackChoice()->click();
    QVERIFY(!dialog->actButton()->isEnabled()); // none is chosen beforehand
    dialog->xidChoice()->setCurrentIndex(1);
    QCOMPARE(dialog->findChild<QPlainTextEdit *>()->toPlainText(), u"XA ROLLBACK 'x2'"_s);
    dialog->actButton()->click();
    const auto order = ordered.first().first().value<PreparedOrder>();
    QCOMPARE(preparedCommand(order), QByteArray("XA ROLLBACK 'x2'"));
    QCOMPARE(order.target.transaction, quint64(0));
}

/// Somebody ends the other one, and which of both had which name is told by that.
void TestPreparedDialog::aNameThatIsAnothersIsChosenNoMore()
{
    const auto dialog = open(incident({{1, "x1", {}}, {1, "x2", {}}}));
    dialog->reasonEdit()->setText(u"r"_s);
    dialog->rollbackChoice()->click();
    dialog->xidChoice()->setCurrentIndex(0);
    QVERIFY(dialog->actButton()->isEnabled());
    dialog->onWaits(incident({{1, "x2", {}}}).done());
    QVERIFY(!dialog->actButton()->isEnabled());
    QVERIFY(dialog->xidChoice()->isVisible() && dialog->xidChoice()->currentIndex() < 0);
    dialog->xidChoice()->setCurrentIndex(0);
    QVERIFY(dialog->actButton()->isEnabled());
    const QSignalSpy ordered(dialog.get(), &PreparedDialog::ordered);
    dialog->actButton()->click();
    const auto order = ordered.first().first().value<PreparedOrder>();
    QCOMPARE(preparedCommand(order), QByteArray("XA ROLLBACK 'x2'"));
    QCOMPARE(order.target.transaction, quint64(421));
}

void TestPreparedDialog::aProductionServersNameIsTyped()
{
    connectTo(true);
    const auto dialog = open(incident());
    dialog->reasonEdit()->setText(u"r"_s);
    dialog->rollbackChoice()->click();
    QVERIFY(dialog->nameEdit()->isVisible() && !dialog->actButton()->isEnabled());
    dialog->nameEdit()->setText(u"127.0.0.1"_s);
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->nameEdit()->setText(u"127.0.0.1:9"_s);
    QVERIFY(dialog->actButton()->isEnabled());
}

void TestPreparedDialog::whatASessionHasIsNotEnded()
{
    const auto dialog = open(incident({{1, "x1", {}}}, 77));
    dialog->reasonEdit()->setText(u"r"_s);
    dialog->rollbackChoice()->click();
    QVERIFY(!dialog->actButton()->isEnabled());
    QVERIFY(visibleText(dialog.get()).contains(u"Only session 77 can do that, until it has ended."_s));
}

void TestPreparedDialog::whatHasEndedIsOver()
{
    const auto dialog = open(incident());
    dialog->reasonEdit()->setText(u"r"_s);
    dialog->rollbackChoice()->click();
    dialog->onWaits(WaitsMaker().done());
    QVERIFY(visibleText(dialog.get()).contains(u"It has ended already. Nothing was done."_s));
    QVERIFY(!dialog->actButton()->isVisible());
    QCOMPARE(dialog->cancelButton()->text(), u"Close"_s);
}

void TestPreparedDialog::aRefusalIsTold()
{
    const auto dialog = open(incident());
    const QSignalSpy ordered(dialog.get(), &PreparedDialog::ordered);
    dialog->reasonEdit()->setText(u"r"_s);
    dialog->rollbackChoice()->click();
    dialog->actButton()->click();
    PreparedReport report;
    report.outcome = PreparedReport::Outcome::TargetChanged;
    report.error.emplace().message = u"That transaction has ended."_s;
    QVERIFY(dialog->onEnded(ordered.first().first().value<PreparedOrder>(), report));
    QVERIFY(visibleText(dialog.get()).contains(u"That transaction has ended."_s));
    QVERIFY(dialog->actButton()->isEnabled()); // it may be tried again
}

/// The server may have got it before the connection broke.
void TestPreparedDialog::whatBrokeOffIsNotKnown()
{
    QWidget window;
    MessageBar messages(&window);
    PreparedController controller(m_connection.get(), &messages, &window);
    PreparedOrder order;
    order.target.xid = {1, "x1", {}};
    PreparedReport report;
    report.error.emplace().kind = LockError::Kind::ConnectionLost;
    controller.onEnded(order, report);
    QCOMPARE(messages.text(), u"It is not known whether XA ROLLBACK 'x1' was done; it may have been."_s);
    report.error->kind = LockError::Kind::NoPermission;
    controller.onEnded(order, report);
    QCOMPARE(messages.text(), u"XA ROLLBACK 'x1' was not done."_s);
}

void TestPreparedDialog::aReadOnlyServerEndsNothing()
{
    const auto dialog = open(incident());
    dialog->reasonEdit()->setText(u"r"_s);
    dialog->rollbackChoice()->click();
    m_connection->endOperatorMode();
    QVERIFY(!dialog->actButton()->isEnabled());
    const QSignalSpy answered(m_connection.get(), &ServerConnection::preparedEnded);
    m_connection->endPrepared({});
    QCOMPARE(answered.count(), 1);
    QCOMPARE(answered.first().at(1).value<PreparedReport>().outcome, PreparedReport::Outcome::Refused);
}

QTEST_MAIN(TestPreparedDialog)
#include "tst_prepareddialog.moc"
