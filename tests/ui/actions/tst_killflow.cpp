// SPDX-License-Identifier: MIT
// What becomes of an order to end sessions, on hand-made looks and answers: nothing that the server said is lost,
// whichever dialog is open by then.
#include "incidentmaker.h"
#include "strict.h"
#include "ui/actions/killcontroller.h"
#include "ui/actions/killdialog.h"
#include "ui/actions/killflow.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/widgets/messagebar.h"
#include "visibletext.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Outcome = KillReport::Outcome;
using Step = KillFlow::Step;

namespace {

KillReport reportOf(Outcome outcome, const QString &recordError = {})
{
    KillReport report;
    report.outcome = outcome;
    report.recordError = recordError;
    if (outcome == Outcome::Failed || outcome == Outcome::Refused) {
        report.error.emplace();
        report.error->message = u"Not you."_s;
    }
    return report;
}

} // namespace

class TestKillFlow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init();
    void cleanup();

    void theControllerHandsOnWhatIsHeard();
    void theControllerTellsWhatNobodyWaitsFor();
    void whatBecameOfTheWaitersIsReadAgain();
    void whatIsNotOnRecordIsTold_data();
    void whatIsNotOnRecordIsTold();
    void anAnswerIsToldWhileAnotherDialogIsOpen();
    void severalAreEndedToTheLastWhenTheDialogIsClosed();
    void noneIsEndedOnAnotherServer();
    void whatALookCannotSeeIsNotGone();
    void whatIsSeenAgainIsNotGone();
    void whatIsTooYoungToTellStaysSoUntilItIsLookedAtAnew();
    void whatIsLeftIsCounted();
    void aProtectedOneBesideIsToldAtTheEnd();
    void looksThatFailAreTold();

private:
    void act(const QString &name = {});
    KillOrder order(int index = 0) const { return m_ordered->at(index).at(0).value<KillOrder>(); }

    std::unique_ptr<ServerConnection> m_connection;
    std::unique_ptr<QWidget> m_window;
    MessageBar *m_messages = nullptr;
    KillController *m_controller = nullptr;
    std::unique_ptr<QSignalSpy> m_ordered;
    Capabilities m_capabilities;
};

void TestKillFlow::init()
{
    failOnWarnings(OffscreenWarning);
    m_connection = std::make_unique<ServerConnection>();
    ServerProfile profile;
    profile.name = u"shop-db"_s;
    profile.url.socket = u"/nowhere/lockscope"_s;
    m_connection->open(profile, {});
    m_connection->startOperatorMode();
    m_window = std::make_unique<QWidget>();
    m_messages = new MessageBar(m_window.get());
    m_controller = new KillController(m_connection.get(), m_messages, m_window.get());
    m_ordered = std::make_unique<QSignalSpy>(m_controller, &KillController::ordered);
    m_controller->onWaits(usual().done(), m_capabilities);
}

void TestKillFlow::cleanup()
{
    m_ordered.reset();
    m_window.reset();
    m_connection.reset();
}

void TestKillFlow::act(const QString &name)
{
    m_controller->dialog()->reasonEdit()->setText(u"stuck"_s);
    m_controller->dialog()->nameEdit()->setText(name);
    m_controller->dialog()->actButton()->click();
}

void TestKillFlow::theControllerHandsOnWhatIsHeard()
{
    KillController controller(m_connection.get(), m_messages, m_window.get());
    controller.ask({34});
    QVERIFY(!controller.dialog()); // nothing is known yet
    m_controller->ask({34});
    m_controller->onWaits(usual(4712).done(), m_capabilities);
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Changed);
    m_controller->dialog()->flow()->retarget();
    act();
    QCOMPARE(m_ordered->count(), 1);
    m_controller->onProgressed(order(), reportOf(Outcome::RollingBack));
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Undoing);
    m_controller->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_messages->text(), u"Connection 34 has ended, according to the server."_s);
    QTRY_VERIFY(!m_controller->dialog());
}

void TestKillFlow::theControllerTellsWhatNobodyWaitsFor()
{
    m_controller->ask({34});
    act();
    m_controller->dialog()->reject();
    m_controller->onKilled(order(), reportOf(Outcome::Failed));
    QCOMPARE(m_messages->text(), u"Connection 34 was not ended. Not you."_s);
}

void TestKillFlow::whatBecameOfTheWaitersIsReadAgain()
{
    m_controller->ask({34});
    act();
    m_controller->onKilled(order(), reportOf(Outcome::Ended));
    m_controller->onWaits(usual().done(), m_capabilities); // begun before
    QCOMPARE(m_messages->text(), u"Connection 34 has ended, according to the server."_s);
    IncidentMaker after;
    after.holder(56, 4800).waiter(57, {56}, 25s).waiter(60, {56, 99}, 10s);
    after.waits().clock.local += 1s;
    m_controller->onWaits(after.done(), m_capabilities);
    QCOMPARE(
        m_messages->text(),
        u"Connection 34 has ended, according to the server. Of those who waited, 1 went on, 2 wait, now blocked by 56, 99."_s);
    m_controller->onWaits(IncidentMaker().done(), m_capabilities); // it is said once
    QVERIFY(m_messages->text().contains(u"2 wait"_s));
}

void TestKillFlow::whatIsNotOnRecordIsTold_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<bool>("isClosed");
    QTest::addColumn<QString>("sentence");
    for (const bool isClosed : {false, true}) {
        const char *when = isClosed ? "closed" : "open";
        QTest::addRow("ended, %s", when) << int(Outcome::Ended) << isClosed << u"has ended, according to the server"_s;
        QTest::addRow("changed, %s", when) << int(Outcome::TargetChanged) << isClosed << u"Nothing was done"_s;
        QTest::addRow("failed, %s", when) << int(Outcome::Failed) << isClosed << u"was not ended. Not you."_s;
    }
}

void TestKillFlow::whatIsNotOnRecordIsTold()
{
    QFETCH(int, outcome);
    QFETCH(bool, isClosed);
    QFETCH(QString, sentence);
    m_controller->ask({34});
    act();
    if (isClosed)
        m_controller->dialog()->reject();
    m_controller->onKilled(order(), reportOf(Outcome(outcome), u"The disk is full."_s));
    const QString told = visibleText(m_messages);
    for (const QString &part : {sentence, u"This is not on record."_s, u"The disk is full."_s})
        QVERIFY2(told.contains(part), qPrintable(part + u"\nis not in\n"_s + told));
}

void TestKillFlow::anAnswerIsToldWhileAnotherDialogIsOpen()
{
    m_controller->ask({34});
    act();
    m_controller->onProgressed(order(), reportOf(Outcome::RollingBack));
    m_controller->dialog()->reject();
    QTRY_VERIFY(!m_controller->dialog());
    m_controller->ask({56});
    QVERIFY(m_controller->dialog());
    m_controller->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_messages->text(), u"Connection 34 has ended, according to the server."_s);
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Ready);
}

void TestKillFlow::severalAreEndedToTheLastWhenTheDialogIsClosed()
{
    m_controller->ask({34, 56, 57});
    act(u"/nowhere/lockscope"_s);
    QCOMPARE(m_ordered->count(), 1);
    m_controller->dialog()->reject();
    QTRY_VERIFY(!m_controller->dialog());
    m_controller->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_ordered->count(), 2);
    m_controller->onKilled(order(1), reportOf(Outcome::Failed));
    QCOMPARE(m_ordered->count(), 3);
    QVERIFY(m_messages->text().isEmpty()); // it goes on
    m_controller->onKilled(order(2), reportOf(Outcome::Ended));
    QCOMPARE(
        m_messages->text(),
        u"2 connections have ended, according to the server. Not ended: 1. Connection 56 was not ended. Not you."_s);
}

void TestKillFlow::noneIsEndedOnAnotherServer()
{
    m_controller->ask({34, 56, 57});
    act(u"/nowhere/lockscope"_s);
    m_connection->open(m_connection->profile(), {});
    QCOMPARE(m_ordered->count(), 1);
    QCOMPARE(
        m_messages->text(),
        u"Another server was opened while connections of shop-db (/nowhere/lockscope) were being ended. Sent without an answer: 1. "_s
        u"Not sent: 2."_s);
    m_controller->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_ordered->count(), 1);
}

void TestKillFlow::whatALookCannotSeeIsNotGone()
{
    m_controller->ask({34});
    IncidentMaker blind;
    blind.waits().tracked.clear();
    m_controller->onWaits(blind.done(), m_capabilities);
    const auto *message = m_controller->dialog()->findChild<MessageBar *>();
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Ready);
    QVERIFY2(message->text().contains(u"Connection 34 could not be seen just now"_s), qPrintable(message->text()));
    m_controller->onWaits(usual().done(), m_capabilities);
    QVERIFY2(message->text().isEmpty(), qPrintable(message->text()));
    m_controller->onWaits(IncidentMaker().done(), m_capabilities);
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Nothing);
}

void TestKillFlow::whatIsSeenAgainIsNotGone()
{
    m_controller->ask({34});
    m_controller->onWaits(IncidentMaker().done(), m_capabilities);
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Nothing);
    m_controller->onWaits(usual().done(), m_capabilities);
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Ready);
    act();
    QCOMPARE(m_ordered->count(), 1);
    m_controller->onKilled(order(), reportOf(Outcome::AlreadyGone)); // the kill itself says so
    m_controller->onWaits(usual().done(), m_capabilities);           // an older look
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Done);
}

/// Each look alone would make it ready again, and each kill would be refused for what the first look saw.
void TestKillFlow::whatIsTooYoungToTellStaysSoUntilItIsLookedAtAnew()
{
    m_controller->ask({34});
    act();
    KillReport young = reportOf(Outcome::TargetChanged);
    young.error.emplace();
    young.error->message = u"It began too short a time before the look."_s;
    m_controller->onKilled(order(), young);
    m_controller->onWaits(usual().done(), m_capabilities);
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Changed);
    const auto *message = m_controller->dialog()->findChild<MessageBar *>();
    QVERIFY2(message->text().contains(young.error->message), qPrintable(message->text()));
    IncidentMaker later = usual();
    later.waits().clock.server += 5s;
    m_controller->onWaits(later.done(), m_capabilities);
    m_controller->dialog()->flow()->retarget();
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Ready);
    act();
    QCOMPARE(order(int(m_ordered->count()) - 1).target.seen, later.waits().clock.server);
}

void TestKillFlow::whatIsLeftIsCounted()
{
    m_controller->ask({34, 56});
    act(u"/nowhere/lockscope"_s);
    m_controller->onKilled(order(0), reportOf(Outcome::Ended));
    m_controller->onKilled(order(1), reportOf(Outcome::Failed));
    const KillFlow *flow = m_controller->dialog()->flow();
    QCOMPARE(flow->statement().count("KILL"), 1);
    QCOMPARE(m_controller->dialog()->actButton()->text(), u"End 1 connection on shop-db (/nowhere/lockscope)"_s);
    m_controller->dialog()->reject();
    QVERIFY2(m_messages->text().contains(u"Not ended: 1"_s), qPrintable(m_messages->text()));
}

void TestKillFlow::aProtectedOneBesideIsToldAtTheEnd()
{
    IncidentMaker maker = usual();
    maker.session(56).protection = Protection::Replication;
    m_controller->onWaits(maker.done(), m_capabilities);
    m_controller->ask({34, 56});
    act(u"/nowhere/lockscope"_s);
    m_controller->onKilled(order(0), reportOf(Outcome::Ended));
    QVERIFY(!m_controller->dialog() || !m_controller->dialog()->isVisible());
    QVERIFY2(m_messages->text().contains(u"Not ended: 1"_s), qPrintable(m_messages->text()));
    QVERIFY2(m_messages->text().contains(u"This session replicates"_s), qPrintable(m_messages->text()));
}

void TestKillFlow::looksThatFailAreTold()
{
    m_controller->ask({34});
    const auto *message = m_controller->dialog()->findChild<MessageBar *>();
    LockError error;
    error.message = u"It takes too long."_s;
    Q_EMIT m_connection->feed<WaitsFeed>()->failed(error);
    QVERIFY2(message->text().startsWith(u"The server does not answer; what is shown is from "_s),
             qPrintable(message->text()));
    act(); // which looks for itself before it ends anything
    QCOMPARE(m_ordered->count(), 1);
    m_controller->onKilled(order(), reportOf(Outcome::TargetChanged));
    m_controller->dialog()->reject();
    QTRY_VERIFY(!m_controller->dialog());
    m_controller->ask({34}); // they still fail
    message = m_controller->dialog()->findChild<MessageBar *>();
    QVERIFY2(message->text().startsWith(u"The server does not answer"_s), qPrintable(message->text()));
    m_controller->onWaits(usual().done(), m_capabilities);
    QVERIFY(message->text().isEmpty());
}

QTEST_MAIN(TestKillFlow)
#include "tst_killflow.moc"
