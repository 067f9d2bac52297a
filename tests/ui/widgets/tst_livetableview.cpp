// SPDX-License-Identifier: MIT
// What the reader has in front of them stays there: selection, current row, scroll, order.
#include "listmaker.h"
#include "strict.h"

#include "ui/pages/locks/locktablemodel.h"
#include "ui/server/liveclock.h"
#include "ui/style/theme.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/livetreeview.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;

class TestLiveTableView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_view.reset(); }

    void theCurrentRowStaysWithItsLock_data();
    void theCurrentRowStaysWithItsLock();
    void theReadersPlaceStaysInView();
    void atTheTopTheListStaysAtTheTop();
    void aCurrentRowThatGoesLeavesNobodyCurrent_data();
    void aCurrentRowThatGoesLeavesNobodyCurrent();
    void columnsNeverNeedASidewaysScroll_data();
    void columnsNeverNeedASidewaysScroll();
    void tenThousandRowsSwapInOneStep();
    void selectedRowsStaySelectedAndNewOnesAreNot_data();
    void selectedRowsStaySelectedAndNewOnesAreNot();
    void whatIsOldIsMutedInEachTheme();
    void aKeyThatLeadsNowhereElseChoosesTheRow_data();
    void aKeyThatLeadsNowhereElseChoosesTheRow();

private:
    QByteArray currentName() const;
    QByteArray nameAtTop() const;

    std::unique_ptr<LiveClock> m_clock;
    std::unique_ptr<LockTableModel> m_model;
    std::unique_ptr<LiveTableView> m_view;
    std::unique_ptr<ListMaker> m_maker;
};

void TestLiveTableView::init()
{
    failOnWarnings();
    m_clock = std::make_unique<LiveClock>();
    m_model = std::make_unique<LockTableModel>(m_clock.get());
    m_maker = std::make_unique<ListMaker>();
    m_view = std::make_unique<LiveTableView>();
    m_view->setModel(m_model.get());
    connect(m_model.get(), &LockTableModel::aboutToApply, m_view.get(), &LiveTableView::keepPlace);
    connect(m_model.get(), &LockTableModel::applied, m_view.get(), &LiveTableView::restorePlace);
    connect(m_model.get(), &LockTableModel::aboutToApply, m_view.get(), &LiveTableView::holdSelection);
    connect(m_model.get(), &LockTableModel::applied, m_view.get(), &LiveTableView::restoreSelection);
    m_view->resize(800, 400);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

QByteArray TestLiveTableView::currentName() const
{
    const LockItem *item = m_model->itemAt(m_view->currentIndex().row());
    return item ? item->row->key.resource : QByteArray();
}

QByteArray TestLiveTableView::nameAtTop() const
{
    const LockItem *item = m_model->itemAt(m_view->rowAt(0));
    return item ? item->row->key.resource : QByteArray();
}

void TestLiveTableView::theCurrentRowStaysWithItsLock_data()
{
    QTest::addColumn<int>("goBefore");
    QTest::addColumn<int>("comeBefore");
    QTest::newRow("a few go") << 3 << 0;
    QTest::newRow("a few come") << 0 << 3;
    QTest::newRow("many go") << 90 << 0;
    QTest::newRow("many come") << 0 << 200;
    QTest::newRow("many go and come") << 90 << 200;
}

void TestLiveTableView::theCurrentRowStaysWithItsLock()
{
    QFETCH(int, goBefore);
    QFETCH(int, comeBefore);
    auto rows = ListMaker::rows(500);
    m_model->apply(m_maker->next(rows));
    m_view->selectRow(100);
    QCOMPARE(currentName(), "000100");
    rows.remove(0, goBefore);
    for (int i = 0; i < comeBefore; ++i)
        rows.append(ListMaker::row("!" + QByteArray::number(i)));
    m_model->apply(m_maker->next(rows));
    QCOMPARE(currentName(), "000100");
    QCOMPARE(m_view->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(m_view->selectionModel()->selectedRows().first().row(), m_view->currentIndex().row());
    m_maker->view.descending = true;
    m_model->apply(m_maker->next(rows));
    QCOMPARE(currentName(), "000100");
}

void TestLiveTableView::theReadersPlaceStaysInView()
{
    auto rows = ListMaker::rows(1000);
    m_model->apply(m_maker->next(rows));
    QTRY_VERIFY(m_view->verticalScrollBar()->maximum() > 0);
    m_view->verticalScrollBar()->setValue(300 * m_view->rowHeight(0) + 5);
    const QByteArray before = nameAtTop();
    QCOMPARE(before, "000300");
    rows.remove(10, 5);
    m_model->apply(m_maker->next(rows));
    QCOMPARE(nameAtTop(), before);
    for (int i = 0; i < 100; ++i)
        rows.append(ListMaker::row("!" + QByteArray::number(i)));
    m_model->apply(m_maker->next(rows));
    QCOMPARE(nameAtTop(), before);
    QCOMPARE(m_view->rowViewportPosition(m_view->rowAt(0)), -5);
}

void TestLiveTableView::atTheTopTheListStaysAtTheTop()
{
    auto rows = ListMaker::rows(100);
    m_model->apply(m_maker->next(rows));
    rows.append(ListMaker::row("!"));
    m_model->apply(m_maker->next(rows));
    QCOMPARE(nameAtTop(), "!");
}

void TestLiveTableView::aCurrentRowThatGoesLeavesNobodyCurrent_data()
{
    QTest::addColumn<int>("others");
    QTest::newRow("alone") << 0;
    QTest::newRow("with a few others") << 5;
    QTest::newRow("with many others") << 150;
}

/// The next key might otherwise release the neighbour.
void TestLiveTableView::aCurrentRowThatGoesLeavesNobodyCurrent()
{
    QFETCH(int, others);
    auto rows = ListMaker::rows(300);
    m_model->apply(m_maker->next(rows));
    m_view->selectRow(20);
    rows.remove(20, 1 + others);
    m_model->apply(m_maker->next(rows));
    QVERIFY(!m_view->currentIndex().isValid());
    QVERIFY(m_view->selectionModel()->selectedRows().isEmpty());
}

void TestLiveTableView::columnsNeverNeedASidewaysScroll_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {240, 480, 700, 1000, 2560})
        QTest::addRow("%d pixels", width) << width;
}

void TestLiveTableView::columnsNeverNeedASidewaysScroll()
{
    QFETCH(int, width);
    QList<ColumnSpec> columns(LockTableModel::ColumnCount);
    for (int i = 0; i < columns.size(); ++i)
        columns[i] = {QStringLiteral("some text"), i == 0 ? 1 : 0, i, 0};
    m_view->setColumns(columns);
    m_view->resize(width, 300);
    QTRY_COMPARE(m_view->horizontalScrollBar()->maximum(), 0);
    QVERIFY(!m_view->isColumnHidden(0));
    if (width == 2560)
        QCOMPARE(m_view->horizontalHeader()->hiddenSectionCount(), 0);
}

void TestLiveTableView::tenThousandRowsSwapInOneStep()
{
    auto rows = ListMaker::rows(10'000);
    m_model->apply(m_maker->next(rows));
    m_view->selectRow(5'000);
    for (qsizetype i = 0; i < 500; ++i)
        rows.removeAt(i * 3);
    QSignalSpy current(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged);
    const auto update = m_maker->next(rows);
    m_model->apply(update);
    QCOMPARE(currentName(), "005000");
    QCOMPARE(current.count(), 0);
}

void TestLiveTableView::selectedRowsStaySelectedAndNewOnesAreNot_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("reverses");
    QTest::newRow("few") << 40 << false;
    QTest::newRow("some") << 900 << false;
    QTest::newRow("very many") << 5000 << false;
    QTest::newRow("very many, in another order") << 5000 << true;
}

void TestLiveTableView::selectedRowsStaySelectedAndNewOnesAreNot()
{
    QFETCH(int, count);
    QFETCH(bool, reverses);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    QList<LockRow> rows = ListMaker::rows(count);
    m_model->apply(m_maker->next(rows));
    m_view->selectAll();
    const QSignalSpy told(m_view->selectionModel(), &QItemSelectionModel::selectionChanged);
    for (int i = 0; i < count / 2; i += 3)
        rows.removeAt(i);
    const qsizetype stay = rows.size();
    for (int i = 0; i < 100; ++i)
        rows.append(ListMaker::row("new/" + QByteArray::number(i)));
    m_maker->view.descending = reverses;
    m_model->apply(m_maker->next(rows));
    const QList<int> selected = m_view->selectedRowNumbers();
    QCOMPARE(selected.size(), stay);
    for (const int row : selected)
        QVERIFY(!m_model->itemAt(row)->row->key.resource.startsWith("new/"));
    QVERIFY(!told.isEmpty());

    m_model->apply(m_maker->next({ListMaker::row("new/1")}));
    QVERIFY(!m_view->selectionModel()->hasSelection());
}

void TestLiveTableView::whatIsOldIsMutedInEachTheme()
{
    applyTheme(Theme::Light);
    LiveTreeView tree;
    const auto color = [](const QWidget &view) { return view.palette().color(QPalette::Text); };
    m_view->setStale(true);
    tree.setStale(true);
    applyTheme(Theme::Dark);
    const QPalette dark = QApplication::palette();
    QTRY_COMPARE(color(*m_view), mutedText(dark));
    QTRY_COMPARE(color(tree), mutedText(dark));
    m_view->setStale(false);
    tree.setStale(false);
    QCOMPARE(color(*m_view), dark.color(QPalette::Text));
    QCOMPARE(color(tree), dark.color(QPalette::Text));
}

void TestLiveTableView::aKeyThatLeadsNowhereElseChoosesTheRow_data()
{
    QTest::addColumn<bool>("isTree");
    QTest::addColumn<Qt::Key>("key");
    for (const bool isTree : {false, true}) {
        for (const Qt::Key key : {Qt::Key_Home, Qt::Key_End, Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp})
            QTest::addRow("%s, %s", isTree ? "tree" : "table", qPrintable(QKeySequence(key).toString()))
                << isTree << key;
    }
}

/// With the focus comes a current row that is not chosen, and all that a key can mean is that one.
void TestLiveTableView::aKeyThatLeadsNowhereElseChoosesTheRow()
{
    QFETCH(bool, isTree);
    QFETCH(Qt::Key, key);
    m_model->apply(m_maker->next(ListMaker::rows(1)));
    LiveTreeView tree;
    tree.setModel(m_model.get());
    QAbstractItemView *view = isTree ? static_cast<QAbstractItemView *>(&tree) : m_view.get();
    view->show();
    view->setFocus(Qt::TabFocusReason);
    view->selectionModel()->setCurrentIndex(m_model->index(0, 0), QItemSelectionModel::NoUpdate);
    QVERIFY(!view->selectionModel()->hasSelection());
    QTest::keyClick(view, key);
    QCOMPARE(view->selectionModel()->selectedRows(), QModelIndexList{m_model->index(0, 0)});
    view->clearSelection();
    QTest::keyClick(view, key, Qt::ControlModifier); // moves without choosing
    QVERIFY(!view->selectionModel()->hasSelection());
}

QTEST_MAIN(TestLiveTableView)
#include "tst_livetableview.moc"
