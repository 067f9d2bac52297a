// SPDX-License-Identifier: MIT
// What is selected on the waits page, wherever it moves, and which sessions are ended because of it.
#include "strict.h"
#include "ui/actions/killcontroller.h"
#include "ui/actions/killdialog.h"
#include "ui/actions/killflow.h"
#include "ui/pages/waits/waitgraphview.h"
#include "ui/pages/waits/waitinspector.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/pages/waits/waittreemodel.h"
#include "ui/widgets/livetreeview.h"
#include "visibletext.h"
#include "waitsmaker.h"
#include "windowtest.h"

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

} // namespace

class TestWaitSelection : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void aGoneSessionStaysInTheInspector();
    void whatJustEndedIsShownAsLastSeen();
    void whatEndedLastIsShownAsLastSeen();
    void nothingSelectedScrollsNothing();
    void severalThatAreFoldedAreCounted();
    void theLongestWaitIsNamedFirst();
    void whoComesBackMovesNothing();
    void whoIsNotThereLeavesNobodySelected();
    void anotherRunOfTheServerHasNobodySelected();
    void askedForInANarrowWindowTheInspectorIsShown();
    void selectingIsStrongerThanTheFilter();
    void moreOpensOnActivation();
    void treeAndGraphShareTheSelection();
    void aSessionIsEndedByOperatorsOnly();
    void aProtectedSessionIsNotEnded();
    void severalSessionsAreEndedAtOnce();
    void whoLeftTheListIsNotEnded();
    void aLargeSelectionTakesNobodyIn();
    void aMoreRowIsNoneOfThem();
    void aProtectedOneDoesNotKeepTheOthersFromEnding();
    void nothingSelectedIsNothingToEnd();
    void theGraphEndsTheOneThatItMarks();

private:
    /// What the page asks to end when Del is pressed in the list.
    QList<quint64> askedByDelete();
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
    void update(const WaitsMaker &maker) { Q_EMIT m_connection->feed<WaitsFeed>()->updated(maker.done(), {}); }

    WaitsPage *m_page = nullptr;
};

void TestWaitSelection::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    openSilentServer();
    m_page = m_window->waitsPage();
    m_window->show();
    m_window->showPage(1);
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestWaitSelection::press(Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    m_page->view()->setFocus();
    QTest::keyClick(m_page->view(), key, modifiers);
}

QList<quint64> TestWaitSelection::askedByDelete()
{
    QSignalSpy wanted(m_page, &WaitsPage::killRequested);
    press(Qt::Key_Delete);
    return wanted.isEmpty() ? QList<quint64>() : wanted.first().first().value<QList<quint64>>();
}

void TestWaitSelection::aGoneSessionStaysInTheInspector()
{
    m_connection->startOperatorMode();
    WaitsMaker before;
    before.queue(1, 2, 3);
    update(before);
    m_page->select(1);
    QVERIFY(m_page->endAction()->isEnabled());
    WaitsMaker after;
    after.queue(2, 3, 2);
    update(after);
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(1));
    QVERIFY(m_page->inspector()->isGone());
    QVERIFY(!m_page->endAction()->isEnabled());
    QVERIFY(visibleText(m_page->inspector()).contains(u"It neither waits nor blocks any more."_s));
    QVERIFY(visibleText(m_page->inspector()).contains(u"app1@web-1"_s));
    update(before);
    QVERIFY(!m_page->inspector()->isGone());
    QCOMPARE(m_page->model()->keyAt(m_page->view()->currentIndex()).id, 1ULL);
}

/// The list of sessions may be younger than that of waits.
void TestWaitSelection::whatJustEndedIsShownAsLastSeen()
{
    WaitsMaker maker;
    maker.queue(1, 2, 2);
    update(maker);
    m_page->select(1);
    maker.waits().sessions.remove(1);
    update(maker);
    QVERIFY(m_page->inspector()->isGone());
    QVERIFY(visibleText(m_page->inspector()).contains(u"app1@web-1"_s));
}

/// Several that ended together may leave no other session behind.
void TestWaitSelection::whatEndedLastIsShownAsLastSeen()
{
    WaitsMaker maker;
    maker.queue(1, 2, 2);
    update(maker);
    m_page->select(1);
    maker.waits().sessions.clear();
    update(maker);
    QVERIFY(m_page->inspector()->isGone());
    QVERIFY(visibleText(m_page->inspector()).contains(u"app1@web-1"_s));
}

void TestWaitSelection::nothingSelectedScrollsNothing()
{
    update({});
    m_window->resize(1280, 500);
    const auto bars = m_page->inspector()->findChildren<QScrollBar *>();
    QVERIFY(std::none_of(bars.cbegin(), bars.cend(), [](const QScrollBar *bar) { return bar->isVisible(); }));
}

void TestWaitSelection::severalThatAreFoldedAreCounted()
{
    WaitsMaker maker;
    maker.pool(1, 10, 5);
    update(maker);
    QVERIFY(visibleText(m_page->inspector()).contains(u"No session selected"_s));
    m_page->view()->setCurrentIndex(m_page->model()->index(0, 0, m_page->model()->index(0, 0)));
    QVERIFY(visibleText(m_page->inspector()).contains(u"5 sessions selected"_s));
    const QPushButton *end = m_page->inspector()->findChildren<QPushButton *>().last();
    QVERIFY(end->isVisible());
    QCOMPARE(end->text(), u"End 5 sessions…"_s);
    m_page->select(1);
    QVERIFY(visibleText(m_page->inspector()).contains(u"Session 1"_s));
}

void TestWaitSelection::theLongestWaitIsNamedFirst()
{
    WaitsMaker maker;
    maker.wait(4, 1, "6", std::chrono::seconds(10));
    maker.wait(3, 1, "5", std::chrono::seconds(30));
    update(maker);
    m_page->select(1);
    const QString text = visibleText(m_page->inspector());
    QVERIFY2(text.indexOf(u"3 · app3"_s) < text.indexOf(u"4 · app4"_s), qPrintable(text));
}

void TestWaitSelection::whoComesBackMovesNothing()
{
    const auto queue = [](quint64 first, int count) {
        WaitsMaker maker;
        maker.queue(1, first, count);
        return maker;
    };
    update(queue(100, 40));
    m_page->select(139);
    update(queue(100, 39));
    QVERIFY(m_page->inspector()->isGone());
    m_page->view()->verticalScrollBar()->setValue(0);
    update(queue(100, 40));
    QCOMPARE(m_page->model()->keyAt(m_page->view()->currentIndex()).id, 139ULL);
    QCOMPARE(m_page->view()->verticalScrollBar()->value(), 0);
    update(queue(100, 39));
    update(queue(80, 60)); // it is behind "+10 more" now
    QCOMPARE(m_page->model()->rowCount(m_page->model()->index(0, 0)), 51);
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(139));
    QVERIFY(!m_page->inspector()->isGone());
}

void TestWaitSelection::whoIsNotThereLeavesNobodySelected()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    update(maker);
    m_page->select(1);
    m_page->select(99);
    QVERIFY(!m_page->inspector()->session());
    QVERIFY(!m_page->view()->selectionModel()->hasSelection());
}

/// It gives the same numbers to others.
void TestWaitSelection::anotherRunOfTheServerHasNobodySelected()
{
    WaitsMaker maker;
    maker.waits().identity = u"db1:3306@1000"_s;
    maker.wait(2, 1);
    update(maker);
    m_page->select(1);
    maker.waits().identity = u"db1:3306@1001"_s; // its start is known to a second or two only
    update(maker);
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(1));
    maker.waits().identity = u"db1:3306@9000"_s;
    update(maker);
    QVERIFY(!m_page->inspector()->session());
    QVERIFY(!m_page->view()->selectionModel()->hasSelection());
}

void TestWaitSelection::askedForInANarrowWindowTheInspectorIsShown()
{
    QVERIFY(m_page->inspector()->isVisible());
    m_window->resize(700, 600);
    QTRY_VERIFY(!m_page->inspector()->isVisible());
    QVERIFY(m_page->inspectorAction()->isChecked()); // where there is room it is wanted
    m_page->inspectorAction()->trigger();
    QVERIFY(m_page->inspector()->isVisible());
    QVERIFY(m_page->inspectorAction()->isChecked());
}

void TestWaitSelection::selectingIsStrongerThanTheFilter()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    maker.wait(4, 3);
    update(maker);
    m_page->focusFilter();
    QTest::keyClicks(m_page->focusWidget(), u"app4"_s);
    m_page->select(4);
    QCOMPARE(m_page->model()->rowCount(), 1); // it is shown: the filter may stay
    m_page->select(1);
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(1));
    QCOMPARE(m_page->model()->rowCount(), 2);
}

void TestWaitSelection::moreOpensOnActivation()
{
    WaitsMaker maker;
    maker.queue(1, 100, 60);
    update(maker);
    const QModelIndex root = m_page->model()->index(0, 0);
    m_page->view()->setCurrentIndex(m_page->model()->index(50, 0, root));
    QVERIFY(!m_page->inspector()->session()); // it is no session
    m_page->view()->setFocus();
    QTest::keyClick(m_page->view(), Qt::Key_Return);
    QCOMPARE(m_page->model()->rowCount(m_page->model()->index(0, 0)), 60);
}

void TestWaitSelection::treeAndGraphShareTheSelection()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_page->select(2);
    QTest::keyClick(m_page->view(), Qt::Key_G, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(m_page->graph()->hasPicture(), kPatience);
    QVERIFY(m_page->graph()->isVisible());
    QCOMPARE(m_page->graph()->selected(), std::optional<quint64>(2));
    const QPointF place = m_page->graph()->boxRect({WaitKey::Kind::Session, 1}).center();
    QTest::mouseClick(m_page->graph()->viewport(), Qt::LeftButton, {}, m_page->graph()->mapFromScene(place));
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(1));
    m_page->graphAction()->trigger();
    QVERIFY(m_page->view()->isVisible());
    QCOMPARE(m_page->model()->keyAt(m_page->view()->currentIndex()).id, 1ULL);
}

void TestWaitSelection::aSessionIsEndedByOperatorsOnly()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_page->select(1);
    QVERIFY(!m_page->endAction()->isEnabled());
    QVERIFY(m_page->endAction()->toolTip().contains(u"read-only"_s));
    QSignalSpy wanted(m_page, &WaitsPage::killRequested);
    m_page->view()->setFocus();
    QTest::keyClick(m_page->view(), Qt::Key_Delete);
    QVERIFY(wanted.isEmpty());
    m_connection->startOperatorMode();
    QVERIFY(m_page->endAction()->isEnabled());
    QTest::keyClick(m_page->view(), Qt::Key_Delete);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().first().value<QList<quint64>>(), QList<quint64>{1});
    QCOMPARE(m_page->endAction()->iconText(), u"End session 1…"_s);
    Q_EMIT m_connection->feed<WaitsFeed>()->failed({});
    QVERIFY(!m_page->endAction()->isEnabled());
}

void TestWaitSelection::aProtectedSessionIsNotEnded()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    maker.session(1).protection = Protection::Replication;
    update(maker);
    m_connection->startOperatorMode();
    m_page->select(1);
    QVERIFY(!m_page->endAction()->isEnabled());
    QVERIFY(m_page->endAction()->toolTip().contains(u"replicates"_s));
}

void TestWaitSelection::severalSessionsAreEndedAtOnce()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_connection->startOperatorMode();
    m_page->select(1);
    press(Qt::Key_Down, Qt::ShiftModifier);
    press(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(m_page->inspector()->session(), std::optional<quint64>(3));
    QCOMPARE(m_page->endAction()->iconText(), u"End 3 sessions…"_s);
    const auto click = [this](quint64 id) {
        const QModelIndex index = m_page->model()->indexOf({WaitKey::Kind::Session, id});
        QTest::mouseClick(m_page->view()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          m_page->view()->visualRect(index).center());
    };
    click(4);
    click(2);
    QCOMPARE(m_page->endAction()->iconText(), u"End 3 sessions…"_s);
    QVERIFY(m_page->inspector()->session() != std::optional<quint64>(2)); // it is not selected any more
    QCOMPARE(askedByDelete(), (QList<quint64>{1, 3, 4}));
    const KillDialog *dialog = m_window->killController()->dialog();
    QVERIFY(dialog);
    QCOMPARE(dialog->flow()->parts().size(), 3);
    QVERIFY(dialog->nameEdit()->isVisible());
}

void TestWaitSelection::whoLeftTheListIsNotEnded()
{
    m_connection->startOperatorMode();
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_page->select(1);
    for (int i = 0; i < 3; ++i)
        press(Qt::Key_Down, Qt::ShiftModifier);
    WaitsMaker after;
    after.wait(2, 1);
    after.wait(9, 1);
    update(after);
    QCOMPARE(m_page->endAction()->iconText(), u"End 2 sessions…"_s);
    QCOMPARE(askedByDelete(), (QList<quint64>{1, 2}));
}

void TestWaitSelection::aLargeSelectionTakesNobodyIn()
{
    m_connection->startOperatorMode();
    WaitsMaker maker;
    for (quint64 waiter = 100; waiter < 300; ++waiter)
        maker.wait(waiter, 1, "5", std::chrono::seconds(30));
    update(maker);
    m_page->select(299);
    m_page->select(100);
    QTest::keyClick(m_page->view(), Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(m_page->endAction()->iconText(), u"End 200 sessions…"_s);
    maker.wait(99, 1, "5", std::chrono::minutes(5)); // comes before all of them
    update(maker);
    QCOMPARE(m_page->endAction()->iconText(), u"End 200 sessions…"_s);
    const QList<quint64> asked = askedByDelete();
    QVERIFY(!asked.contains(99));
    QVERIFY(asked.contains(299));
}

void TestWaitSelection::aMoreRowIsNoneOfThem()
{
    m_connection->startOperatorMode();
    WaitsMaker maker;
    maker.queue(1, 100, 60);
    update(maker);
    m_page->select(148);
    press(Qt::Key_Down, Qt::ShiftModifier);
    press(Qt::Key_Down, Qt::ShiftModifier); // onto "+10 more"
    QCOMPARE(m_page->endAction()->iconText(), u"End 2 sessions…"_s);
    QCOMPARE(askedByDelete(), (QList<quint64>{148, 149}));
}

void TestWaitSelection::aProtectedOneDoesNotKeepTheOthersFromEnding()
{
    WaitsMaker maker;
    maker.queue(1, 2, 2);
    maker.session(1).protection = Protection::Replication;
    update(maker);
    m_page->select(1);
    press(Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(m_page->endAction()->toolTip().contains(u"read-only"_s));
    m_connection->startOperatorMode();
    QVERIFY(m_page->endAction()->isEnabled());
    QCOMPARE(askedByDelete(), (QList<quint64>{1, 2})); // the dialog says of which it is refused
}

void TestWaitSelection::nothingSelectedIsNothingToEnd()
{
    m_connection->startOperatorMode();
    WaitsMaker maker;
    maker.wait(2, 1);
    maker.wait(5, 6, "a");
    maker.wait(6, 5, "b");
    update(maker);
    m_page->select(1);
    QVERIFY(m_page->endAction()->isEnabled());
    const QModelIndex ring = m_page->model()->indexOf({WaitKey::Kind::Ring, 5});
    QVERIFY(ring.isValid());
    m_page->view()->setCurrentIndex(ring); // no session
    QVERIFY(!m_page->endAction()->isEnabled());
    m_page->select(1);
    QTest::mouseClick(m_page->view()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                      m_page->view()->visualRect(m_page->view()->currentIndex()).center());
    QVERIFY(!m_page->endAction()->isEnabled());
    QVERIFY(!m_page->inspector()->session());
}

void TestWaitSelection::theGraphEndsTheOneThatItMarks()
{
    m_connection->startOperatorMode();
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    update(maker);
    m_page->select(1);
    press(Qt::Key_Down, Qt::ShiftModifier);
    m_page->graphAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(m_page->graph()->isVisible(), kPatience);
    QCOMPARE(m_page->graph()->selected(), std::optional<quint64>(2));
    QCOMPARE(m_page->endAction()->iconText(), u"End session 2…"_s);
    QCOMPARE(m_page->endAction()->text(), u"&End session 2…"_s); // in a menu too it says whom
    m_page->graphAction()->trigger();
    QCOMPARE(m_page->endAction()->iconText(), u"End 2 sessions…"_s);
}

QTEST_MAIN(TestWaitSelection)
#include "tst_waitselection.moc"
