// SPDX-License-Identifier: MIT
// What the window says of locks in other programs' tables.
#include "keylocks/conventionlibrary.h"
#include "locks/tablerows.h"
#include "locktables/profilelibrary.h"
#include "strict.h"
#include "tablelockmaker.h"
#include "ui/style/appearance.h"
#include "ui/text/tablelocktext.h"
#include "ui/text/tableprofiletext.h"

#include <QtCore/QScopeGuard>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestTableLockText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void whatWasNotSeenIsSaid_data();
    void whatWasNotSeenIsSaid();
    void whyNoneCanBeReadIsSaidOnce();
    void theSentenceSaysNoMoreThanIsKnown_data();
    void theSentenceSaysNoMoreThanIsKnown();
    void whatAProfileSaysIsInTheWindowsLanguage();
};

void TestTableLockText::whatWasNotSeenIsSaid_data()
{
    QTest::addColumn<TableLocks>("tables");
    QTest::addColumn<QString>("part");
    LockError denied;
    denied.code = 1142;
    denied.message = u"Not allowed."_s;
    LockError dropped;
    dropped.code = 1146;
    TableLocks tables;
    QTest::newRow("all was seen") << tables << QString();
    tables.unread = {{u"app.shedlock"_s, false, denied}};
    QTest::newRow("no right") << tables << u"not all was read: app.shedlock. Not allowed."_s;
    tables.unread = {{u"app.shedlock"_s, false, dropped}};
    QTest::newRow("dropped meanwhile") << tables << QString();
    tables.unread = {{u"app.shedlock"_s, false, {}, true}};
    QTest::newRow("very many rows") << tables << u"app.shedlock (only 1,000 of its held rows)"_s;
    tables.unread = {{u"app.accounts"_s, true, denied}};
    QTest::newRow("perhaps no lock table") << tables << QString();
    for (const QString &name : {u"a"_s, u"b"_s, u"c"_s, u"d"_s})
        tables.unread.append({u"app."_s + name});
    QTest::newRow("many") << tables << u"app.a, app.b, app.c and 1 more"_s;
    tables = {};
    tables.serverTables = 12'000;
    QTest::newRow("a schema of many") << tables << u"own schema alone"_s;
    tables = {};
    tables.isScanCut = true;
    QTest::newRow("too many") << tables << u"there may be more"_s;
    tables = {};
    tables.faultyProfiles = {u"/home/ada/my.toml:3: what is this"_s};
    QTest::newRow("a wrong profile") << tables << u"my.toml:3: what is this"_s;
}

void TestTableLockText::whatWasNotSeenIsSaid()
{
    QFETCH(TableLocks, tables);
    QFETCH(QString, part);
    const QString text = TableLockText::unseen(tables);
    QVERIFY2(part.isEmpty() ? text.isEmpty() : text.contains(part), qPrintable(text));
}

void TestTableLockText::whyNoneCanBeReadIsSaidOnce()
{
    LockError slow;
    slow.message = u"Too slow."_s;
    TableLocks tables;
    QCOMPARE(TableLockText::unseen(tables, slow), u"Lock tables of other programs cannot be read now. Too slow."_s);
    tables.unread = {{u"app.accounts"_s, true, slow}};
    QCOMPARE(TableLockText::unseen(tables, slow), u"Lock tables of other programs cannot be read now. Too slow."_s);
    tables.unread += {u"app.shedlock"_s, false, slow};
    QCOMPARE(TableLockText::unseen(tables, slow).count(slow.message), 1);
}

void TestTableLockText::theSentenceSaysNoMoreThanIsKnown_data()
{
    QTest::addColumn<TableLock>("lock");
    QTest::addColumn<QString>("text");
    TableLock lock = tableLock("a");
    QTest::newRow("all") << lock << u"a7 has held app.shedlock a for 10 min; it ends in 5 min."_s;
    lock.since.reset();
    QTest::newRow("no age") << lock << u"a7 holds app.shedlock a; it ends in 5 min."_s;
    lock.holder.clear();
    QTest::newRow("nor holder") << lock << u"app.shedlock a is held; it ends in 5 min."_s;
    lock.until.reset();
    QTest::newRow("nor end") << lock << u"app.shedlock a is held."_s;
    lock.isForever = true;
    QTest::newRow("without end") << lock << u"app.shedlock a is held; it has no end."_s;
    QTest::newRow("expired") << tableLock("a", TableLockState::Expired)
                             << u"The time of app.shedlock a was up 5 min ago; its row is still there."_s;
    lock = tableLock("a", TableLockState::Unknown);
    lock.needsZone = true;
    QTest::newRow("unknown") << lock
                             << u"Whether app.shedlock a is held is not known. Its times depend on the time zone of "
                                "the application's connections, which Lockscope has not been told."_s;
}

void TestTableLockText::theSentenceSaysNoMoreThanIsKnown()
{
    QFETCH(TableLock, lock);
    QFETCH(QString, text);
    QCOMPARE(TableLockText::summary(tableRows({lock}, {})[0], kTableNow), text);
}

void TestTableLockText::whatAProfileSaysIsInTheWindowsLanguage()
{
    applyAppearance({Theme::Light, u"zh_CN"_s, false});
    const auto english = qScopeGuard([] { applyAppearance({Theme::Light, u"en"_s, false}); });
    for (const TableProfile &profile : builtInProfiles()) {
        for (const QString &text : {profile.note, profile.release.reason, profile.release.warning})
            QVERIFY2(text.isEmpty() || TableProfileText::of(text) != text, qPrintable(profile.id + u": "_s + text));
    }
    for (const KeyConvention &convention : builtInConventions()) {
        if (convention.isGuess)
            continue; // the window has one sentence for all of them
        for (const QString &text : {convention.note, convention.release.reason, convention.release.warning})
            QVERIFY2(text.isEmpty() || TableProfileText::of(text) != text, qPrintable(convention.id + u": "_s + text));
    }
    QCOMPARE(TableProfileText::of(u"a user's own"_s), u"a user's own"_s);
}

QTEST_MAIN(TestTableLockText)
#include "tst_tablelocktext.moc"
