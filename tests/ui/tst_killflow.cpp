// What becomes of an order to end sessions, on hand-made looks and answers: nothing that the server said is lost,
// whichever dialog is open by then.
#include "appearance.h"
#include "incidentmaker.h"
#include "killdesk.h"
#include "killdialog.h"
#include "killflow.h"
#include "messagebar.h"
#include "serverlink.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
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

/// The sentence and the small print.
QString allOf(const MessageBar &bar)
{
    QStringList texts;
    for (const QLabel *label : bar.findChildren<QLabel *>())
        texts += label->text();
    return texts.join(u'\n').trimmed();
}

} // namespace

class TestKillFlow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init();
    void cleanup();

    void theDeskHandsOnWhatIsHeard();
    void theDeskTellsWhatNobodyWaitsFor();
    void whatIsNotOnRecordIsTold_data();
    void whatIsNotOnRecordIsTold();
    void anAnswerIsToldWhileAnotherDialogIsOpen();
    void severalAreEndedToTheLastWhenTheDialogIsClosed();
    void noneIsEndedOnAnotherServer();
    void whatALookCannotSeeIsNotGone_data();
    void whatALookCannotSeeIsNotGone();
    void whatIsSeenAgainIsNotGone();
    void looksThatFailAreTold();

private:
    void act(const QString &name = {});
    KillOrder order(int index = 0) const { return m_ordered->at(index).at(0).value<KillOrder>(); }

    std::unique_ptr<ServerLink> m_link;
    std::unique_ptr<QWidget> m_window;
    MessageBar *m_told = nullptr;
    KillDesk *m_desk = nullptr;
    std::unique_ptr<QSignalSpy> m_ordered;
    Capabilities m_capabilities;
};

void TestKillFlow::init()
{
    m_link = std::make_unique<ServerLink>();
    ServerProfile profile;
    profile.name = u"shop-db"_s;
    profile.url.socket = u"/nonexistent/lockscope.sock"_s;
    m_link->open(profile, {});
    m_link->startOperatorMode();
    m_window = std::make_unique<QWidget>();
    m_told = new MessageBar(m_window.get());
    m_desk = new KillDesk(m_link.get(), m_told, m_window.get());
    m_ordered = std::make_unique<QSignalSpy>(m_desk, &KillDesk::ordered);
    m_desk->onWaits(usual().done(), m_capabilities);
}

void TestKillFlow::cleanup()
{
    m_ordered.reset();
    m_window.reset();
    m_link.reset();
}

void TestKillFlow::act(const QString &name)
{
    m_desk->dialog()->reasonEdit()->setText(u"stuck"_s);
    m_desk->dialog()->nameEdit()->setText(name);
    m_desk->dialog()->actButton()->click();
}

void TestKillFlow::theDeskHandsOnWhatIsHeard()
{
    KillDesk desk(m_link.get(), m_told, m_window.get());
    desk.ask({34});
    QVERIFY(!desk.dialog()); // nothing is known yet
    m_desk->ask({34});
    m_desk->onWaits(usual(4712).done(), m_capabilities);
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Changed);
    m_desk->dialog()->flow()->retarget();
    act();
    QCOMPARE(m_ordered->count(), 1);
    m_desk->onProgressed(order(), reportOf(Outcome::RollingBack));
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Undoing);
    m_desk->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_told->text(), u"Connection 34 is ended, as the server says."_s);
    QTRY_VERIFY(!m_desk->dialog());
}

void TestKillFlow::theDeskTellsWhatNobodyWaitsFor()
{
    m_desk->ask({34});
    act();
    m_desk->dialog()->reject();
    m_desk->onKilled(order(), reportOf(Outcome::Failed));
    QCOMPARE(m_told->text(), u"Connection 34 was not ended. Not you."_s);
}

void TestKillFlow::whatIsNotOnRecordIsTold_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<bool>("isClosed");
    QTest::addColumn<QString>("sentence");
    for (const bool isClosed : {false, true}) {
        const char *when = isClosed ? "closed" : "open";
        QTest::addRow("ended, %s", when) << int(Outcome::Ended) << isClosed << u"is ended, as the server says"_s;
        QTest::addRow("changed, %s", when) << int(Outcome::TargetChanged) << isClosed << u"Nothing was done"_s;
        QTest::addRow("failed, %s", when) << int(Outcome::Failed) << isClosed << u"was not ended. Not you."_s;
    }
}

void TestKillFlow::whatIsNotOnRecordIsTold()
{
    QFETCH(int, outcome);
    QFETCH(bool, isClosed);
    QFETCH(QString, sentence);
    m_desk->ask({34});
    act();
    if (isClosed)
        m_desk->dialog()->reject();
    m_desk->onKilled(order(), reportOf(Outcome(outcome), u"The disk is full."_s));
    const QString told = allOf(*m_told);
    for (const QString &part : {sentence, u"This is not on record."_s, u"The disk is full."_s})
        QVERIFY2(told.contains(part), qPrintable(part + u"\nis not in\n"_s + told));
}

void TestKillFlow::anAnswerIsToldWhileAnotherDialogIsOpen()
{
    m_desk->ask({34});
    act();
    m_desk->onProgressed(order(), reportOf(Outcome::RollingBack));
    m_desk->dialog()->reject();
    QTRY_VERIFY(!m_desk->dialog());
    m_desk->ask({56});
    QVERIFY(m_desk->dialog());
    m_desk->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_told->text(), u"Connection 34 is ended, as the server says."_s);
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Ready);
}

void TestKillFlow::severalAreEndedToTheLastWhenTheDialogIsClosed()
{
    m_desk->ask({34, 56, 57});
    act(u"shop-db"_s);
    QCOMPARE(m_ordered->count(), 1);
    m_desk->dialog()->reject();
    QTRY_VERIFY(!m_desk->dialog());
    m_desk->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_ordered->count(), 2);
    m_desk->onKilled(order(1), reportOf(Outcome::Failed));
    QCOMPARE(m_ordered->count(), 3);
    QVERIFY(m_told->text().isEmpty()); // it goes on
    m_desk->onKilled(order(2), reportOf(Outcome::Ended));
    QCOMPARE(m_told->text(),
             u"2 connections are ended, as the server says. Not ended: 1. Connection 56 was not ended. Not you."_s);
}

void TestKillFlow::noneIsEndedOnAnotherServer()
{
    m_desk->ask({34, 56, 57});
    act(u"shop-db"_s);
    m_link->open(m_link->profile(), {});
    QCOMPARE(m_ordered->count(), 1);
    QCOMPARE(m_told->text(),
             u"Another server was opened while connections of shop-db were being ended. Sent without an answer: 1. "_s
             u"Not sent: 2."_s);
    m_desk->onKilled(order(), reportOf(Outcome::Ended));
    QCOMPARE(m_ordered->count(), 1);
}

void TestKillFlow::whatALookCannotSeeIsNotGone_data()
{
    QTest::addColumn<int>("source");
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("isCut");
    using State = SourceStatus::State;
    for (const WaitSource source : {WaitSource::Sessions, WaitSource::Transactions}) {
        const char *name = source == WaitSource::Sessions ? "sessions" : "transactions";
        QTest::addRow("%s failed", name) << int(source) << int(State::Failed) << false;
        QTest::addRow("%s are switched off", name) << int(source) << int(State::Off) << false;
        QTest::addRow("%s are told in part", name) << int(source) << int(State::Partial) << false;
        QTest::addRow("%s are cut", name) << int(source) << int(State::Complete) << true;
    }
}

void TestKillFlow::whatALookCannotSeeIsNotGone()
{
    QFETCH(int, source);
    QFETCH(int, state);
    QFETCH(bool, isCut);
    m_desk->ask({34});
    IncidentMaker blind;
    for (SourceStatus &status : blind.waits().sources) {
        if (status.source != WaitSource(source))
            continue;
        status.state = SourceStatus::State(state);
        status.isCut = isCut;
    }
    m_desk->onWaits(blind.done(), m_capabilities);
    const auto *message = m_desk->dialog()->findChild<MessageBar *>();
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Ready);
    QVERIFY2(message->text().contains(u"The last look could not see connection 34"_s), qPrintable(message->text()));
    m_desk->onWaits(usual().done(), m_capabilities);
    QVERIFY2(message->text().isEmpty(), qPrintable(message->text()));
    m_desk->onWaits(IncidentMaker().done(), m_capabilities);
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Nothing);
}

void TestKillFlow::whatIsSeenAgainIsNotGone()
{
    m_desk->ask({34});
    m_desk->onWaits(IncidentMaker().done(), m_capabilities);
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Nothing);
    m_desk->onWaits(usual().done(), m_capabilities);
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Ready);
    act();
    QCOMPARE(m_ordered->count(), 1);
    m_desk->onKilled(order(), reportOf(Outcome::AlreadyGone)); // the kill itself says so
    m_desk->onWaits(usual().done(), m_capabilities);           // an older look
    QCOMPARE(m_desk->dialog()->flow()->step(), Step::Done);
}

void TestKillFlow::looksThatFailAreTold()
{
    m_desk->ask({34});
    const auto *message = m_desk->dialog()->findChild<MessageBar *>();
    LockError error;
    error.message = u"It takes too long."_s;
    Q_EMIT m_link->waitsFailed(error);
    QVERIFY2(message->text().startsWith(u"The server does not answer; what is shown is from "_s),
             qPrintable(message->text()));
    act(); // which looks for itself before it ends anything
    QCOMPARE(m_ordered->count(), 1);
    m_desk->onKilled(order(), reportOf(Outcome::TargetChanged));
    m_desk->dialog()->reject();
    QTRY_VERIFY(!m_desk->dialog());
    m_desk->ask({34}); // they still fail
    message = m_desk->dialog()->findChild<MessageBar *>();
    QVERIFY2(message->text().startsWith(u"The server does not answer"_s), qPrintable(message->text()));
    m_desk->onWaits(usual().done(), m_capabilities);
    QVERIFY(message->text().isEmpty());
}

QTEST_MAIN(TestKillFlow)
#include "tst_killflow.moc"
