// SPDX-License-Identifier: MIT
// Find: what is there is found by its name, and what can be done by what people call it; with the keyboard alone.
#include "listmaker.h"
#include "strict.h"
#include "waitsmaker.h"
#include "windowtest.h"

#include "ui/alarms/alarmbar.h"
#include "ui/pages/locks/lockending.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/waits/waitinspector.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/style/theme.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/messagebar.h"
#include "ui/window/commandpalette.h"
#include "ui/window/topbar.h"

#include <QtGui/QClipboard>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestFind : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup();

    void actionsHaveOtherWords_data();
    void actionsHaveOtherWords();
    void aLockIsFound();
    void aSessionIsFound_data();
    void aSessionIsFound();
    void aPreparedTransactionIsFound();
    void ofAPreparedTransactionStandsOnlyWhatThereIs();
    void theListStandsInAFrameBelowItsButton();
    void aServerIsFound();
    void whatCannotBeDoneSaysWhy();
    void whoHasEndedIsNotOfferedToBeEnded_data();
    void whoHasEndedIsNotOfferedToBeEnded();
    void thousandsOfLocksAreNoHarm();
    void whoPressesReturnBeforeItIsFoundGetsIt();
    void manyNamesAreCopied();
    void severalSessionsAreEndedFromLocks();
    void severalLeasesAreNotReleasedAtOnce();

private:
    void show(const QList<LockRow> &rows);
    /// As a person types it.
    QStringList find(const QString &typed);
    CommandPalette *palette() const { return m_window->findChild<CommandPalette *>(); }
    bool isSaid(const QString &text) const;

    std::unique_ptr<ListMaker> m_maker;
};

void TestFind::init()
{
    failOnWarnings("This plugin does not support"); // propagateSizeHints, and of popups raise and grabbing
    m_maker = std::make_unique<ListMaker>();
    makeWindow();
    openSilentServer();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    LockRow row = ListMaker::row("orders/42");
    row.owner.service = u"billing"_s;
    row.note = "charge card";
    show({ListMaker::row("jobs/nightly"), row});
    WaitsMaker waits;
    waits.wait(36, 20);
    waits.prepare(421, {{1, "pay-0815", {}}});
    waits.wait(37, preparedNumber(421), "6");
    waits.waits().sessions.remove(preparedNumber(421));
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(waits.done(), {});
}

void TestFind::cleanup()
{
    closeWindow();
    applyAppearance({Theme::Light, u"en"_s, false});
}

void TestFind::show(const QList<LockRow> &rows)
{
    Q_EMIT m_connection->feed<Monitor>()->listUpdated(m_maker->next(rows));
}

QStringList TestFind::find(const QString &typed)
{
    QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(palette()->findChild<QLineEdit *>(), typed);
    if (!QTest::qWaitFor([this] { return !palette()->isSearching(); }))
        qWarning("it is still being looked for");
    QStringList texts;
    const auto *list = palette()->findChild<QListWidget *>();
    for (int row = 0; row < list->count(); ++row)
        texts += list->item(row)->text();
    return texts;
}

bool TestFind::isSaid(const QString &text) const
{
    const auto bars = m_window->findChildren<MessageBar *>();
    return std::any_of(bars.cbegin(), bars.cend(), [&](MessageBar *bar) { return bar->text().contains(text); });
}

void TestFind::actionsHaveOtherWords_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("first");
    QTest::newRow("unlock") << u"unlock"_s << u"Release lock"_s;
    QTest::newRow("force release") << u"force release"_s << u"Release lock"_s;
    QTest::newRow("terminate") << u"terminate"_s << u"End session"_s;
    QTest::newRow("kill") << u"KILL"_s << u"End session"_s;
    QTest::newRow("exit") << u"exit"_s << u"Quit"_s;
    QTest::newRow("by its own name") << u"export"_s << u"Export"_s;
    QTest::newRow("in a menu of a menu") << u"theme dark"_s << u"Dark"_s;
}

void TestFind::actionsHaveOtherWords()
{
    QFETCH(QString, typed);
    QFETCH(QString, first);
    const QStringList found = find(typed);
    QVERIFY2(found.value(0).startsWith(first), qPrintable(found.join(u'\n')));
}

void TestFind::aLockIsFound()
{
    m_window->showPage(5);
    const QStringList found = find(u"billing 42"_s); // by parts, in any order
    QCOMPARE(found, QStringList{u"orders/42 · Held · billing · charge card"_s});
    QTest::keyClick(palette()->findChild<QLineEdit *>(), Qt::Key_Return);
    QCOMPARE(m_window->page(), 0);
    QCOMPARE(m_window->locksPage()->inspector()->lock()->key.resource, "orders/42");
    QVERIFY(m_window->locksPage()->view()->hasFocus());
}

void TestFind::aSessionIsFound_data()
{
    QTest::addColumn<QString>("typed");
    QTest::newRow("by number") << u"36"_s;
    QTest::newRow("by account") << u"app36@web"_s;
    QTest::newRow("by number and statement") << u"36 update stock"_s;
}

void TestFind::aSessionIsFound()
{
    QFETCH(QString, typed);
    QCOMPARE(find(typed).size(), 1);
    QTest::keyClick(palette()->findChild<QLineEdit *>(), Qt::Key_Return);
    QCOMPARE(m_window->page(), 1);
    QCOMPARE(m_window->waitsPage()->inspector()->session(), std::optional<quint64>(36));
}

void TestFind::aPreparedTransactionIsFound()
{
    QCOMPARE(find(u"pay-0815"_s), QStringList{u"XA 'pay-0815' · transaction 421 · Prepared (XA)"_s});
    QTest::keyClick(palette()->findChild<QLineEdit *>(), Qt::Key_Return);
    QCOMPARE(m_window->waitsPage()->inspector()->session(), std::optional(preparedNumber(421)));
}

void TestFind::ofAPreparedTransactionStandsOnlyWhatThereIs()
{
    const auto facts = [](const QWidget *inspector) {
        QStringList texts;
        for (const QLabel *label : inspector->findChildren<QLabel *>()) {
            if (!label->text().isEmpty() && label->isVisible())
                texts += label->text();
        }
        return texts;
    };
    m_window->showPage(1);
    m_window->waitsPage()->select(preparedNumber(421));
    const QStringList waiting = facts(m_window->waitsPage()->inspector());
    QVERIFY2(waiting.contains(u"Transaction"_s), qPrintable(waiting.join(u'\n')));
    QVERIFY2(!waiting.contains(u"–"_s) && !waiting.contains(u"Program"_s), qPrintable(waiting.join(u'\n')));
    QVERIFY(!m_window->waitsPage()->inspector()->text().contains(u"Program"_s));
    m_window->waitsPage()->select(36); // and come back
    QVERIFY(facts(m_window->waitsPage()->inspector()).contains(u"Program"_s));

    LockRow row = ListMaker::row("transaction 421", 0);
    row.key.kind = LockKind::Transaction;
    row.key.session = preparedNumber(421);
    row.sessionAlive = false;
    row.owner.service = u"XA 'pay-0815'"_s;
    row.acquiredAt = ServerTime(std::chrono::hours(500'000));
    show({row});
    m_window->showPage(0);
    m_window->locksPage()->select(row.key);
    const QStringList held = facts(m_window->locksPage()->inspector());
    QVERIFY2(held.contains(u"Owner"_s) && held.contains(u"Since"_s), qPrintable(held.join(u'\n')));
    QVERIFY2(!held.contains(u"–"_s) && !held.contains(u"Process"_s), qPrintable(held.join(u'\n')));
}

void TestFind::theListStandsInAFrameBelowItsButton()
{
    find(u"lock"_s);
    const auto *bar = m_window->findChild<TopBar *>();
    QVERIFY(palette()->y() >= bar->mapToGlobal(QPoint(0, bar->height())).y());
    const QImage picture = palette()->grab().toImage();
    const QRgb line = lineColor(palette()->palette()).rgb();
    QCOMPARE(picture.pixel(0, picture.height() / 2), line);
    QCOMPARE(picture.pixel(picture.width() - 1, picture.height() / 2), line);
    QCOMPARE(picture.pixel(picture.width() / 2, 0), line);
    QCOMPARE(picture.pixel(picture.width() / 2, picture.height() - 1), line);
}

void TestFind::aServerIsFound()
{
    const QStringList found = find(u"server private"_s);
    QCOMPARE(found, QStringList{u"Private server"_s});
    const QStringList silent = [this] {
        palette()->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return find(u"silent"_s);
    }();
    QVERIFY2(silent.value(0).startsWith(u"silent"_s), qPrintable(silent.join(u'\n')));
}

void TestFind::whatCannotBeDoneSaysWhy()
{
    m_window->locksPage()->view()->chooseRow(0);
    find(u"unlock"_s);
    QTest::keyClick(palette()->findChild<QLineEdit *>(), Qt::Key_Return);
    QVERIFY(isSaid(u"This server is open read-only"_s));
    m_connection->startOperatorMode();
    QVERIFY(!isSaid(u"This server is open read-only"_s));
}

void TestFind::whoHasEndedIsNotOfferedToBeEnded_data()
{
    QTest::addColumn<QString>("typed");
    QTest::newRow("what can be done now") << QString();
    QTest::newRow("by its name") << u"end"_s;
}

void TestFind::whoHasEndedIsNotOfferedToBeEnded()
{
    QFETCH(QString, typed);
    m_connection->startOperatorMode();
    m_window->waitsPage()->select(36);
    QCOMPARE(m_window->waitsPage()->endAction()->text(), u"&End session 36…"_s);
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(WaitsMaker().done(), {});
    QVERIFY(m_window->waitsPage()->inspector()->isGone());
    const QString found = find(typed).join(u'\n');
    QVERIFY2(!found.contains(u"End session 36"_s), qPrintable(found));
    QCOMPARE(found.contains(u"End session"_s), !typed.isEmpty()); // muted, as all that cannot be done
}

void TestFind::thousandsOfLocksAreNoHarm()
{
    show(ListMaker::rows(10'000));
    const QStringList found = find(u"0000"_s);
    QCOMPARE(found.size(), 50);
    QTest::keyClick(palette()->findChild<QLineEdit *>(), Qt::Key_Down);
    QCOMPARE(palette()->findChild<QListWidget *>()->currentRow(), 1);
}

/// Return means what has been typed, however much there is to look through.
void TestFind::whoPressesReturnBeforeItIsFoundGetsIt()
{
    show(ListMaker::rows(10'000));
    QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
    const QPointer<QLineEdit> search = palette()->findChild<QLineEdit *>();
    const QByteArray last = ListMaker::rows(10'000).last().key.resource;
    QTest::keyClicks(search, QString::fromUtf8(last));
    QVERIFY(palette()->isSearching());
    QTest::keyClick(search, Qt::Key_Return);
    QTRY_VERIFY(!search);
    QCOMPARE(m_window->locksPage()->inspector()->lock()->key.resource, last);
}

void TestFind::manyNamesAreCopied()
{
    show(ListMaker::rows(10'000));
    m_window->locksPage()->view()->setFocus();
    m_window->locksPage()->view()->selectAll();
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(m_window->locksPage()->view(), Qt::Key_C, Qt::ControlModifier);
    QTRY_COMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 9'999);
    m_window->locksPage()->view()->selectAll();
    QTest::keyClick(m_window->locksPage()->view(), Qt::Key_C, Qt::ControlModifier);
    m_window->locksPage()->view()->chooseRow(1);
    QTest::keyClick(m_window->locksPage()->view(), Qt::Key_C, Qt::ControlModifier);
    const QString one = QGuiApplication::clipboard()->text();
    QCOMPARE(one.count(u'\n'), 0);
    m_window.reset(); // waits for what is still being made
    QCOMPARE(QGuiApplication::clipboard()->text(), one);
}

/// Locks of the server's own.
static LockRow metadata(const QByteArray &name, quint64 session)
{
    LockRow row = ListMaker::row(name);
    row.key.kind = LockKind::Metadata;
    row.key.session = session;
    row.connectionId = session;
    return row;
}

void TestFind::severalSessionsAreEndedFromLocks()
{
    show({metadata("shop.a", 12), metadata("shop.b", 12), metadata("shop.c", 13)});
    Q_EMIT m_connection->feed<Monitor>()->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    m_connection->startOperatorMode();
    const QSignalSpy wanted(m_window->locksPage()->ending(), &LockEnding::killRequested);
    m_window->locksPage()->view()->setFocus();
    m_window->locksPage()->view()->selectAll();
    QCOMPARE(m_window->locksPage()->releaseAction()->text(), u"&End 2 sessions…"_s);
    QCOMPARE(m_window->locksPage()->releaseAction()->iconText(), u"End 2 sessions…"_s);
    QTest::keyClick(m_window->locksPage()->view(), Qt::Key_Delete);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].value<QList<quint64>>(), QList<quint64>({12, 13}));
    QTest::keyClick(m_window->locksPage()->view(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), u"shop.a\nshop.b\nshop.c"_s);
}

void TestFind::severalLeasesAreNotReleasedAtOnce()
{
    Q_EMIT m_connection->feed<Monitor>()->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    m_connection->startOperatorMode();
    m_window->locksPage()->view()->setFocus();
    m_window->locksPage()->view()->selectAll();
    QVERIFY(!m_window->locksPage()->releaseAction()->isEnabled());
    QTest::keyClick(m_window->locksPage()->view(), Qt::Key_Delete);
    QVERIFY(isSaid(u"one by one"_s));
}

QTEST_MAIN(TestFind)
#include "tst_find.moc"
