// SPDX-License-Identifier: MIT
// Nothing moves under the mouse, and every key does what it is meant for or says why not.
#include "incidentmaker.h"
#include "strict.h"
#include "ui/actions/killcontroller.h"
#include "ui/actions/killdialog.h"
#include "ui/alarms/alarmbar.h"
#include "ui/pages/deadlocks/deadlockinspector.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/events/eventspage.h"
#include "ui/pages/latency/latencypage.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/waits/waitinspector.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/focusring.h"
#include "ui/widgets/inspectorparts.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/livetreeview.h"
#include "ui/widgets/messagebar.h"
#include "windowtest.h"

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestKeysAndMouse : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void aMessageMovesNoRow_data();
    void aMessageMovesNoRow();
    void aBarThatComesMovesNoButton_data();
    void aBarThatComesMovesNoButton();
    void noTwoShareAShortcut();
    void deleteSaysWhyNot_data();
    void deleteSaysWhyNot();
    void whatIsSelectedNeedsNoMoreSelecting_data();
    void whatIsSelectedNeedsNoMoreSelecting();
    void anEmptyInspectorTakesNoFocus_data();
    void anEmptyInspectorTakesNoFocus();
    void returnGoesFromFieldToFieldAndToTheButton();
    void whoeverUsesTheKeysSeesWhereTheyGo();
    void theRingIsWhereTheKeysCanGoNowhereElse();
    void theRingIsAroundWhatCanBeSeen();
    void whatIsShownIsSavedFromATextFieldToo();

private:
    void listLocks(int count, const QString &filter = {});
    /// The bar that has this text.
    MessageBar *barSaying(const QString &text) const;
    /// Of a page itself, not of the window.
    QList<MessageBar *> pageBars(const QWidget *page) const;
};

void TestKeysAndMouse::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    openSilentServer();
    m_window->resize(1280, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestKeysAndMouse::listLocks(int count, const QString &filter)
{
    LockView view;
    view.filter = filter;
    LockSnapshot snapshot;
    for (int i = 0; i < count; ++i) {
        LockRow row;
        row.key.resource = QByteArray::number(100'000 + i);
        row.state = LockState::Held;
        snapshot.rows.append(row);
        snapshot.counts.add(row.state);
    }
    LockListBuilder builder;
    const auto update = builder.build(snapshot, view, std::chrono::steady_clock::now());
    Q_EMIT m_connection->feed<Monitor>()->listUpdated(std::make_shared<LockListUpdate>(update));
}

MessageBar *TestKeysAndMouse::barSaying(const QString &text) const
{
    for (MessageBar *bar : m_window->findChildren<MessageBar *>()) {
        if (bar->isVisible() && bar->text().contains(text))
            return bar;
    }
    return nullptr;
}

QList<MessageBar *> TestKeysAndMouse::pageBars(const QWidget *page) const
{
    QList<MessageBar *> bars = page->findChildren<MessageBar *>();
    bars.removeOne(m_window->alarmBar());
    bars.removeOne(m_window->messageBar());
    return bars;
}

void TestKeysAndMouse::aMessageMovesNoRow_data()
{
    QTest::addColumn<int>("page");
    const QStringList names{u"locks"_s, u"waits"_s, u"deadlocks"_s, u"latency"_s, u"lab"_s, u"events"_s};
    for (int page = 0; page < names.size(); ++page)
        QTest::addRow("%s", qPrintable(names[page])) << page;
}

void TestKeysAndMouse::aMessageMovesNoRow()
{
    QFETCH(int, page);
    m_window->showPage(page);
    listLocks(200);
    QWidget *shown = nullptr;
    for (Page *one : m_window->findChildren<Page *>()) {
        if (one->isVisible())
            shown = one;
    }
    QHash<QWidget *, QPoint> places; // of all that stands on the page
    const auto isOfBar = [](QWidget *widget) {
        for (; widget; widget = widget->parentWidget()) {
            if (qobject_cast<MessageBar *>(widget) || qobject_cast<FocusRing *>(widget))
                return true;
        }
        return false;
    };
    QScrollBar *bar = m_window->locksPage()->view()->verticalScrollBar();
    m_window->locksPage()->view()->selectRow(1);
    bar->setValue(500);
    for (const Inspector *inspector : shown->findChildren<Inspector *>()) {
        for (QPushButton *button : inspector->findChildren<QPushButton *>())
            places.insert(button, button->mapTo(m_window.get(), QPoint()));
    }
    for (QWidget *widget : shown->findChildren<QWidget *>()) {
        if (widget->isVisible() && !isOfBar(widget) && qobject_cast<QAbstractItemView *>(widget))
            places.insert(widget, widget->mapTo(m_window.get(), QPoint()));
    }
    for (QWidget *filter : shown->findChildren<FilterEdit *>())
        places.insert(filter, filter->mapTo(m_window.get(), QPoint()));
    const int scrolled = bar->value();
    Q_EMIT m_window->locksPage()->refused(u"why not"_s);
    m_window->alarmBar()->show(MessageBar::Level::Warning, u"1 lock has been held for longer than 1 h: a."_s);
    for (MessageBar *own : pageBars(shown))
        own->show(MessageBar::Level::Error, u"The server does not answer."_s, u"Lost connection (2013)"_s);
    QCoreApplication::processEvents();
    QVERIFY(barSaying(u"why not"_s) && barSaying(u"1 lock"_s));
    for (auto it = places.cbegin(); it != places.cend(); ++it)
        QCOMPARE(it.key()->mapTo(m_window.get(), QPoint()), it.value());
    QCOMPARE(bar->value(), scrolled);
}

void TestKeysAndMouse::aBarThatComesMovesNoButton_data()
{
    QTest::addColumn<bool>("isPageFirst");
    QTest::addColumn<bool>("isAlarmFirst");
    QTest::newRow("page, alarm, message") << true << true;
    QTest::newRow("page, message, alarm") << true << false;
    QTest::newRow("alarm, message, page") << false << true;
    QTest::newRow("message, alarm, page") << false << false;
}

/// Somebody may be about to click it.
void TestKeysAndMouse::aBarThatComesMovesNoButton()
{
    QFETCH(bool, isPageFirst);
    QFETCH(bool, isAlarmFirst);
    m_window->showPage(2);
    m_window->showPage(0);
    QWidget *page = m_window->locksPage();
    const QString filter = u"nobody"_s; // hides all: a button clears it
    m_window->locksPage()->findChild<QLineEdit *>()->setText(filter);
    Q_EMIT m_connection->feed<Monitor>()->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    listLocks(3, filter);
    QList<MessageBar *> bars{m_window->alarmBar(), m_window->messageBar()};
    if (!isAlarmFirst)
        bars.swapItemsAt(0, 1);
    bars = isPageFirst ? pageBars(page) + bars : bars + pageBars(page);
    QCOMPARE(bars.size(), 4);
    QAction action(u"Do it"_s);
    QHash<QWidget *, QPoint> places;
    QPushButton *clear = m_window->locksPage()->findChild<EmptyState *>()->findChild<QPushButton *>();
    QTRY_VERIFY_WITH_TIMEOUT(clear->isVisible(), 30'000);
    QCoreApplication::processEvents();
    places.insert(clear, clear->mapTo(m_window.get(), QPoint()));
    for (MessageBar *bar : std::as_const(bars)) {
        bar->show(MessageBar::Level::Error, u"The server does not answer."_s, u"Lost connection (2013)"_s);
        bar->addAction(&action);
        QCoreApplication::processEvents();
        for (auto it = places.cbegin(); it != places.cend(); ++it)
            QCOMPARE(it.key()->mapTo(m_window.get(), QPoint()), it.value());
        for (QToolButton *button : bar->findChildren<QToolButton *>()) {
            QVERIFY(button->isVisible());
            places.insert(button, button->mapTo(m_window.get(), QPoint()));
        }
    }
    QCOMPARE(places.size(), 9);
}

void TestKeysAndMouse::noTwoShareAShortcut()
{
    QHash<QKeySequence, QString> taken;
    for (const QAction *menu : m_window->menuBar()->actions()) {
        for (const QAction *action : menu->menu()->actions()) {
            if (action->shortcutContext() == Qt::WidgetShortcut)
                continue; // of one list or another
            for (const QKeySequence &keys : action->shortcuts()) {
                QVERIFY2(!taken.contains(keys),
                         qPrintable(action->text() + u" and "_s + taken[keys] + u": "_s + keys.toString()));
                taken.insert(keys, action->text());
            }
        }
    }
    QVERIFY(taken.contains(QKeySequence(Qt::CTRL | Qt::Key_N)));
}

void TestKeysAndMouse::deleteSaysWhyNot_data()
{
    QTest::addColumn<int>("page");
    QTest::addColumn<bool>("isOperator");
    QTest::addColumn<bool>("isSelected");
    QTest::addColumn<QString>("why");
    QTest::newRow("a lock, read-only") << 0 << false << true << u"read-only"_s;
    QTest::newRow("no lock") << 0 << true << false << u"Select a lock"_s;
    QTest::newRow("a session, read-only") << 1 << false << true << u"read-only"_s;
    QTest::newRow("no session") << 1 << true << false << u"Select"_s;
}

void TestKeysAndMouse::deleteSaysWhyNot()
{
    QFETCH(int, page);
    QFETCH(bool, isOperator);
    QFETCH(bool, isSelected);
    QFETCH(QString, why);
    if (isOperator)
        m_connection->startOperatorMode();
    m_window->showPage(page);
    Q_EMIT m_connection->feed<Monitor>()->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    listLocks(3);
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(usual().done(), {});
    if (isSelected) {
        m_window->locksPage()->view()->selectRow(1);
        m_window->waitsPage()->select(34);
    }
    QWidget *list = page == 0 ? static_cast<QWidget *>(m_window->locksPage()->view()) : m_window->waitsPage()->view();
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    const MessageBar *bar = barSaying(why);
    QVERIFY(bar);
    QList<QToolButton *> buttons = bar->findChildren<QToolButton *>();
    buttons.removeIf([](const QToolButton *button) { return !button->defaultAction(); });
    QCOMPARE(buttons.size(), isOperator ? 0 : 1); // what would allow it
}

void TestKeysAndMouse::whatIsSelectedNeedsNoMoreSelecting_data()
{
    QTest::addColumn<int>("page");
    QTest::newRow("a lock") << 0;
    QTest::newRow("a session") << 1;
}

void TestKeysAndMouse::whatIsSelectedNeedsNoMoreSelecting()
{
    QFETCH(int, page);
    m_connection->startOperatorMode();
    m_window->showPage(page);
    Q_EMIT m_connection->feed<Monitor>()->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    listLocks(3);
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(usual().done(), {});
    QWidget *list = page == 0 ? static_cast<QWidget *>(m_window->locksPage()->view()) : m_window->waitsPage()->view();
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    QVERIFY(barSaying(u"Select a"_s));
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(usual().done(), {});
    QVERIFY(barSaying(u"Select a"_s));
    QTest::keyClick(list, Qt::Key_Home);
    QVERIFY(!barSaying(u"Select a"_s));
}

void TestKeysAndMouse::anEmptyInspectorTakesNoFocus_data()
{
    QTest::addColumn<int>("page");
    QTest::newRow("locks") << 0;
    QTest::newRow("waits") << 1;
    QTest::newRow("deadlocks") << 2;
}

void TestKeysAndMouse::anEmptyInspectorTakesNoFocus()
{
    QFETCH(int, page);
    m_window->showPage(page);
    listLocks(3);
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(usual().done(), {});
    const QWidget *inspectors[] = {m_window->locksPage()->inspector(), m_window->waitsPage()->inspector(),
                                   m_window->deadlocksPage()->inspector()};
    const auto isReached = [&] {
        bool isIn = false;
        m_window->setFocus();
        for (int i = 0; i < 40; ++i) {
            QTest::keyClick(m_window->focusWidget(), Qt::Key_Tab);
            isIn = isIn || inspectors[page]->isAncestorOf(m_window->focusWidget());
        }
        return isIn;
    };
    QVERIFY(!isReached());
    if (page == 0)
        m_window->locksPage()->view()->selectRow(1);
    else if (page == 1)
        m_window->waitsPage()->select(34);
    QCOMPARE(isReached(), page != 2); // what is longer than its room is scrolled by keys
}

void TestKeysAndMouse::returnGoesFromFieldToFieldAndToTheButton()
{
    m_connection->startOperatorMode();
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(usual().done(), {});
    m_window->killController()->ask({34, 56});
    KillDialog *dialog = m_window->killController()->dialog();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    const auto pressIn = [](QWidget *field) {
        field->setFocus();
        QTest::keyPress(field, Qt::Key_Return, Qt::NoModifier, 100); // one after the other, as a person does
        QTest::keyRelease(field, Qt::Key_Return);
    };
    dialog->reasonEdit()->setText(u"stuck"_s);
    pressIn(dialog->reasonEdit());
    QCOMPARE(dialog->focusWidget(), dialog->nameEdit()); // of the server, which several want
    pressIn(dialog->nameEdit());
    QCOMPARE(dialog->focusWidget(), dialog->nameEdit());
    QVERIFY(dialog->isVisible());
    dialog->nameEdit()->setText(m_connection->profile().address());
    pressIn(dialog->nameEdit());
    QCOMPARE(dialog->focusWidget(), dialog->actButton());
    QVERIFY(!m_window->killController()->isRunning());
    pressIn(dialog->cancelButton());
    QVERIFY(!dialog->isVisible());
}

void TestKeysAndMouse::whoeverUsesTheKeysSeesWhereTheyGo()
{
    m_window->setFocus(Qt::MouseFocusReason);
    QTest::mouseClick(m_window.get(), Qt::LeftButton);
    const auto ringIn = [](const QWidget *window) { return window->findChild<FocusRing *>(); };
    QVERIFY(!ringIn(m_window.get()) || !ringIn(m_window.get())->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_Slash);
    QTRY_VERIFY(ringIn(m_window.get()));
    const FocusRing *ring = ringIn(m_window.get());
    QTRY_COMPARE(ring->target(), m_window->locksPage()->findChild<FilterEdit *>());
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Tab);
        QCOMPARE(ring->target(), m_window->focusWidget());
        QVERIFY(ring->isVisible());
        QCOMPARE(ring->geometry(), QRect(ring->target()->mapTo(m_window.get(), QPoint()), ring->target()->size()));
    }
    m_window->resize(1000, 700);
    QTRY_COMPARE(ring->geometry(), QRect(ring->target()->mapTo(m_window.get(), QPoint()), ring->target()->size()));
}

void TestKeysAndMouse::theRingIsWhereTheKeysCanGoNowhereElse()
{
    m_window->hide(); // the focus is the other window's
    QDialog window;
    const QPushButton only(u"Close"_s, &window);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_Tab);
    QTRY_VERIFY(window.findChild<FocusRing *>());
    QCOMPARE(window.findChild<FocusRing *>()->target(), &only);
    QVERIFY(!m_window->findChild<FocusRing *>());
}

void TestKeysAndMouse::theRingIsAroundWhatCanBeSeen()
{
    m_window->hide(); // the focus is the other window's
    QWidget window;
    window.resize(200, 200);
    auto *area = new QScrollArea(&window);
    area->setGeometry(20, 20, 100, 100);
    auto *content = new QWidget;
    content->resize(80, 400);
    auto *high = new QPushButton(u"high"_s, content);
    high->setGeometry(0, 50, 80, 200);
    area->setWidget(content);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_Tab);
    high->setFocus(Qt::TabFocusReason);
    const auto *ring = window.findChild<FocusRing *>();
    QVERIFY(ring);
    QCOMPARE(ring->target(), high);
    const QRect viewport(area->viewport()->mapTo(&window, QPoint()), area->viewport()->size());
    const auto whole = [&] { return QRect(high->mapTo(&window, QPoint()), high->size()); };
    for (const int scrolled : {0, 30, 120}) {
        area->verticalScrollBar()->setValue(scrolled);
        QVERIFY(ring->isVisible());
        QCOMPARE(ring->geometry(), whole() & viewport);
        QVERIFY(!viewport.contains(whole()));
    }
    area->verticalScrollBar()->setValue(300); // it is out of sight
    QVERIFY(!ring->isVisible());
}

/// Ctrl+E is the end of the line to whoever knows Emacs, and to Qt.
void TestKeysAndMouse::whatIsShownIsSavedFromATextFieldToo()
{
    QAction *save = nullptr;
    for (auto *action : m_window->findChildren<QAction *>()) {
        if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_E))
            save = action;
    }
    QVERIFY(save);
    disconnect(save, &QAction::triggered, nullptr, nullptr); // it would ask where
    const QSignalSpy saved(save, &QAction::triggered);
    auto *filter = m_window->locksPage()->findChild<FilterEdit *>();
    filter->setFocus();
    QTest::keyClicks(filter, u"some text"_s);
    QTest::keyClick(filter, Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(saved.size(), 1);
    QPlainTextEdit large(m_window.get());
    large.show();
    large.setFocus();
    QTest::keyClick(&large, Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(saved.size(), 2);
}

QTEST_MAIN(TestKeysAndMouse)
#include "tst_keysandmouse.moc"
