// SPDX-License-Identifier: MIT
// Alarms in the window, from hand-made looks: said once, shown where they belong, gone when they are over.
#include "incidentmaker.h"
#include "strict.h"
#include "ui/alarms/alarmbar.h"
#include "ui/alarms/alarmcenter.h"
#include "ui/alarms/alarmdialog.h"
#include "ui/alarms/alarmtext.h"
#include "ui/alarms/notifier.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/style/statemark.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/roles.h"
#include "ui/window/mainwindow.h"

#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

using Seconds = std::chrono::seconds;
const auto kStart = std::chrono::steady_clock::now();

SnapshotClock clockAt(Seconds after)
{
    return {kNow + after, kStart + after};
}

LockRow lease(const QByteArray &name, LockState state, Seconds held)
{
    LockRow row;
    row.key.resource = name;
    row.state = state;
    row.acquiredAt = kNow - held;
    row.sessionAlive = state == LockState::Held;
    return row;
}

/// Looks at locks one after the other, as the monitor makes them.
class Looks
{
public:
    LockListUpdatePtr next(Seconds after, const QList<LockRow> &rows)
    {
        LockSnapshot snapshot;
        snapshot.clock = clockAt(after);
        QList<LockRow> sorted = rows;
        std::sort(sorted.begin(), sorted.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
        snapshot.rows = shared(sorted);
        for (const LockRow &row : rows)
            snapshot.counts.add(row.state);
        snapshot.counts.unread += unread;
        return std::make_shared<LockListUpdate>(m_builder.build(snapshot, view, kStart + after));
    }
    LockView view;
    qint64 unread = 0; ///< locks that the list leaves out

private:
    LockListBuilder m_builder;
};

WaitPicturePtr blockedAt(Seconds after, Seconds waited = 60s)
{
    IncidentMaker maker;
    maker.holder(34, 4711).waiter(56, {34}, waited);
    maker.waits().clock = clockAt(after);
    return WaitPicture::of(maker.done());
}

LeaseReading reading(const LockListUpdatePtr &update)
{
    return {update->clock, update->rows, update->isCut()};
}

/// An update, and what is found in it elsewhere.
void tell(ServerConnection *connection, const AlarmBar &bar, const LockListUpdatePtr &update)
{
    Q_EMIT connection->listUpdated(update);
    QTRY_VERIFY_WITH_TIMEOUT(!bar.isLooking(), 30'000);
}

} // namespace

class TestAlarms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init()
    {
        failOnWarnings(OffscreenWarning);
        QSettings().clear();
    }

    void isSaidOnce();
    void saysWhoIsBlockedByWhom();
    void aSentenceForEachKind();
    void itsServerIsNamedWhereThereAreSeveral();
    void theWholeServerIsNamedInWords();
    void quietHoursCallNobody();
    void aFilterHidesNoAlarm();
    void whatIsNotReadMayBeTooLongToo();
    void theBarComesAndGoes();
    void aClosedBarStaysClosedUntilAnother();
    void aClosedBarOpensForAnotherInPlaceOfOne();
    void theBarLeadsToTheLock();
    void theBarLeadsToAQueue_data();
    void theBarLeadsToAQueue();
    void aNotificationHasNoMarkup();
    void aLockIsMarkedAndCounted();
    void anotherServerStartsOver();
    void whatWasSeenOfTheServerBeforeIsNotTold();
    void otherLimitsHoldAtOnce();
    void settingsAreKept();
    void damagedSettingsMeanTheUsual();
    void theDialogShowsWhatIsSet();
    void theMenuOpensTheDialog();
};

void TestAlarms::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"lockscope-test"_s);
    QCoreApplication::setApplicationName(u"tst_alarms"_s);
    applyAppearance({Theme::Light, u"en"_s, false});
}

void TestAlarms::isSaidOnce()
{
    AlarmCenter center;
    const QSignalSpy announced(&center, &AlarmCenter::announced);
    const QSignalSpy changed(&center, &AlarmCenter::changed);
    for (int i = 0; i < 20; ++i)
        center.onPicture(blockedAt(Seconds(i)));
    QCOMPARE(announced.count(), 1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(announced[0][0].value<QList<Alarm>>().size(), 1);
    IncidentMaker over;
    for (const Seconds after : {20s, 23s}) {
        over.waits().clock = clockAt(after);
        center.onPicture(WaitPicture::of(over.done()));
    }
    QCOMPARE(changed.count(), 2);
    QCOMPARE(announced.count(), 1);
    QVERIFY(center.alarms().isEmpty());
    QVERIFY(center.text().isEmpty());
}

void TestAlarms::saysWhoIsBlockedByWhom()
{
    AlarmCenter center;
    center.onPicture(blockedAt(0s));
    center.onPicture(blockedAt(3s));
    QCOMPARE(center.text(),
             u"1 connection waits for longer than 30 s: 56 (app@a7:556). Session 34 app@a7:534 (mysqldump) "
             u"blocks it."_s);
}

void TestAlarms::aSentenceForEachKind()
{
    AlarmCenter center;
    Looks looks;
    LockRow busy = lease("busy", LockState::Held, 5s);
    busy.waiters = 11;
    QList<LockRow> rows{lease("a", LockState::Held, 7200s), lease("b", LockState::Held, 7200s), busy,
                        lease("gone", LockState::Orphan, 5s)};
    for (const char *name : {"l1", "l2", "l3"})
        rows.append(lease(name, LockState::Held, 4000s));
    for (const Seconds after : {0s, 11s, 14s})
        center.onLeases(reading(looks.next(after, rows)));
    QCOMPARE(center.text(),
             u"1 lock has more than 10 waiting: busy. 5 locks have been held for longer than 1 h: a, b, "
             u"l1 and 2 more. 1 lease has had no living session for 10 s: gone."_s);
    QCOMPARE(AlarmText::title(center.alarms().size(), u"shop-db"_s), u"7 alarms on shop-db"_s);
    QCOMPARE(center.lockMarks().size(), 7);
    QCOMPARE(center.lockMarks().value(busy.key), u"Alarm: more than 10 wait for it."_s);
}

void TestAlarms::itsServerIsNamedWhereThereAreSeveral()
{
    Alarm here;
    here.subject.kind = AlarmKind::Orphan;
    here.subject.lock.emplace();
    here.subject.lock->resource = "orders";
    Alarm there = here;
    there.subject.lock->server = 2;
    const QString text = AlarmText::summary({here, there}, {}, false, {{0, u"shop-db"_s}, {2, u"cache1"_s}});
    QVERIFY2(text.contains(u"orders · shop-db, orders · cache1"_s), qPrintable(text));
}

void TestAlarms::theWholeServerIsNamedInWords()
{
    Alarm alarm;
    alarm.subject.kind = AlarmKind::Queue;
    alarm.subject.object.emplace();
    alarm.subject.object->kind = ServerLockKind::Metadata;
    alarm.subject.object->scope = u"GLOBAL"_s;
    const QString text = AlarmText::summary(QList<Alarm>(1, alarm), {});
    QVERIFY2(text.contains(u"the whole server (global)"_s), qPrintable(text));
}

void TestAlarms::quietHoursCallNobody()
{
    AlarmCenter center;
    AlarmSettings settings;
    settings.limits.quiet = QuietHours{QTime(0, 0), QTime(23, 59, 59, 999)};
    center.setSettings(settings);
    const QSignalSpy announced(&center, &AlarmCenter::announced);
    center.onPicture(blockedAt(0s));
    center.onPicture(blockedAt(3s));
    QCOMPARE(center.alarms().size(), 1);
    QCOMPARE(announced.count(), 0);
}

void TestAlarms::aFilterHidesNoAlarm()
{
    AlarmCenter center;
    Looks looks;
    looks.view.filter = u"something else"_s;
    for (const Seconds after : {0s, 3s}) {
        const auto update = looks.next(after, {lease("a", LockState::Held, 7200s)});
        QVERIFY(update->items.isEmpty());
        center.onLeases(reading(update));
    }
    QCOMPARE(center.alarms().size(), 1);
}

void TestAlarms::whatIsNotReadMayBeTooLongToo()
{
    AlarmCenter center;
    Looks looks;
    const QList<LockRow> rows{lease("a", LockState::Held, 7200s)};
    const QString all = u"1 lock has been held for longer than 1 h: a."_s;
    looks.unread = 1000;
    for (const Seconds after : {0s, 3s})
        center.onLeases(reading(looks.next(after, rows)));
    QCOMPARE(center.text(), all + u" There may be more: not all locks were read."_s);
    const QSignalSpy changed(&center, &AlarmCenter::changed);
    looks.unread = 0;
    center.onLeases(reading(looks.next(4s, rows)));
    QCOMPARE(center.text(), all);
    QCOMPARE(changed.count(), 1);
}

void TestAlarms::theBarComesAndGoes()
{
    ServerConnection connection;
    QWidget window;
    AlarmBar bar(&connection, &window);
    Looks looks;
    const QList<LockRow> rows{lease("a", LockState::Held, 7200s)};
    tell(&connection, bar, looks.next(0s, rows));
    QVERIFY(bar.isHidden());
    Q_EMIT connection.listUpdated(looks.next(3s, rows));
    QVERIFY(bar.isHidden()); // a long list is looked through elsewhere
    QTRY_VERIFY_WITH_TIMEOUT(!bar.isHidden(), 30'000);
    QCOMPARE(bar.text(), u"1 lock has been held for longer than 1 h: a."_s);
    tell(&connection, bar, looks.next(4s, {}));
    QVERIFY(!bar.isHidden());
    tell(&connection, bar, looks.next(7s, {}));
    QVERIFY(bar.isHidden());
}

void TestAlarms::aClosedBarStaysClosedUntilAnother()
{
    ServerConnection connection;
    QWidget window;
    AlarmBar bar(&connection, &window);
    Looks looks;
    QList<LockRow> rows{lease("a", LockState::Held, 7200s)};
    for (const Seconds after : {0s, 3s})
        tell(&connection, bar, looks.next(after, rows));
    QVERIFY(!bar.isHidden());
    bar.clear(); // as its button does
    for (const Seconds after : {4s, 8s})
        tell(&connection, bar, looks.next(after, rows));
    QVERIFY(bar.isHidden());
    rows.append(lease("b", LockState::Held, 7200s));
    for (const Seconds after : {9s, 12s})
        tell(&connection, bar, looks.next(after, rows));
    QVERIFY(!bar.isHidden());
}

void TestAlarms::aClosedBarOpensForAnotherInPlaceOfOne()
{
    ServerConnection connection;
    QWidget window;
    AlarmBar bar(&connection, &window);
    Looks looks;
    const LockRow first = lease("a", LockState::Held, 7200s);
    const LockRow second = lease("b", LockState::Held, 7200s);
    for (const Seconds after : {0s, 3s})
        tell(&connection, bar, looks.next(after, {first}));
    bar.clear();                         // as its button does
    for (const Seconds after : {4s, 7s}) // one comes and the other goes in the same look
        tell(&connection, bar, looks.next(after, {second}));
    QCOMPARE(bar.center()->alarms().size(), 1);
    QVERIFY(!bar.isHidden());
    QCOMPARE(bar.text(), u"1 lock has been held for longer than 1 h: b."_s);
}

void TestAlarms::theBarLeadsToTheLock()
{
    ServerConnection connection;
    QWidget window;
    AlarmBar bar(&connection, &window);
    const QSignalSpy chosen(&bar, &AlarmBar::lockChosen);
    const QSignalSpy session(&bar, &AlarmBar::sessionChosen);
    Looks looks;
    for (const Seconds after : {0s, 3s})
        tell(&connection, bar, looks.next(after, {lease("a", LockState::Held, 7200s)}));
    const auto click = [&bar] {
        for (QToolButton *button : bar.findChildren<QToolButton *>()) {
            if (button->text() == u"Show it"_s)
                button->click();
        }
    };
    click();
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].value<LockKey>().resource, QByteArray("a"));
    for (const Seconds after : {0s, 3s})
        bar.center()->onPicture(blockedAt(after));
    QTRY_COMPARE(bar.findChildren<QToolButton *>().size(), 3); // those before leave with the event loop
    click();
    QCOMPARE(session.count(), 1);
    QCOMPARE(session[0][0].value<quint64>(), 34U);
}

void TestAlarms::theBarLeadsToAQueue_data()
{
    QTest::addColumn<bool>("isRing");
    QTest::addColumn<quint64>("wanted");

    QTest::newRow("behind a session") << false << quint64(34);
    QTest::newRow("behind a ring, which has no head") << true << quint64(40);
}

void TestAlarms::theBarLeadsToAQueue()
{
    QFETCH(bool, isRing);
    QFETCH(quint64, wanted);
    ServerConnection connection;
    QWidget window;
    AlarmBar bar(&connection, &window);
    const QSignalSpy session(&bar, &AlarmBar::sessionChosen);
    IncidentMaker maker;
    maker.holder(34, 4711);
    if (isRing)
        maker.waiter(40, {34}, 1s).waiter(34, {40}, 1s);
    for (quint64 waiter = 50; waiter < 62; ++waiter)
        maker.waiter(waiter, {34}, 1s);
    for (const Seconds after : {0s, 3s}) {
        maker.waits().clock = clockAt(after);
        bar.center()->onPicture(WaitPicture::of(maker.done()));
    }
    QCOMPARE(bar.center()->alarms().size(), 1);
    for (QToolButton *button : bar.findChildren<QToolButton *>()) {
        if (button->text() == u"Show it"_s)
            button->click();
    }
    QCOMPARE(session.count(), 1);
    QCOMPARE(session[0][0].value<quint64>(), wanted);
}

void TestAlarms::aNotificationHasNoMarkup()
{
    QCOMPARE(Notifier::withoutMarkup(u"a<b>&c"_s), u"a‹b>＆c"_s);
}

void TestAlarms::aLockIsMarkedAndCounted()
{
    ServerConnection connection;
    MainWindow window(&connection);
    window.setRemembersState(false);
    auto *model = window.locksPage()->findChild<LockTableModel *>();
    const QSignalSpy badge(window.locksPage(), &Page::badgeChanged);
    const QSignalSpy told(model, &QAbstractItemModel::dataChanged);
    Looks looks;
    const QList<LockRow> rows{lease("a", LockState::Held, 7200s), lease("b", LockState::Held, 1s)};
    for (const Seconds after : {0s, 3s})
        tell(&connection, *window.alarmBar(), looks.next(after, rows));
    const auto mark = [model](int row) { return model->index(row, LockTableModel::StateColumn).data(MarkRole); };
    QCOMPARE(mark(0).toInt(), int(Mark::Alarm));
    QVERIFY(!mark(1).isValid());
    QVERIFY(told.count() > 0);
    const QString tip = model->index(0, LockTableModel::StateColumn).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"Alarm: held for longer than 1 h."_s), qPrintable(tip));
    QCOMPARE(badge.last()[0].toInt(), 1);
    QVERIFY2(badge.last()[1].toString().contains(u"Locks with an alarm: 1"_s), qPrintable(badge.last()[1].toString()));
    AlarmSettings off;
    off.limits.held.reset();
    window.alarmBar()->center()->setSettings(off);
    QVERIFY(!mark(0).isValid());
    QCOMPARE(badge.last()[0].toInt(), 0);
}

void TestAlarms::anotherServerStartsOver()
{
    ServerConnection connection;
    QWidget window;
    AlarmBar bar(&connection, &window);
    for (const Seconds after : {0s, 3s})
        bar.center()->onPicture(blockedAt(after));
    QVERIFY(!bar.isHidden());
    Q_EMIT connection.opened();
    QVERIFY(bar.isHidden());
    QVERIFY(bar.center()->alarms().isEmpty());
}

void TestAlarms::whatWasSeenOfTheServerBeforeIsNotTold()
{
    ServerConnection connection;
    QWidget window;
    AlarmBar bar(&connection, &window);
    Looks looks;
    const QList<LockRow> rows{lease("a", LockState::Held, 7200s)};
    tell(&connection, bar, looks.next(0s, rows));
    Q_EMIT connection.listUpdated(looks.next(3s, rows));
    QVERIFY(bar.isLooking());
    Q_EMIT connection.opened();
    QTRY_VERIFY_WITH_TIMEOUT(!bar.isLooking(), 30'000);
    tell(&connection, bar, looks.next(6s, rows)); // nothing has been so since 3 s
    QVERIFY(bar.isHidden());
    QVERIFY(bar.center()->alarms().isEmpty());
}

void TestAlarms::otherLimitsHoldAtOnce()
{
    AlarmCenter center;
    const QSignalSpy changed(&center, &AlarmCenter::changed);
    for (const Seconds after : {0s, 3s})
        center.onPicture(blockedAt(after));
    AlarmSettings settings;
    settings.limits.blocked = 20s;
    center.setSettings(settings);
    QVERIFY(center.text().contains(u"longer than 20 s"_s));
    settings.limits.blocked.reset();
    center.setSettings(settings);
    QVERIFY(center.alarms().isEmpty());
    QCOMPARE(changed.count(), 3);
}

void TestAlarms::settingsAreKept()
{
    AlarmSettings some;
    some.limits.blocked = 7s;
    some.limits.queue.reset();
    some.limits.held = 5h;
    some.limits.orphan.reset();
    some.limits.settle = 9s;
    some.limits.quiet = QuietHours{QTime(21, 30), QTime(6, 15)};
    some.notifies = false;
    for (const AlarmSettings &wanted : {some, AlarmSettings()}) {
        {
            QSettings settings;
            saveAlarmSettings(settings, wanted);
        }
        QVERIFY(loadAlarmSettings(QSettings()) == wanted);
    }
}

void TestAlarms::damagedSettingsMeanTheUsual()
{
    QSettings settings;
    QVERIFY(loadAlarmSettings(settings) == AlarmSettings());
    for (const QString &damaged : {u"-5"_s, u"0"_s, u"soon"_s, u"99999999999"_s, u""_s}) {
        for (const char *key : {"blockedSeconds", "queue", "heldSeconds", "orphanSeconds", "settleSeconds"})
            settings.setValue(u"alarms/"_s + QLatin1String(key), damaged);
        settings.setValue(u"alarms/quietFrom"_s, damaged);
        settings.setValue(u"alarms/quietTo"_s, damaged);
        QVERIFY2(loadAlarmSettings(settings) == AlarmSettings(), qPrintable(damaged));
    }
}

void TestAlarms::theDialogShowsWhatIsSet()
{
    AlarmSettings settings;
    settings.limits.blocked = 45s;
    settings.limits.queue.reset();
    settings.limits.quiet = QuietHours{QTime(21, 30), QTime(6, 15)};
    AlarmDialog dialog(settings);
    QVERIFY(dialog.settings() == settings);
    for (QCheckBox *box : dialog.findChildren<QCheckBox *>()) {
        if (box->text().contains(u"queue"_s))
            box->click();
    }
    QCOMPARE(dialog.settings().limits.queue, std::optional(10)); // the usual stands there
    for (QPushButton *button : dialog.findChildren<QPushButton *>()) {
        if (button->text() == u"&As usual"_s)
            button->click();
    }
    QVERIFY(dialog.settings() == AlarmSettings());
}

void TestAlarms::theMenuOpensTheDialog()
{
    ServerConnection connection;
    MainWindow window(&connection);
    window.setRemembersState(false);
    window.alarmBar()->editAction()->trigger();
    auto *dialog = window.findChild<AlarmDialog *>();
    QVERIFY(dialog);
    for (QSpinBox *box : dialog->findChildren<QSpinBox *>()) {
        if (box->value() == 30)
            box->setValue(31);
    }
    dialog->accept();
    QCOMPARE(*window.alarmBar()->center()->settings().limits.blocked, Microseconds(31s));
    QCOMPARE(*loadAlarmSettings(QSettings()).limits.blocked, Microseconds(31s));
}

QTEST_MAIN(TestAlarms)
#include "tst_alarms.moc"
