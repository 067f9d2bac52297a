// SPDX-License-Identifier: MIT
// The dialog that ends connections, on hand-made looks and answers: what it says, what it sends, and when it does not.
#include "console/auditfile.h"
#include "incidentmaker.h"
#include "strict.h"
#include "ui/actions/killdialog.h"
#include "ui/actions/killtext.h"
#include "ui/pages/waits/waittext.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/widgets/messagebar.h"
#include "visibletext.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>
#include <QtWidgets/QToolButton>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using Step = KillFlow::Step;

class TestKillDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init();
    void cleanup();

    void saysWhoGoesOnAndWhoDoesNot();
    void theWaitsAddUpWhileTheyRun();
    void theReasonHasTheFocusAndIsRequired();
    void returnInTheReasonEndsNothing();
    void aReturnThatIsHeldDownEndsNothing();
    void sendsWhatItShows();
    void anIdleSessionHasNoStatementToEnd();
    void aServerThatIsFoundToBeProductionClosesIt();
    void onlyTheStatementMayBeEnded();
    void aStatementWhoseEndFreesNobodyIsNotOffered_data();
    void aStatementWhoseEndFreesNobodyIsNotOffered();
    void anotherTransactionHasToBeConfirmed();
    void anotherStatementOfTheTransactionIsNoChange();
    void followsEachLook();
    void aGoneTargetIsSuccess();
    void anAnswerEndsIt_data();
    void anAnswerEndsIt();
    void whatBrokeOffIsNotKnown();
    void whoGoesOnIsNotMadeUp();
    void thatNobodyGoesOnIsAWarning();
    void anAgeThatIsNotToldIsNotShown();
    void countsTheRowsThatAreLeft();
    void aFailureMayBeTriedAgain();
    void protectedSessionsAreRefused();
    void aReadOnlyServerEndsNothing();
    void operatorModeEndsByItself();
    void severalWantTheServersName();
    void severalAreEndedOneAfterTheOther();
    void whoWaitsForTwoOfThemGoesOn();
    void whoIsFreedTwiceIsToldOnce();
    void aNameOnAButtonIsNoShortcut();
    void aKnownProgramIsNamedWithItsLock();
    void whatTheServerIsComesBeforeTheReason_data();
    void whatTheServerIsComesBeforeTheReason();
    void aProductionServerIsNamed();
    void anotherServerClosesIt();

private:
    std::unique_ptr<KillDialog> open(const IncidentMaker &maker, const QList<quint64> &sessions = {34});
    void look(KillDialog *dialog, const IncidentMaker &maker) { dialog->flow()->onWaits(maker.done(), m_capabilities); }
    static KillOrder orderIn(const QSignalSpy &spy, int index = 0) { return spy.at(index).at(0).value<KillOrder>(); }

    std::unique_ptr<ServerConnection> m_connection;
    Capabilities m_capabilities;
};

void TestKillDialog::init()
{
    failOnWarnings(OffscreenWarning);
    m_capabilities = {};
    m_capabilities.mayKill = true;
    m_connection = std::make_unique<ServerConnection>();
    ServerProfile profile;
    profile.name = u"shop-db"_s;
    profile.url.user = u"ops"_s;
    profile.url.host = u"127.0.0.1"_s;
    profile.url.port = 9;
    m_connection->open(profile, {});
    m_connection->startOperatorMode();
}

void TestKillDialog::cleanup()
{
    m_connection.reset();
}

std::unique_ptr<KillDialog> TestKillDialog::open(const IncidentMaker &maker, const QList<quint64> &sessions)
{
    auto *flow = new KillFlow(m_connection.get(), sessions, maker.done(), m_capabilities);
    auto dialog = std::make_unique<KillDialog>(m_connection.get(), flow);
    dialog->show();
    return dialog;
}

void TestKillDialog::saysWhoGoesOnAndWhoDoesNot()
{
    const auto dialog = open(usual());
    const QString text = visibleText(dialog.get());
    for (const QString &part :
         {u"End connection 34 on shop-db (127.0.0.1:9)?"_s,
          u"app@a7:534 of mysqldump has done nothing for 3 min 2 s."_s,
          u"Its transaction has been open for 12 min and locks 120 rows."_s, u"UPDATE stock SET left_over = 3"_s,
          u"1 goes on at once: 56 (app@a7:556) for 45 s. Up to 1 later, if those before it commit: 57 "
          u"(app@a7:557) for 20 s. Together they have waited for 1 min 5 s."_s,
          u"1 stays blocked, because somebody else blocks it too: 60 (app@a7:560). Still blocking: 99."_s,
          u"Changed rows that are undone: 30, in less than a second"_s, u"This cannot be taken back."_s,
          u"Gives up: shop.stock PRIMARY (5)."_s})
        QVERIFY2(text.contains(part), qPrintable(part + u"\nis not in\n"_s + text));
    QCOMPARE(dialog->actButton()->text(), u"End connection 34 on shop-db (127.0.0.1:9)"_s);
}

void TestKillDialog::theWaitsAddUpWhileTheyRun()
{
    const auto dialog = open(usual());
    const KillFlow &flow = *dialog->flow();
    const QString text = KillText::goesOn(flow, flow.waits().clock.server + 10s);
    for (const QString &part : {u"556) for 55 s."_s, u"557) for 30 s. Together they have waited for 1 min 25 s."_s})
        QVERIFY2(text.contains(part), qPrintable(part + u"\nis not in\n"_s + text));
}

void TestKillDialog::theReasonHasTheFocusAndIsRequired()
{
    const auto dialog = open(usual());
    QVERIFY(QTest::qWaitForWindowActive(dialog.get()));
    QCOMPARE(dialog->focusWidget(), dialog->reasonEdit());
    QTest::keyClick(dialog->reasonEdit(), Qt::Key_Return);
    QVERIFY(dialog->isVisible());
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->reasonEdit()->setText(u"  "_s);
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(dialog->actButton()->isEnabled());
}

void TestKillDialog::returnInTheReasonEndsNothing()
{
    const auto dialog = open(usual());
    QVERIFY(QTest::qWaitForWindowActive(dialog.get()));
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->reasonEdit()->setFocus();
    QTest::keyClick(dialog->reasonEdit(), Qt::Key_Return);
    QCOMPARE(ordered.count(), 0);
}

/// As X11 may tell it: each repeat a release and a press at the same moment, and neither marked.
void TestKillDialog::aReturnThatIsHeldDownEndsNothing()
{
    const auto dialog = open(usual());
    QVERIFY(QTest::qWaitForWindowActive(dialog.get()));
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    const auto send = [&](QEvent::Type type, quint64 moment) {
        QKeyEvent event(type, Qt::Key_Return, Qt::NoModifier);
        event.setTimestamp(moment);
        QCoreApplication::sendEvent(dialog->focusWidget(), &event);
    };
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->reasonEdit()->setFocus();
    send(QEvent::KeyPress, 1000);
    QCOMPARE(dialog->focusWidget(), dialog->actButton());
    for (quint64 moment = 1660; moment < 2000; moment += 40) {
        send(QEvent::KeyRelease, moment);
        send(QEvent::KeyPress, moment);
    }
    QCOMPARE(ordered.count(), 0);
    send(QEvent::KeyRelease, 2010);
    send(QEvent::KeyPress, 2200);
    QCOMPARE(ordered.count(), 1);
}

void TestKillDialog::sendsWhatItShows()
{
    const auto dialog = open(usual());
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    dialog->reasonEdit()->setText(u" stuck since noon "_s);
    const auto *statement = dialog->findChild<QPlainTextEdit *>();
    QCOMPARE(statement->toPlainText(), u"KILL CONNECTION 34"_s); // what matters, and behind a button all of it
    const auto buttons = dialog->findChildren<QToolButton *>();
    const auto guard =
        std::find_if(buttons.cbegin(), buttons.cend(), [](const QToolButton *one) { return one->isCheckable(); });
    QVERIFY(guard != buttons.cend());
    (*guard)->click();
    const QString shown = statement->toPlainText();
    dialog->actButton()->click();
    QCOMPARE(ordered.count(), 1);
    const KillOrder order = orderIn(ordered);
    QCOMPARE(order.target.session, 34U);
    QCOMPARE(order.target.transaction, std::optional<quint64>(4711));
    QCOMPARE(int(order.kind), int(KillKind::Connection));
    QCOMPARE(order.reason, u"stuck since noon"_s);
    QCOMPARE(order.operatorName, AuditFile::operatorName());
    QCOMPARE(shown, QString::fromUtf8(killStatement(order, m_capabilities)));
    QCOMPARE(dialog->flow()->step(), Step::Acting);
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->flow()->act(); // once is enough
    QCOMPARE(ordered.count(), 1);
}

void TestKillDialog::anIdleSessionHasNoStatementToEnd()
{
    const auto dialog = open(usual());
    QVERIFY(!dialog->queryChoice()->isEnabled());
    QVERIFY(dialog->connectionChoice()->isChecked());
    QVERIFY(!dialog->flow()->canEndStatements());
    QVERIFY(visibleText(dialog.get()).contains(KillText::queryRefusal(*dialog->flow())));
    const auto both = open(usual(), {34, 56});
    QVERIFY(KillText::queryRefusal(*both->flow()).startsWith(u"Connection 34 runs nothing now"_s));
}

/// It would not ask for what is asked there.
void TestKillDialog::aServerThatIsFoundToBeProductionClosesIt()
{
    const auto dialog = open(usual());
    Q_EMIT m_connection->guardChanged(1);
    QVERIFY(dialog->isVisible()); // another one of the list
    Q_EMIT m_connection->guardChanged(0);
    QVERIFY(!dialog->isVisible());

    const auto sent = open(usual());
    sent->reasonEdit()->setText(u"stuck since noon"_s);
    sent->actButton()->click();
    QCOMPARE(sent->flow()->step(), Step::Acting);
    Q_EMIT m_connection->guardChanged(0);
    QVERIFY(sent->isVisible()); // and tells what becomes of it
}

void TestKillDialog::onlyTheStatementMayBeEnded()
{
    const auto dialog = open(usual(), {56});
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    QVERIFY(dialog->queryChoice()->isEnabled());
    dialog->queryChoice()->setChecked(true);
    dialog->reasonEdit()->setText(u"stuck"_s);
    QCOMPARE(dialog->actButton()->text(), u"End the statement of 56 on shop-db (127.0.0.1:9)"_s);
    const QString before = dialog->findChild<QPlainTextEdit *>()->toPlainText();
    QVERIFY2(before.contains(u"KILL QUERY"_s), qPrintable(before));
    dialog->actButton()->click();
    QCOMPARE(int(orderIn(ordered).kind), int(KillKind::Query));
    QCOMPARE(orderIn(ordered).target.statement, QByteArray("UPDATE stock SET left_over = 2 WHERE id = 5"));
}

void TestKillDialog::aStatementWhoseEndFreesNobodyIsNotOffered_data()
{
    QTest::addColumn<ServerLockKind>("kind");
    QTest::addColumn<bool>("isOwn");
    QTest::addColumn<bool>("isOffered");
    QTest::newRow("a name of GET_LOCK") << ServerLockKind::User << false << false;
    QTest::newRow("a name, in a transaction that the statement began") << ServerLockKind::User << true << false;
    QTest::newRow("a row of an open transaction") << ServerLockKind::Record << false << false;
    QTest::newRow("a row that the statement alone has locked") << ServerLockKind::Record << true << true;
}

/// KILL QUERY leaves a session its names, and a transaction its rows.
void TestKillDialog::aStatementWhoseEndFreesNobodyIsNotOffered()
{
    QFETCH(ServerLockKind, kind);
    QFETCH(bool, isOwn);
    QFETCH(bool, isOffered);
    IncidentMaker maker;
    maker.holder(34, 4711).waiter(56, {34}, 45s);
    ServerSession &holder = maker.session(34);
    holder.command = u"Query"_s;
    holder.statement = {Statement::Source::Running, "SELECT SLEEP(600)"};
    if (isOwn)
        holder.transaction->started = *holder.commandSince;
    ServerObject object = IncidentMaker::object();
    object.kind = kind;
    maker.waits().locks.first().object = object;
    maker.waits().edges.first().object = object;
    const auto dialog = open(maker);
    QCOMPARE(dialog->queryChoice()->isEnabled(), isOffered);
    const QString refusal = u"It keeps what the others wait for when only its statement ends: nobody would go on."_s;
    QCOMPARE(visibleText(dialog.get()).contains(refusal), !isOffered);
    dialog->flow()->setKind(KillKind::Query);
    QCOMPARE(KillText::loss(*dialog->flow()).contains(u"its transaction stays open"_s), !isOwn);
    QCOMPARE(KillText::staysBlocked(*dialog->flow()),
             isOffered ? QString() : u"1 stays blocked, because what it waits for is kept: 56 (app@a7:556)."_s);
    dialog->reasonEdit()->setText(u"stuck"_s);
    QCOMPARE(dialog->flow()->canAct(), isOffered);
}

void TestKillDialog::anotherTransactionHasToBeConfirmed()
{
    const auto dialog = open(usual());
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    dialog->reasonEdit()->setText(u"stuck"_s);
    look(dialog.get(), usual(4712));
    QCOMPARE(dialog->flow()->step(), Step::Changed);
    QVERIFY(!dialog->actButton()->isEnabled());
    QCOMPARE(dialog->actButton()->text(), u"Its work changed"_s);
    dialog->flow()->act();
    QCOMPARE(ordered.count(), 0);
    QVERIFY(dialog->retargetButton()->isVisible());
    look(dialog.get(), usual(4713)); // it goes on
    dialog->retargetButton()->click();
    QCOMPARE(dialog->flow()->step(), Step::Ready);
    dialog->actButton()->click();
    QCOMPARE(orderIn(ordered).target.transaction, std::optional<quint64>(4713));
}

void TestKillDialog::anotherStatementOfTheTransactionIsNoChange()
{
    const auto dialog = open(usual());
    IncidentMaker next = usual();
    next.session(34).command = u"Query"_s;
    next.session(34).statement = {Statement::Source::Running, "SELECT 1"};
    look(dialog.get(), next);
    QCOMPARE(dialog->flow()->step(), Step::Ready);
    dialog->queryChoice()->setChecked(true); // of which nothing ran when it was chosen
    QCOMPARE(dialog->flow()->step(), Step::Changed);
}

void TestKillDialog::followsEachLook()
{
    const auto dialog = open(usual());
    IncidentMaker next;
    next.holder(34, 4711, 31);
    look(dialog.get(), next);
    const QString text = visibleText(dialog.get());
    QVERIFY2(text.contains(u"Nobody goes on because of this."_s), qPrintable(text));
    QVERIFY2(text.contains(u"undone: 31"_s), qPrintable(text));
    QVERIFY(!text.contains(u"stays blocked"_s));
}

void TestKillDialog::aGoneTargetIsSuccess()
{
    const auto dialog = open(usual());
    dialog->reasonEdit()->setText(u"stuck"_s);
    look(dialog.get(), IncidentMaker());
    QCOMPARE(dialog->flow()->step(), Step::Nothing);
    QVERIFY(dialog->findChild<MessageBar *>()->text().contains(u"already ended"_s));
    QVERIFY(!dialog->actButton()->isVisible());
    QCOMPARE(dialog->cancelButton()->text(), u"Close"_s);
    IncidentMaker other = usual(); // another run of the server has another connection 34
    other.waits().identity = u"db1:3306 since 6"_s;
    look(dialog.get(), other);
    QCOMPARE(dialog->flow()->step(), Step::Nothing);
}

void TestKillDialog::anAnswerEndsIt_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<bool>("isAccepted");
    QTest::addColumn<QString>("message");
    using Outcome = KillReport::Outcome;
    QTest::newRow("ended") << int(Outcome::Ended) << true << QString();
    QTest::newRow("gone") << int(Outcome::AlreadyGone) << false << u"had already ended"_s;
    QTest::newRow("changed") << int(Outcome::TargetChanged) << false << u"no longer does the work"_s;
    QTest::newRow("refused") << int(Outcome::Refused) << false << u"was not ended. Not you."_s;
    QTest::newRow("failed") << int(Outcome::Failed) << false << u"was not ended. Not you."_s;
}

/// The server may have got it before the connection broke.
void TestKillDialog::whatBrokeOffIsNotKnown()
{
    const auto dialog = open(usual(), {34, 56});
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->flow()->setTypedName(m_connection->profile().nameToType());
    dialog->actButton()->click();
    KillReport report;
    report.statement = "KILL CONNECTION";
    report.error.emplace().kind = LockError::Kind::ConnectionLost;
    report.error->message = u"The connection was lost."_s;
    for (int i = 0; i < 2; ++i)
        dialog->flow()->onKilled(orderIn(ordered, i), report);
    const QString notKnown =
        u"It is not known whether connection 34 was ended; it may have been. The connection was lost."_s;
    QCOMPARE(dialog->findChild<MessageBar *>()->text(), notKnown);
    QVERIFY2(KillText::result(*dialog->flow()).endsWith(u"Not ended, or not known: 2. "_s + notKnown),
             qPrintable(KillText::result(*dialog->flow())));
    report.statement.clear();
    QVERIFY(KillText::result(orderIn(ordered), report).startsWith(u"Connection 34 was not ended."_s));
}

void TestKillDialog::whoGoesOnIsNotMadeUp()
{
    IncidentMaker next;
    next.holder(34, 4711, 31);
    next.waits().lost.append({56, ServerLockKind::Record, kNow});
    const QString nobody = visibleText(open(next).get());
    QVERIFY2(nobody.contains(u"It is not known who goes on: not every wait can be seen in full."_s)
                 && !nobody.contains(u"Nobody goes on"_s),
             qPrintable(nobody));
    IncidentMaker some = usual();
    SourceStatus &rows = some.waits().sources.emplace_back();
    rows.source = WaitSource::RowWaits;
    rows.state = SourceStatus::State::Failed;
    const QString text = visibleText(open(some).get());
    QVERIFY2(text.contains(u"1 goes on at once"_s) && text.contains(u"Others may go on too"_s), qPrintable(text));
}

void TestKillDialog::thatNobodyGoesOnIsAWarning()
{
    WaitForecast told;
    QCOMPARE(KillText::goesOnMark(told), Mark::Alarm);
    told.isWhole = false;
    QCOMPARE(KillText::goesOnMark(told), Mark::Unknown);
    told.later = {56};
    QCOMPARE(KillText::goesOnMark(told), Mark::Released);
    KillAftermath after;
    after.waiting = 2;
    QVERIFY(after.isInVain());
    after.wentOn = 1;
    QVERIFY(!after.isInVain());
}

void TestKillDialog::anAgeThatIsNotToldIsNotShown()
{
    IncidentMaker maker = usual();
    maker.session(34).commandSince.reset();
    const QString text = visibleText(open(maker).get());
    QVERIFY2(text.contains(u"app@a7:534 of mysqldump does nothing now."_s), qPrintable(text));
}

void TestKillDialog::anAnswerEndsIt()
{
    QFETCH(int, outcome);
    QFETCH(bool, isAccepted);
    QFETCH(QString, message);
    const auto dialog = open(usual());
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    const QSignalSpy accepted(dialog.get(), &QDialog::accepted);
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->actButton()->click();
    KillReport report;
    report.outcome = KillReport::Outcome(outcome);
    if (report.outcome == KillReport::Outcome::Failed || report.outcome == KillReport::Outcome::Refused) {
        report.error.emplace();
        report.error->message = u"Not you."_s;
    }
    KillOrder other = orderIn(ordered);
    other.target.session = 35;
    dialog->flow()->onKilled(other, report); // somebody else's answer
    QCOMPARE(dialog->flow()->step(), Step::Acting);
    dialog->flow()->onKilled(orderIn(ordered), report);
    QCOMPARE(accepted.count(), isAccepted ? 1 : 0);
    QVERIFY2(dialog->findChild<MessageBar *>()->text().contains(message),
             qPrintable(dialog->findChild<MessageBar *>()->text()));
    QVERIFY(!KillText::result(*dialog->flow()).isEmpty());
}

void TestKillDialog::countsTheRowsThatAreLeft()
{
    const auto dialog = open(usual(4711, 1'000'000));
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    const QSignalSpy accepted(dialog.get(), &QDialog::accepted);
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->actButton()->click();
    KillReport report;
    report.outcome = KillReport::Outcome::RollingBack;
    auto *progress = dialog->findChild<QProgressBar *>();
    QVERIFY(!progress->isVisible());
    int last = 0;
    for (const quint64 left : {900'000U, 400'000U, 100U}) {
        report.rowsLeft = left;
        dialog->flow()->onProgressed(orderIn(ordered), report);
        QCOMPARE(dialog->flow()->step(), Step::Undoing);
        QVERIFY(progress->isVisible());
        QVERIFY(progress->value() > last);
        last = progress->value();
    }
    QCOMPARE(progress->text(), u"100 rows left to undo"_s);
    look(dialog.get(), IncidentMaker()); // looks no longer matter
    QCOMPARE(dialog->flow()->step(), Step::Undoing);
    report.outcome = KillReport::Outcome::Ended;
    dialog->flow()->onKilled(orderIn(ordered), report);
    QCOMPARE(accepted.count(), 1);
}

void TestKillDialog::aFailureMayBeTriedAgain()
{
    const auto dialog = open(usual());
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->actButton()->click();
    KillReport report;
    report.error.emplace();
    report.error->message = u"The server went away."_s;
    dialog->flow()->onKilled(orderIn(ordered), report);
    look(dialog.get(), usual());
    QVERIFY(dialog->findChild<MessageBar *>()->text().contains(u"went away"_s));
    QVERIFY(dialog->actButton()->isEnabled());
    dialog->actButton()->click();
    QCOMPARE(ordered.count(), 2);
}

void TestKillDialog::protectedSessionsAreRefused()
{
    IncidentMaker maker = usual();
    maker.session(34).protection = Protection::Replication;
    const auto dialog = open(maker);
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(!dialog->actButton()->isVisible());
    QVERIFY(!dialog->flow()->canAct());
    QVERIFY(dialog->findChild<MessageBar *>()->text().contains(WaitText::whyProtected(Protection::Replication)));
}

void TestKillDialog::aReadOnlyServerEndsNothing()
{
    m_connection->endOperatorMode();
    const auto dialog = open(usual());
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(!dialog->actButton()->isEnabled());
    dialog->flow()->act();
    QCOMPARE(ordered.count(), 0);
    QVERIFY(dialog->findChild<MessageBar *>()->text().contains(u"read-only"_s));
    m_connection->startOperatorMode();
    QVERIFY(dialog->actButton()->isEnabled());
}

void TestKillDialog::operatorModeEndsByItself()
{
    QCOMPARE(ServerConnection::OperatorTime, 15min);
    m_connection->setOperatorTime(20ms);
    m_connection->startOperatorMode();
    const auto dialog = open(usual());
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    const QSignalSpy killed(m_connection.get(), &ServerConnection::killed);
    dialog->reasonEdit()->setText(u"stuck"_s);
    QSignalSpy changed(m_connection.get(), &ServerConnection::modeChanged);
    QVERIFY(!m_connection->isOperator() || changed.wait());
    QVERIFY(!m_connection->isOperator());
    QVERIFY(!dialog->actButton()->isEnabled());
    QVERIFY(dialog->findChild<MessageBar *>()->text().contains(u"read-only"_s));
    dialog->flow()->act();
    QCOMPARE(ordered.count(), 0);
    m_connection->kill({}); // whoever asks
    QCOMPARE(killed.count(), 1);
    QCOMPARE(int(killed[0][1].value<KillReport>().outcome), int(KillReport::Outcome::Refused));
}

void TestKillDialog::severalWantTheServersName()
{
    const auto single = open(usual());
    QVERIFY(!single->nameEdit()->isVisible());
    const auto dialog = open(usual(), {34, 56});
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(dialog->nameEdit()->isVisible());
    QVERIFY(!dialog->actButton()->isEnabled());
    const auto labels = dialog->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) { // also while something is typed
        return label->isVisible() && label->text() == u"Type 127.0.0.1:9 to confirm"_s;
    }));
    for (const QString &another : {u"shop"_s, u"shop-db"_s, u"127.0.0.1"_s, u"127.0.0.1:3306"_s}) {
        dialog->nameEdit()->setText(another);
        QVERIFY2(!dialog->actButton()->isEnabled(), qPrintable(another));
    }
    for (const QString &it : {u"127.0.0.1:9"_s, u"shop-db (127.0.0.1:9)"_s}) {
        dialog->nameEdit()->setText(it);
        QVERIFY2(dialog->actButton()->isEnabled(), qPrintable(it));
    }
    QCOMPARE(dialog->actButton()->text(), u"End 2 connections on shop-db (127.0.0.1:9)"_s);
}

void TestKillDialog::severalAreEndedOneAfterTheOther()
{
    const auto dialog = open(usual(), {34, 56, 57});
    const QSignalSpy ordered(dialog->flow(), &KillFlow::ordered);
    const QSignalSpy accepted(dialog.get(), &QDialog::accepted);
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->nameEdit()->setText(u"127.0.0.1:9"_s);
    dialog->actButton()->click();
    QCOMPARE(ordered.count(), 1);
    KillReport report;
    report.outcome = KillReport::Outcome::RollingBack;
    dialog->flow()->onProgressed(orderIn(ordered), report);
    QCOMPARE(ordered.count(), 2); // its undoing is not waited for
    report.outcome = KillReport::Outcome::AlreadyGone;
    dialog->flow()->onKilled(orderIn(ordered, 1), report);
    QCOMPARE(ordered.count(), 3);
    report.outcome = KillReport::Outcome::Ended;
    dialog->flow()->onKilled(orderIn(ordered, 2), report);
    QCOMPARE(dialog->flow()->step(), Step::Undoing);
    dialog->flow()->onKilled(orderIn(ordered, 0), report);
    QCOMPARE(accepted.count(), 1);
    QCOMPARE(KillText::result(*dialog->flow()), u"3 connections have ended, according to the server."_s);
}

void TestKillDialog::whoWaitsForTwoOfThemGoesOn()
{
    IncidentMaker maker;
    maker.holder(34, 1).holder(35, 2).waiter(60, {34, 35}, 5s).waiter(61, {35, 99}, 5s);
    const auto dialog = open(maker, {34, 35});
    const KillSum sum = dialog->flow()->sum();
    QCOMPARE(sum.forecast.atOnce, QList<quint64>{60});
    QCOMPARE(sum.forecast.stay, QList<quint64>{61});
}

void TestKillDialog::whoIsFreedTwiceIsToldOnce()
{
    IncidentMaker maker;
    maker.holder(34, 1).waiter(56, {34}, 45s).waiter(57, {56}, 20s);
    const auto dialog = open(maker, {34, 56});
    const KillSum sum = dialog->flow()->sum();
    QCOMPARE(sum.forecast.goesOn(), QList<quint64>{57});
    QCOMPARE(sum.forecast.waited, Microseconds(20s));
}

void TestKillDialog::aNameOnAButtonIsNoShortcut()
{
    ServerProfile profile = m_connection->profile();
    profile.name = u"R&D"_s;
    m_connection->open(profile, {});
    QCOMPARE(open(usual())->actButton()->text(), u"End connection 34 on R&&D (127.0.0.1:9)"_s);
}

void TestKillDialog::aKnownProgramIsNamedWithItsLock()
{
    IncidentMaker maker = usual();
    ServerObject object;
    object.kind = ServerLockKind::User;
    object.name = "prisma_migrate";
    maker.waits().locks = {{object, u"EXCLUSIVE"_s, true, 34, {}}};
    const QString text = visibleText(open(maker).get());
    QVERIFY2(text.contains(u"Gives up: prisma_migrate (Prisma Migrate)."_s), qPrintable(text));
}

void TestKillDialog::whatTheServerIsComesBeforeTheReason_data()
{
    QTest::addColumn<bool>("isReplica");
    QTest::addColumn<bool>("isReadOnly");
    QTest::addColumn<bool>("mayKill");
    QTest::addColumn<QByteArray>("procedure");
    QTest::addColumn<QString>("hint");
    QTest::newRow("a usual server") << false << false << true << QByteArray() << QString();
    QTest::newRow("a replica") << true << true << true << QByteArray() << u"This server is a replica"_s;
    QTest::newRow("read-only") << false << true << true << QByteArray() << u"This server is read-only"_s;
    QTest::newRow("no right") << false << false << false << QByteArray() << u"CONNECTION ADMIN"_s;
    QTest::newRow("hosted") << false << false << false << QByteArray("rds_kill") << u"mysql.rds_kill"_s;
}

void TestKillDialog::whatTheServerIsComesBeforeTheReason()
{
    QFETCH(bool, isReplica);
    QFETCH(bool, isReadOnly);
    QFETCH(bool, mayKill);
    QFETCH(QByteArray, procedure);
    QFETCH(QString, hint);
    m_capabilities.isReplica = isReplica;
    m_capabilities.isReadOnly = isReadOnly;
    m_capabilities.mayKill = mayKill;
    m_capabilities.killProcedure = procedure;
    const auto dialog = open(usual());
    const QString text = visibleText(dialog.get());
    for (const QString &part : {u"replica"_s, u"read-only"_s, u"CONNECTION ADMIN"_s, u"rds_kill"_s})
        QVERIFY2(text.contains(part) == hint.contains(part), qPrintable(part + u'\n' + text));
    QVERIFY2(text.contains(hint), qPrintable(text));
    dialog->reasonEdit()->setText(u"stuck"_s); // a hint refuses nothing
    QVERIFY(dialog->actButton()->isEnabled());
}

void TestKillDialog::aProductionServerIsNamed()
{
    QVERIFY(!visibleText(open(usual()).get()).contains(u"production"_s));
    ServerProfile profile = m_connection->profile();
    profile.isProduction = true;
    m_connection->open(profile, {});
    QVERIFY(visibleText(open(usual()).get()).contains(u"This is a production server."_s));
}

void TestKillDialog::anotherServerClosesIt()
{
    const auto dialog = open(usual());
    m_connection->open(m_connection->profile(), {});
    QVERIFY(!dialog->isVisible());
}

QTEST_MAIN(TestKillDialog)
#include "tst_killdialog.moc"
