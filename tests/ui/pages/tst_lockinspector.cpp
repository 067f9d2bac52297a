// SPDX-License-Identifier: MIT
// What the pane beside the list says of one lock, whatever its names are.
#include "strict.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/server/serverconnection.h"
#include "visibletext.h"

#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestLockInspector : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(OffscreenWarning); }
    void aLongNameNeedsNoMoreWidth();
    void whoWaitedForAKeyThatIsGoneIsAsUnknownAsBefore();
};

void TestLockInspector::aLongNameNeedsNoMoreWidth()
{
    ServerConnection connection;
    QAction release;
    LockInspector inspector(&connection, &release);
    LockRow lock;
    lock.key.resource = "orders/42";
    lock.owner.service = QString(60, u'w');
    inspector.setLock(lock);
    inspector.show();
    const QString whole = QString(60, u'w');
    const QList<QLabel *> labels = inspector.findChildren<QLabel *>();
    const auto owner = std::find_if(labels.cbegin(), labels.cend(), [&whole](const QLabel *label) {
        return label->isVisible() && QString(label->text()).remove(QChar(0x200b)) == whole;
    });
    QVERIFY(owner != labels.cend());
    QVERIFY((*owner)->minimumSizeHint().width() < (*owner)->fontMetrics().horizontalAdvance(whole) / 2);
}

/// Its program keeps no queue: that nobody waits cannot be known.
void TestLockInspector::whoWaitedForAKeyThatIsGoneIsAsUnknownAsBefore()
{
    ServerConnection connection;
    ServerProfile profile;
    profile.url.socket = u"/nowhere/at/all"_s;
    connection.open(profile, {});
    QAction release;
    LockInspector inspector(&connection, &release);
    LockRow lock;
    lock.key.resource = "orders/42";
    KeyLock key;
    key.holders.emplace_back();
    lock.keyLock = key;
    lock.waiters.reset();
    inspector.setLock(lock);
    inspector.show();
    const auto saysWhoWaits = [&inspector] {
        const QString text = visibleText(&inspector);
        return text.contains(u"Nobody waits"_s) || text.contains(u"Who waits"_s) || text.contains(u"Queue"_s);
    };
    QVERIFY2(!saysWhoWaits(), qPrintable(visibleText(&inspector)));
    LockDetails gone;
    gone.key = lock.key;
    Q_EMIT connection.feed<Monitor>()->detailsUpdated(gone);
    QVERIFY(inspector.isGone());
    QVERIFY2(!saysWhoWaits(), qPrintable(visibleText(&inspector)));
}

QTEST_MAIN(TestLockInspector)
#include "tst_lockinspector.moc"
