// SPDX-License-Identifier: MIT
// How one list of locks becomes the next: removed, inserted, changed, moved.
#include "locks/snapshotdiff.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;

namespace {

LockItem item(const QByteArray &resource, quint64 token = 1)
{
    LockRow row;
    row.key.resource = resource;
    row.token = token;
    return {row, {}, {}};
}

/// "a b2 c" is three locks; a digit is the token.
QList<LockItem> list(const QString &text)
{
    QList<LockItem> items;
    for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        items.append(item(word.left(1).toLatin1(), word.size() > 1 ? word.mid(1).toULongLong() : 1));
    return items;
}

QString names(const QList<LockItem> &items, const QList<int> &rows)
{
    QString text;
    for (const int row : rows)
        text += QString::fromLatin1(items[row].row->key.resource);
    return text;
}

} // namespace

class TestSnapshotDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatHappenedToEachRow_data();
    void saysWhatHappenedToEachRow();
    void namesThatDifferInOneByteAreTwoRows();
    void slotsOfOneResourceAreTwoRows();
    void rowsAreAccountedForOnRandomLists();
};

void TestSnapshotDiff::saysWhatHappenedToEachRow_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("removed");
    QTest::addColumn<QString>("inserted");
    QTest::addColumn<QString>("changed");
    QTest::addColumn<bool>("moved");
    const auto row = [](const char *title, const char *before, const char *after, const char *removed,
                        const char *inserted, const char *changed, bool moved) {
        const auto text = [](const char *latin) { return QString::fromLatin1(latin); };
        QTest::newRow(title) << text(before) << text(after) << text(removed) << text(inserted) << text(changed)
                             << moved;
    };
    row("nothing from nothing", "", "", "", "", "", false);
    row("the same again", "a b c", "a b c", "", "", "", false);
    row("all are new", "", "a b", "", "ab", "", false);
    row("all are gone", "a b", "", "ab", "", "", false);
    row("one leaves the middle", "a b c", "a c", "b", "", "", false);
    row("one joins at each end", "b", "a b c", "", "ac", "", false);
    row("one is in new hands", "a b c", "a b2 c", "", "", "b", false);
    row("one goes, one comes, one changes", "a b c", "b2 c d", "a", "d", "b", false);
    row("two swap", "a b", "b a", "", "", "", true);
    row("a removal alone moves nobody", "a b c d", "d", "abc", "", "", false);
    row("one moves to the end and changes", "a b c", "b c a7", "", "", "a", true);
}

void TestSnapshotDiff::saysWhatHappenedToEachRow()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    const auto old = list(before);
    const auto now = list(after);
    const ListDiff diff = diffLists(old, now);
    QTEST(names(old, diff.removed), "removed");
    QTEST(names(now, diff.inserted), "inserted");
    QTEST(names(now, diff.changed), "changed");
    QTEST(diff.moved, "moved");
    QCOMPARE(diff.isEmpty(), old == now);
}

void TestSnapshotDiff::namesThatDifferInOneByteAreTwoRows()
{
    const QList<LockItem> before{item("a"), item("A"), item("a "), item(QByteArray("a\0", 2))};
    const QList<LockItem> after{item("a"), item("a ")};
    const ListDiff diff = diffLists(before, after);
    QCOMPARE(diff.removed, QList<int>({1, 3}));
    QVERIFY(diff.inserted.isEmpty());
}

void TestSnapshotDiff::slotsOfOneResourceAreTwoRows()
{
    LockRow slot = item("pool").row;
    slot.key.slot = 1;
    const LockItem second{slot, {}, {}};
    const ListDiff diff = diffLists({item("pool")}, {item("pool"), second});
    QCOMPARE(diff.inserted, QList<int>({1}));
    QVERIFY(diff.changed.isEmpty());
}

/// Whatever two lists are: every old row is removed or has a place, every new row is inserted or comes from one.
void TestSnapshotDiff::rowsAreAccountedForOnRandomLists()
{
    QRandomGenerator random(20240601);
    const auto randomList = [&random] {
        QList<LockItem> items;
        for (char name = 'a'; name <= 'z'; ++name) {
            if (random.bounded(3) > 0)
                items.append(item(QByteArray(1, name), quint64(random.bounded(3)) + 1));
        }
        std::shuffle(items.begin(), items.end(), random);
        return items;
    };
    for (int round = 0; round < 500; ++round) {
        const auto before = randomList();
        const auto after = randomList();
        const ListDiff diff = diffLists(before, after);
        QList<LockItem> rebuilt(after.size());
        for (int row = 0; row < before.size(); ++row) {
            const int place = diff.newRowOf[row];
            QCOMPARE(place < 0, diff.removed.contains(row));
            if (place >= 0) {
                rebuilt[place] = before[row];
                QCOMPARE(diff.changed.contains(place), before[row] != after[place]);
            }
        }
        for (const QList<int> &rows : {diff.inserted, diff.changed}) {
            QVERIFY(std::is_sorted(rows.cbegin(), rows.cend()));
            for (const int row : rows)
                rebuilt[row] = after[row];
        }
        QCOMPARE(rebuilt, after);
    }
}

QTEST_GUILESS_MAIN(TestSnapshotDiff)
#include "tst_snapshotdiff.moc"
