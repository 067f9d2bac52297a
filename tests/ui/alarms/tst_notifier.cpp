// SPDX-License-Identifier: MIT
// Alarms on the desktop: over a real session bus, to what stands there for the desktop's notifications.
#include "strict.h"
#include "testkeyring.h"

#include "ui/alarms/notifier.h"

#include <QtDBus/QDBusConnection>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QWidget>

#include <memory>

using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

/// What a desktop does with a notification, as far as it can be asked for.
class Desktop : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Shown
    {
        uint replaced;
        QString title;
        QString text;
    };
    QList<Shown> shown;
    QList<uint> closed;

public Q_SLOTS:
    void Notify(const QString &, uint replaces, const QString &, const QString &title, const QString &text,
                const QStringList &, const QVariantMap &, int, uint &id)
    {
        shown.append({replaces, title, text});
        id = replaces == 0 ? ++m_next : replaces;
    }
    void CloseNotification(uint id) { closed.append(id); }

Q_SIGNALS:
    void ActionInvoked(uint, const QString &); // number, action
    void NotificationClosed(uint, uint);       // number, reason

private:
    uint m_next = 0;
};

} // namespace

class TestNotifier : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void aNotificationIsShownReplacedAndTakenBack();
    void whatComesBeforeTheAnswerReplacesItToo();
    void whatIsOverBeforeTheAnswerIsTakenBack();
    void whatIsOverBeforeItIsReplacedIsTakenBackOnce();
    void aClickRaisesTheWindow();
    void whatTheDesktopClosedIsNotReplaced();
    void whatCannotBeShownIsForgotten();

private:
    TestKeyring m_bus; // of which the bus alone is wanted
    QDBusConnection m_there = QDBusConnection::connectToBus(QDBusConnection::SessionBus, u"desktop"_s);
    std::unique_ptr<Desktop> m_desktop;
    std::unique_ptr<QWidget> m_window;
};

void TestNotifier::init()
{
    failOnWarnings("This plugin does not support"); // also raise()
    m_desktop = std::make_unique<Desktop>();
    m_window = std::make_unique<QWidget>();
    QVERIFY(m_there.registerObject(u"/org/freedesktop/Notifications"_s, m_desktop.get(),
                                   QDBusConnection::ExportAllContents));
    QVERIFY(m_there.registerService(u"org.freedesktop.Notifications"_s));
}

void TestNotifier::cleanup()
{
    m_there.unregisterService(u"org.freedesktop.Notifications"_s);
    m_there.unregisterObject(u"/org/freedesktop/Notifications"_s);
    m_window.reset();
    m_desktop.reset();
}

void TestNotifier::aNotificationIsShownReplacedAndTakenBack()
{
    QVERIFY(Notifier::canNotify());
    Notifier notifier(m_window.get());
    notifier.notify(u"1 alarm"_s, u"invoices <b> & more"_s, true);
    QTRY_COMPARE(m_desktop->shown.size(), 1);
    QCOMPARE(m_desktop->shown[0].replaced, 0U);
    QCOMPARE(m_desktop->shown[0].title, u"1 alarm"_s);
    QCOMPARE(m_desktop->shown[0].text, Notifier::withoutMarkup(u"invoices <b> & more"_s));
    QTRY_VERIFY(notifier.isShown());
    notifier.notify(u"2 alarms"_s, u"invoices, stock"_s, true);
    QTRY_COMPARE(m_desktop->shown.size(), 2);
    QCOMPARE(m_desktop->shown[1].replaced, 1U);
    notifier.done();
    QTRY_COMPARE(m_desktop->closed, QList<uint>{1});
}

void TestNotifier::whatComesBeforeTheAnswerReplacesItToo()
{
    Notifier notifier(m_window.get());
    for (int i = 1; i <= 3; ++i)
        notifier.notify(u"%1 alarms"_s.arg(i), u"invoices"_s, true);
    QTRY_COMPARE(m_desktop->shown.size(), 2);
    QCOMPARE(m_desktop->shown[1].title, u"3 alarms"_s);
    QCOMPARE(m_desktop->shown[1].replaced, 1U);
}

void TestNotifier::whatIsOverBeforeTheAnswerIsTakenBack()
{
    Notifier notifier(m_window.get());
    notifier.notify(u"1 alarm"_s, u"invoices"_s, true);
    notifier.done();
    QTRY_COMPARE(m_desktop->closed, QList<uint>{1});
    QVERIFY(!notifier.isShown());
}

void TestNotifier::whatIsOverBeforeItIsReplacedIsTakenBackOnce()
{
    Notifier notifier(m_window.get());
    notifier.notify(u"1 alarm"_s, u"invoices"_s, true);
    QTRY_VERIFY(notifier.isShown());
    notifier.notify(u"2 alarms"_s, u"invoices, stock"_s, true);
    notifier.done();
    // One that is shown and taken back after it: what the first had to say has come by then.
    Notifier after(m_window.get());
    after.notify(u"another"_s, u"stock"_s, true);
    QTRY_VERIFY(after.isShown());
    after.done();
    QTRY_VERIFY(m_desktop->closed.contains(2U));
    QCOMPARE(m_desktop->closed, (QList<uint>{1, 2}));
}

void TestNotifier::aClickRaisesTheWindow()
{
    Notifier notifier(m_window.get());
    notifier.notify(u"1 alarm"_s, u"invoices"_s, true);
    QTRY_VERIFY(notifier.isShown());
    Q_EMIT m_desktop->ActionInvoked(2, u"default"_s); // of another program
    Q_EMIT m_desktop->ActionInvoked(1, u"default"_s);
    QTRY_VERIFY(m_window->isVisible());
}

void TestNotifier::whatTheDesktopClosedIsNotReplaced()
{
    Notifier notifier(m_window.get());
    notifier.notify(u"1 alarm"_s, u"invoices"_s, true);
    QTRY_VERIFY(notifier.isShown());
    Q_EMIT m_desktop->NotificationClosed(1, 2);
    QTRY_VERIFY(!notifier.isShown());
    notifier.notify(u"again"_s, u"invoices"_s, true);
    QTRY_COMPARE(m_desktop->shown.size(), 2);
    QCOMPARE(m_desktop->shown[1].replaced, 0U);
}

void TestNotifier::whatCannotBeShownIsForgotten()
{
    m_there.unregisterService(u"org.freedesktop.Notifications"_s);
    Notifier notifier(m_window.get());
    notifier.notify(u"1 alarm"_s, u"invoices"_s, true);
    notifier.done();
    QVERIFY(m_there.registerService(u"org.freedesktop.Notifications"_s));
    notifier.notify(u"2 alarms"_s, u"invoices"_s, true);
    QTRY_COMPARE(m_desktop->shown.size(), 1);
    QCOMPARE(m_desktop->shown[0].title, u"2 alarms"_s);
    QVERIFY(m_desktop->closed.isEmpty());
}

QTEST_MAIN(TestNotifier)
#include "tst_notifier.moc"
