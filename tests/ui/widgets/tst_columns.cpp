// SPDX-License-Identifier: MIT
// Columns as people know them: they are made wider, moved, hidden and kept, and fit their texts by themselves.
#include "listmaker.h"
#include "strict.h"

#include "ui/pages/locks/locktablemodel.h"
#include "ui/server/liveclock.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QMenu>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QVBoxLayout>

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Column = LockTableModel::Column;

namespace {

/// A list with a filter above it, as a page has them.
class List : public QWidget
{
public:
    List()
        : m_model(&m_clock)
        , m_filter(u"Filter"_s, this)
        , m_view(this)
    {
        auto *column = new QVBoxLayout(this);
        column->addWidget(&m_filter);
        column->addWidget(&m_view);
        m_view.setModel(&m_model);
        QList<ColumnSpec> columns(LockTableModel::ColumnCount, ColumnSpec{u"some text"_s, 0, 0, 0});
        columns[Column::ResourceColumn].share = 1;
        columns[Column::SessionColumn].drop = 1;
        columns[Column::TtlColumn].extra = 46; // a bar
        columns[Column::TokenColumn].isWhole = true;
        m_view.setColumns(columns);
        m_view.nameColumns<Column>(u"locks"_s);
        m_view.horizontalHeader()->setSortIndicatorShown(true);
        m_filter.setList(&m_view);
        resize(1200, 400);
        show();
    }

    void put(const QList<LockRow> &rows) { m_model.apply(m_maker.next(rows)); }
    LiveTableView *view() { return &m_view; }
    FlatHeader *header() { return m_view.flatHeader(); }
    FilterEdit *filter() { return &m_filter; }
    int width(int column) const { return m_view.columnWidth(column); }

    QAction *choice(QMenu *menu, int column)
    {
        const QString title = m_model.headerData(column, Qt::Horizontal).toString();
        for (QAction *action : menu->actions()) {
            if (action->text() == title)
                return action;
        }
        return nullptr;
    }
    void toggle(int column)
    {
        QMenu menu;
        header()->fillMenu(&menu);
        choice(&menu, column)->toggle();
    }
    /// With the mouse, from the border behind the column.
    void drag(int column, int pixels)
    {
        QWidget *mouse = header()->viewport();
        const int y = mouse->height() / 2;
        const int x = header()->sectionViewportPosition(column) + width(column) - 1;
        QTest::mousePress(mouse, Qt::LeftButton, {}, {x, y});
        for (int step = 1; step <= 4; ++step) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x + pixels * step / 4.0, y),
                             mouse->mapToGlobal(QPointF(x + pixels * step / 4.0, y)), Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(mouse, &move);
        }
        QTest::mouseRelease(mouse, Qt::LeftButton, {}, {x + pixels, y});
    }

private:
    LiveClock m_clock;
    LockTableModel m_model;
    ListMaker m_maker;
    FilterEdit m_filter;
    LiveTableView m_view;
};

} // namespace

class TestColumns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(OffscreenWarning); }

    void aBorderIsDraggedAndWhatIsBeforeItStays();
    void aDoubleClickFitsTheText();
    void textsGetTheRoomThatThereIs();
    void aNumberIsWholeBeforeTextsAre();
    void roomThatATextDoesNotNeedIsAnothers();
    void roomForABarThatIsNotThereIsTheNames();
    void columnsOfDashesGiveTheirRoomToTheName();
    void whatIsWiderThanTheViewIsScrolledTo();
    void inANarrowViewAllAreNarrower();
    void aColumnIsHiddenAndShown();
    void theLastColumnStays();
    void usualColumnsComeBack();
    void everythingIsKept();
    void columnsOfAnotherVersionAreNoHarm();
    void damagedSettingsAreNoHarm();
    void theFilterMovesInTheList_data();
    void theFilterMovesInTheList();
    void fromTheFilterOneGoesToTheFirstRow_data();
    void fromTheFilterOneGoesToTheFirstRow();
};

void TestColumns::aBorderIsDraggedAndWhatIsBeforeItStays()
{
    List list;
    const int resource = list.width(Column::ResourceColumn);
    const int owner = list.width(Column::OwnerColumn);
    list.drag(Column::OwnerColumn, 60);
    QCOMPARE(list.width(Column::OwnerColumn), owner + 60);
    QCOMPARE(list.width(Column::ResourceColumn), resource);
    list.resize(1400, 400); // later too
    QCoreApplication::processEvents();
    QCOMPARE(list.width(Column::OwnerColumn), owner + 60);
}

void TestColumns::aDoubleClickFitsTheText()
{
    List list;
    LockRow row = ListMaker::row("a");
    row.note = "a note that is a little longer than others";
    list.put({row});
    list.drag(Column::NoteColumn, -20);
    Q_EMIT list.header()->sectionHandleDoubleClicked(Column::NoteColumn);
    const int text = list.fontMetrics().horizontalAdvance(QString::fromUtf8(row.note));
    QVERIFY(list.width(Column::NoteColumn) >= text);
    QVERIFY(list.width(Column::NoteColumn) < text + 40);
}

void TestColumns::textsGetTheRoomThatThereIs()
{
    List list;
    LockRow row = ListMaker::row("a");
    row.note = "a note that is a little longer than others";
    list.put({row});
    const int text = list.fontMetrics().horizontalAdvance(QString::fromUtf8(row.note));
    QTRY_VERIFY(list.width(Column::NoteColumn) > text);
    const int fitted = list.width(Column::NoteColumn);
    list.put({ListMaker::row("b")});
    QTest::qWait(300); // nothing jumps to and fro
    QCOMPARE(list.width(Column::NoteColumn), fitted);
    list.resize(800, 400); // there is not the room
    QTRY_COMPARE(list.view()->horizontalScrollBar()->maximum(), 0);
}

void TestColumns::aNumberIsWholeBeforeTextsAre()
{
    List list;
    LockRow row = ListMaker::row("lease", 1'795'911'394'352'982ULL); // as Redis has them
    row.note = QByteArray(400, 'x');                                 // it takes all that it is given
    list.put({row});
    const int text = list.fontMetrics().horizontalAdvance(u"1,795,911,394,352,982"_s);
    QTRY_VERIFY(list.width(Column::TokenColumn) > text);
    QCOMPARE(list.view()->horizontalScrollBar()->maximum(), 0);
}

void TestColumns::roomThatATextDoesNotNeedIsAnothers()
{
    List list;
    list.resize(list.header()->length() + 20, 400); // no more than the texts that columns are made for
    QCoreApplication::processEvents();
    LockRow row = ListMaker::row("a resource with a name");
    list.put({row});
    const int text = list.fontMetrics().horizontalAdvance(QString::fromUtf8(row.key.resource));
    QTRY_VERIFY(list.width(Column::ResourceColumn) > text);
    QCOMPARE(list.view()->horizontalScrollBar()->maximum(), 0);
}

void TestColumns::roomForABarThatIsNotThereIsTheNames()
{
    List list;
    list.put({ListMaker::row(QByteArray(400, 'x'))}); // it has no end
    const int text = list.fontMetrics().horizontalAdvance(u"no end"_s) + 2 * RowDelegate::Padding;
    QTRY_VERIFY(list.width(Column::TtlColumn) < text + 12);
}

void TestColumns::columnsOfDashesGiveTheirRoomToTheName()
{
    List list;
    QList<LockRow> rows{ListMaker::rowLock("shop.stock PRIMARY " + QByteArray(300, 'x'), 3)};
    rows.first().key.kind = LockKind::Transaction; // has neither TTL nor token
    list.put(rows);
    const auto hasItsTitleOnly = [&list](int column, const QString &title) {
        const int width = list.header()->titleWidth(title);
        return list.width(column) >= width && list.width(column) < width + 8;
    };
    QTRY_VERIFY(hasItsTitleOnly(Column::TtlColumn, u"TTL"_s));
    QVERIFY(hasItsTitleOnly(Column::TokenColumn, u"Token"_s));
    rows.append(ListMaker::row("lease", 123'456'789'012ULL));
    list.put(rows);
    QTRY_VERIFY(!hasItsTitleOnly(Column::TokenColumn, u"Token"_s)); // there is something in it now
}

void TestColumns::whatIsWiderThanTheViewIsScrolledTo()
{
    List list;
    QVERIFY(!list.view()->horizontalScrollBar()->isVisible());
    list.drag(Column::OwnerColumn, 1100);
    QTRY_VERIFY(list.view()->horizontalScrollBar()->isVisible());
    QVERIFY(list.view()->isColumnHidden(Column::SessionColumn));
}

void TestColumns::inANarrowViewAllAreNarrower()
{
    List list;
    list.resize(720, 400);
    QCoreApplication::processEvents();
    QVERIFY(!list.header()->isSectionHidden(Column::WaitersColumn));
    QVERIFY2(list.header()->length() <= list.view()->viewport()->width(),
             qPrintable(u"%1 in %2"_s.arg(list.header()->length()).arg(list.view()->viewport()->width())));
    QVERIFY(!list.view()->horizontalScrollBar()->isVisible());
    QVERIFY(list.width(Column::ResourceColumn) >= list.fontMetrics().horizontalAdvance(u"some text"_s)); // its sample
    QVERIFY(list.width(Column::ResourceColumn) > list.width(Column::OwnerColumn));
}

void TestColumns::aColumnIsHiddenAndShown()
{
    List list;
    list.toggle(Column::OwnerColumn);
    QVERIFY(list.view()->isColumnHidden(Column::OwnerColumn));
    list.toggle(Column::OwnerColumn);
    QVERIFY(!list.view()->isColumnHidden(Column::OwnerColumn));
    list.resize(500, 400);
    QTRY_VERIFY(list.view()->isColumnHidden(Column::SessionColumn)); // for lack of room
    list.toggle(Column::SessionColumn);
    QVERIFY(!list.view()->isColumnHidden(Column::SessionColumn));
}

void TestColumns::theLastColumnStays()
{
    List list;
    for (int column = 1; column < LockTableModel::ColumnCount; ++column)
        list.toggle(column);
    QMenu menu;
    list.header()->fillMenu(&menu);
    QVERIFY(!list.choice(&menu, 0)->isEnabled());
    QVERIFY(list.choice(&menu, 1)->isEnabled());
}

void TestColumns::usualColumnsComeBack()
{
    List list;
    const int owner = list.width(Column::OwnerColumn);
    list.drag(Column::OwnerColumn, 60);
    list.toggle(Column::NoteColumn);
    list.header()->moveSection(0, 3);
    QMenu menu;
    list.header()->fillMenu(&menu);
    menu.actions().last()->trigger();
    QCOMPARE(list.width(Column::OwnerColumn), owner);
    QVERIFY(!list.view()->isColumnHidden(Column::NoteColumn));
    QCOMPARE(list.header()->visualIndex(0), 0);
}

void TestColumns::everythingIsKept()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(u"settings"_s), QSettings::IniFormat);
    int owner = 0;
    {
        List list;
        list.header()->moveSection(list.header()->visualIndex(Column::TokenColumn), 0);
        list.drag(Column::OwnerColumn, 60);
        owner = list.width(Column::OwnerColumn);
        list.toggle(Column::NoteColumn);
        list.header()->setSortIndicator(Column::TtlColumn, Qt::DescendingOrder);
        list.header()->save(settings);
        settings.sync();
    }
    List list;
    list.header()->restore(QSettings(folder.filePath(u"settings"_s), QSettings::IniFormat));
    QCOMPARE(list.header()->visualIndex(Column::TokenColumn), 0);
    QCOMPARE(list.header()->visualIndex(Column::ResourceColumn), 1);
    QVERIFY2(qAbs(list.width(Column::OwnerColumn) - owner) <= 1, qPrintable(QString::number(owner)));
    QVERIFY(list.view()->isColumnHidden(Column::NoteColumn));
    QCOMPARE(list.header()->sortIndicatorSection(), int(Column::TtlColumn));
    QCOMPARE(list.header()->sortIndicatorOrder(), Qt::DescendingOrder);
}

void TestColumns::columnsOfAnotherVersionAreNoHarm()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(u"settings"_s), QSettings::IniFormat);
    List list;
    list.header()->moveSection(0, 2); // Server, State, Resource, Owner
    list.header()->save(settings);
    QStringList order = settings.value(u"tables/locks/order"_s).toStringList();
    order.removeAll(u"OwnerColumn"_s); // it did not know this one
    order.prepend(u"MoodColumn"_s);    // and this one is no more
    settings.setValue(u"tables/locks/order"_s, order);
    settings.setValue(u"tables/locks/shown"_s, QVariantMap{{u"MoodColumn"_s, false}});
    List next;
    next.header()->restore(settings);
    QCOMPARE(next.header()->logicalIndex(1), int(Column::StateColumn));
    QCOMPARE(next.header()->logicalIndex(2), int(Column::OwnerColumn)); // behind State, as for somebody new
    QCOMPARE(next.header()->logicalIndex(3), int(Column::ResourceColumn));
    QVERIFY(!next.view()->isColumnHidden(Column::OwnerColumn));
}

void TestColumns::damagedSettingsAreNoHarm()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(u"settings"_s), QSettings::IniFormat);
    settings.setValue(u"tables/locks/order"_s, QStringList{u"OwnerColumn"_s, u"OwnerColumn"_s, {}});
    settings.setValue(u"tables/locks/widths"_s, QVariantMap{{u"OwnerColumn"_s, 1e9}, {u"NoteColumn"_s, u"wide"_s}});
    settings.setValue(u"tables/locks/sorted"_s, u"Mood"_s);
    QVariantMap nothing;
    for (int column = 0; column < LockTableModel::ColumnCount; ++column)
        nothing[QString::fromLatin1(QMetaEnum::fromType<Column>().valueToKey(column))] = false;
    List list;
    list.header()->restore(settings);
    QCOMPARE(list.header()->logicalIndex(0), int(Column::ResourceColumn));
    settings.setValue(u"tables/locks/shown"_s, nothing);
    list.header()->restore(settings);
    QVERIFY(list.header()->hiddenSectionCount() < LockTableModel::ColumnCount);
}

void TestColumns::theFilterMovesInTheList_data()
{
    QTest::addColumn<QList<Qt::Key>>("keys");
    QTest::addColumn<int>("row");
    QTest::newRow("down") << QList{Qt::Key_Down, Qt::Key_Down} << 1;
    QTest::newRow("up") << QList{Qt::Key_Down, Qt::Key_Down, Qt::Key_Up} << 0;
    QTest::newRow("end") << QList{Qt::Key_End} << 99;
    QTest::newRow("home") << QList{Qt::Key_End, Qt::Key_Home} << 0;
    QTest::newRow("a page") << QList{Qt::Key_Home, Qt::Key_PageDown, Qt::Key_PageUp} << 0;
}

void TestColumns::theFilterMovesInTheList()
{
    QFETCH(QList<Qt::Key>, keys);
    QFETCH(int, row);
    List list;
    list.put(ListMaker::rows(100));
    list.filter()->setFocus();
    for (const Qt::Key key : keys)
        QTest::keyClick(list.filter(), key);
    QCOMPARE(list.view()->currentIndex().row(), row);
    QCOMPARE(list.view()->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(list.view()->selectionModel()->selectedRows().first().row(), row);
    QTest::keyClick(list.filter(), Qt::Key_A);
    QCOMPARE(list.filter()->text(), u"a"_s); // the text keeps the focus
}

void TestColumns::fromTheFilterOneGoesToTheFirstRow_data()
{
    QTest::addColumn<QList<Qt::Key>>("keys");
    QTest::newRow("Return") << QList{Qt::Key_Return};
    QTest::newRow("Del") << QList{Qt::Key_Delete};
    QTest::newRow("Tab and down") << QList{Qt::Key_Tab, Qt::Key_Down};
}

void TestColumns::fromTheFilterOneGoesToTheFirstRow()
{
    QFETCH(QList<Qt::Key>, keys);
    List list;
    QVERIFY(QTest::qWaitForWindowActive(&list));
    list.put(ListMaker::rows(100));
    list.filter()->setFocus();
    for (const Qt::Key key : keys)
        QTest::keyClick(list.focusWidget(), key);
    QVERIFY(list.view()->hasFocus());
    QCOMPARE(list.view()->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(list.view()->selectionModel()->selectedRows().first().row(), 0);
    QTest::keyClick(list.view(), Qt::Key_Down);
    QCOMPARE(list.view()->currentIndex().row(), 1);
    list.filter()->setFocus();
    QTest::keyClick(list.filter(), Qt::Key_Return);
    QCOMPARE(list.view()->currentIndex().row(), 1); // what was chosen stays so
    list.filter()->setText(u"ab"_s);
    list.filter()->setFocus();
    list.filter()->setCursorPosition(1);
    QTest::keyClick(list.filter(), Qt::Key_Delete);
    QCOMPARE(list.filter()->text(), u"a"_s);
    QVERIFY(list.filter()->hasFocus());
}

QTEST_MAIN(TestColumns)
#include "tst_columns.moc"
