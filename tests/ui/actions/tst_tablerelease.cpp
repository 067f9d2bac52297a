// SPDX-License-Identifier: MIT
// A lock in another program's table is released from the window: what it says is so, and nothing happens that was not
// confirmed.
#include "tablelocktest.h"
#include "ui/actions/tablereleasecontroller.h"
#include "ui/actions/tablereleasedialog.h"
#include "ui/pages/locks/lockcopies.h"

#include <QtCore/QFile>
#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestTableRelease : public TableLockTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void oneIsReleasedAndOnRecord();
    void ofTwoRowsOfOneNameTheReportOfTheReleasedOneTellsIt();
    void exactlyWhatIsSentIsShown();
    void aRowThatChangedIsLeftAlone();
    void aRowThatIsFreedMeanwhileIsSaid();
    void whatTheServerForbidsIsSaid();
    void aTableOfAnotherNameIsReleasedOnlyByWhoKnowsIt();
    void aProgramThatNeedsItsRowOffersNoRelease();
    void aReadOnlyServerOffersNone();
    void aProductionServerIsNamed();
    void aLostCommitIsNotKnownUntilTheRowTells_data();
    void aLostCommitIsNotKnownUntilTheRowTells();
    void whatWasNeverSentIsSaidToBeUndone();

private:
    /// The dialog on the lock that is chosen; the server was asked whether it can be released.
    TableReleaseDialog *ask();
    QString state() const { return visibleText(m_window->tableReleaseController()->dialog()); }
    /// Clicked on, and sent nowhere.
    static TableReleaseOrder dialogOrder(TableReleaseDialog *dialog);
    QVariantList row() { return m_observer->rows("SELECT lock_until = locked_at, locked_by FROM app.shedlock")[0]; }
};

TableReleaseDialog *TestTableRelease::ask()
{
    QSignalSpy answered(m_connection->feed<TablesFeed>(), &TablesFeed::previewReady);
    m_page->releaseAction()->trigger();
    TableReleaseDialog *dialog = m_window->tableReleaseController()->dialog();
    if (!dialog || !answered.wait(kPatience))
        qFatal("no dialog, or no answer");
    return dialog;
}

TableReleaseOrder TestTableRelease::dialogOrder(TableReleaseDialog *dialog)
{
    QObject::disconnect(dialog, &TableReleaseDialog::ordered, nullptr, nullptr);
    QSignalSpy ordered(dialog, &TableReleaseDialog::ordered);
    dialog->actButton()->click();
    return ordered.value(0).value(0).value<TableReleaseOrder>();
}

void TestTableRelease::oneIsReleasedAndOnRecord()
{
    open();
    choose();
    QVERIFY(m_page->releaseAction()->isEnabled());
    TableReleaseDialog *dialog = ask();
    QVERIFY(!dialog->actButton()->isEnabled()); // without a reason
    dialog->reasonEdit()->setText(u"host-a7 is gone"_s);
    QVERIFY2(dialog->actButton()->isEnabled(), qPrintable(state()));
    QSignalSpy released(m_connection.get(), &ServerConnection::tableReleased);
    dialog->actButton()->click();
    QVERIFY(released.wait(kPatience));
    QVERIFY(released[0][1].value<TableReleaseReport>().outcome == TableReleaseReport::Outcome::Released);
    QCOMPARE(row()[0].toInt(), 1); // as ShedLock itself frees it
    QVERIFY2(visibleText(m_window.get()).contains(u"Released app.shedlock nightly"_s),
             qPrintable(visibleText(m_window.get())));
    QTRY_VERIFY_WITH_TIMEOUT(m_page->inspector()->isGone(), kPatience);
    QFile record(AuditFile().path());
    QVERIFY(record.open(QIODevice::ReadOnly));
    const QByteArray lines = record.readAll();
    QVERIFY(lines.contains("host-a7 is gone") && lines.contains("app.shedlock"));
}

void TestTableRelease::ofTwoRowsOfOneNameTheReportOfTheReleasedOneTellsIt()
{
    m_observer->run(
        "CREATE TABLE app.DistributedLock (Resource VARCHAR(100) NOT NULL, CreatedAt DATETIME(6) NOT NULL)");
    m_observer->run("INSERT INTO app.DistributedLock VALUES ('jobs', UTC_TIMESTAMP(6) - INTERVAL 2 HOUR), "
                    "('jobs', UTC_TIMESTAMP(6) - INTERVAL 1 HOUR)");
    const QByteArray name = "app.DistributedLock jobs";
    open();
    choose({LockKind::Table, name, 1});
    TableReleaseDialog *dialog = ask();
    dialog->reasonEdit()->setText(u"its process is gone"_s);
    QVERIFY2(dialog->actButton()->isEnabled(), qPrintable(state()));
    QSignalSpy released(m_connection.get(), &ServerConnection::tableReleased);
    dialog->actButton()->click();
    QVERIFY(released.wait(kPatience));
    QVERIFY(released[0][1].value<TableReleaseReport>().outcome == TableReleaseReport::Outcome::Released);
    const auto report = [this] { return m_page->copies()->incident(); };
    QTRY_VERIFY2_WITH_TIMEOUT(report().contains(u"released it as its program would"_s), qPrintable(report()),
                              kPatience);
    choose({LockKind::Table, name, 0});
    const QString title = u"# Incident: app.DistributedLock jobs\n"_s;
    QTRY_VERIFY2_WITH_TIMEOUT(report().startsWith(title), qPrintable(report()), kPatience);
    QVERIFY2(report().contains(u"Nothing so far."_s), qPrintable(report()));
}

void TestTableRelease::exactlyWhatIsSentIsShown()
{
    open();
    choose();
    TableReleaseDialog *dialog = ask();
    const QString sent = QString::fromUtf8(tableReleaseStatement(*m_page->inspector()->lock()->table));
    QCOMPARE(dialog->findChild<QPlainTextEdit *>()->toPlainText(), sent);
    QVERIFY(sent.contains(u"START TRANSACTION"_s) && sent.contains(u"COMMIT"_s));
    QVERIFY2(state().contains(u"If its job still runs, it runs on"_s), qPrintable(state()));
    QCOMPARE(m_page->inspector()->findChild<QPlainTextEdit *>()->toPlainText(), sent);
}

void TestTableRelease::aRowThatChangedIsLeftAlone()
{
    open();
    choose();
    m_connection->setPaused(true); // so that the dialog does not see it before it is sent
    TableReleaseDialog *dialog = ask();
    m_observer->run("UPDATE app.shedlock SET locked_by = 'host-b2'");
    dialog->reasonEdit()->setText(u"stuck"_s);
    QSignalSpy released(m_connection.get(), &ServerConnection::tableReleased);
    dialog->actButton()->click();
    QVERIFY(released.wait(kPatience));
    QVERIFY(released[0][1].value<TableReleaseReport>().outcome == TableReleaseReport::Outcome::TargetChanged);
    QTRY_VERIFY2_WITH_TIMEOUT(state().contains(u"not as it was shown any more. Nothing was done."_s),
                              qPrintable(state()), kPatience);
    QCOMPARE(row()[0].toInt(), 0);
    m_connection->setPaused(false);
    const QList<QPushButton *> buttons = dialog->findChildren<QPushButton *>();
    const auto isOffered = [&buttons] {
        return std::any_of(buttons.cbegin(), buttons.cend(), [](const QPushButton *button) {
            return button->isVisible() && button->text() == u"Look at it as it is now"_s;
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOffered(), kPatience);
}

void TestTableRelease::aRowThatIsFreedMeanwhileIsSaid()
{
    open();
    choose();
    TableReleaseDialog *dialog = ask();
    dialog->reasonEdit()->setText(u"stuck"_s);
    m_observer->run("UPDATE app.shedlock SET lock_until = locked_at");
    QTRY_VERIFY2_WITH_TIMEOUT(state().contains(u"not held any more. Nothing was done."_s), qPrintable(state()),
                              kPatience);
    QVERIFY(!dialog->actButton()->isEnabled());
}

void TestTableRelease::whatTheServerForbidsIsSaid()
{
    m_observer->run("CREATE TRIGGER app.t BEFORE UPDATE ON app.shedlock FOR EACH ROW SET @seen = 1");
    open();
    choose();
    TableReleaseDialog *dialog = ask();
    dialog->reasonEdit()->setText(u"stuck"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(state().contains(u"triggers"_s), qPrintable(state()), kPatience);
    QVERIFY(!dialog->actButton()->isEnabled());
}

void TestTableRelease::aTableOfAnotherNameIsReleasedOnlyByWhoKnowsIt()
{
    m_observer->run("RENAME TABLE app.shedlock TO app.jobs");
    open();
    choose({LockKind::Table, "app.jobs nightly", 0});
    QVERIFY2(details().contains(u"looks like ShedLock"_s), qPrintable(details()));
    TableReleaseDialog *dialog = ask();
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(dialog->programCheck()->isVisible());
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->programCheck()->setChecked(true);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    QSignalSpy released(m_connection.get(), &ServerConnection::tableReleased);
    dialog->actButton()->click();
    QVERIFY(released.wait(kPatience));
    QVERIFY(released[0][1].value<TableReleaseReport>().outcome == TableReleaseReport::Outcome::Released);
}

/// What Quartz holds is held by a transaction.
void TestTableRelease::aProgramThatNeedsItsRowOffersNoRelease()
{
    m_observer->run("CREATE TABLE app.QRTZ_LOCKS (SCHED_NAME VARCHAR(120), LOCK_NAME VARCHAR(40), "
                    "PRIMARY KEY (SCHED_NAME, LOCK_NAME))");
    m_observer->run("INSERT INTO app.QRTZ_LOCKS VALUES ('s', 'TRIGGER_ACCESS')");
    open();
    choose({LockKind::Table, "app.QRTZ_LOCKS s TRIGGER_ACCESS", 0});
    QVERIFY(!m_page->releaseAction()->isEnabled());
    QVERIFY2(m_page->releaseAction()->toolTip().contains(u"end that session"_s),
             qPrintable(m_page->releaseAction()->toolTip()));
    QVERIFY2(details().contains(u"end that session"_s), qPrintable(details()));
}

void TestTableRelease::aReadOnlyServerOffersNone()
{
    open(false);
    choose();
    QVERIFY(!m_page->releaseAction()->isEnabled());
    QVERIFY(m_page->releaseAction()->toolTip().contains(u"read-only"_s));
    QSignalSpy released(m_connection.get(), &ServerConnection::tableReleased);
    m_connection->releaseTable({*m_page->inspector()->lock()->table, u"ada"_s, u"because"_s, {}});
    QCOMPARE(released.size(), 1);
    QVERIFY(released[0][1].value<TableReleaseReport>().outcome == TableReleaseReport::Outcome::Refused);
    QCOMPARE(row()[0].toInt(), 0);
}

void TestTableRelease::aProductionServerIsNamed()
{
    ServerProfile profile;
    profile.name = u"db1"_s;
    profile.url = m_server->url();
    profile.isProduction = true;
    m_connection->open(profile, {});
    m_connection->startOperatorMode();
    choose();
    TableReleaseDialog *dialog = ask();
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->nameEdit()->setText(profile.address());
    QVERIFY2(dialog->actButton()->isEnabled(), qPrintable(state()));
}

void TestTableRelease::aLostCommitIsNotKnownUntilTheRowTells_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QString>("told");
    QTest::addColumn<bool>("isOver");

    QTest::newRow("it was done") << QByteArray("lock_until = locked_at") << u"It is not held any more."_s << true;
    QTest::newRow("somebody else has it")
        << QByteArray("locked_by = 'host-b2'") << u"not as it was shown any more"_s << true;
    QTest::newRow("it was not") << QByteArray("locked_by = locked_by") << u"It is not known whether"_s << false;
}

void TestTableRelease::aLostCommitIsNotKnownUntilTheRowTells()
{
    QFETCH(const QByteArray, change);
    QFETCH(const QString, told);
    QFETCH(const bool, isOver);
    open();
    choose();
    TableReleaseDialog *dialog = ask();
    dialog->reasonEdit()->setText(u"stuck"_s);
    const TableReleaseOrder order = dialogOrder(dialog);
    TableReleaseReport lost;
    lost.mayBeDone = true;
    lost.error.emplace();
    lost.error->message = u"Check that the server runs and try again."_s;
    QVERIFY(dialog->onReleased(order, lost));
    QVERIFY2(state().contains(u"It is not known whether it was released"_s), qPrintable(state()));
    QVERIFY2(!state().contains(u"try again"_s), qPrintable(state()));
    m_observer->run("UPDATE app.shedlock SET " + change);
    QSignalSpy looked(m_connection->feed<TablesFeed>(), &TablesFeed::updated);
    QVERIFY(looked.wait(kPatience));
    QVERIFY(looked.wait(kPatience));
    QVERIFY2(state().contains(told), qPrintable(state()));
    QVERIFY2(!state().contains(u"Nothing was done"_s), qPrintable(state()));
    QCOMPARE(dialog->actButton()->isEnabled(), !isOver);
    QCOMPARE(dialog->actButton()->toolTip().isEmpty(), !isOver);
}

void TestTableRelease::whatWasNeverSentIsSaidToBeUndone()
{
    open();
    choose();
    TableReleaseDialog *dialog = ask();
    QVERIFY2(dialog->actButton()->toolTip().contains(u"Give a reason"_s), qPrintable(dialog->actButton()->toolTip()));
    dialog->reasonEdit()->setText(u"stuck"_s);
    QCOMPARE(dialog->actButton()->toolTip(), QString());
    const TableReleaseOrder order = dialogOrder(dialog);
    TableReleaseReport refused;
    refused.error.emplace();
    refused.error->message = u"No connection."_s;
    QVERIFY(dialog->onReleased(order, refused));
    QVERIFY2(state().contains(u"No connection. Nothing was done."_s), qPrintable(state()));
}

QTEST_MAIN(TestTableRelease)
#include "tst_tablerelease.moc"
