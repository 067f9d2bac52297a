// SPDX-License-Identifier: MIT
// Controls in rows: nothing is cut while there is room below, and what is hidden takes none.
#include "ui/widgets/flowlayout.h"

#include <QtTest/QTest>
#include <QtWidgets/QVBoxLayout>
#include <QtWidgets/QWidget>

using namespace lockscope::ui;

namespace {

constexpr int kSpacing = 8;
constexpr QSize kSize(100, 20);

} // namespace

class TestFlowLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void inARowWhereThereIsRoom();
    void inMoreRowsWhereThereIsNot();
    void whatIsHiddenTakesNoRoom();
    void theOtherWayAroundWhereOneReadsSo();

private:
    /// Shows four in a room of this width.
    void show(int width);

    std::unique_ptr<QWidget> m_box;
    QList<QWidget *> m_parts;
};

void TestFlowLayout::init()
{
    m_box = std::make_unique<QWidget>();
    m_parts.clear();
    auto *column = new QVBoxLayout(m_box.get());
    column->setContentsMargins(0, 0, 0, 0);
    auto *flow = new FlowLayout(kSpacing);
    column->addStretch(1);
    column->addLayout(flow);
    for (int i = 0; i < 4; ++i) {
        m_parts.append(new QWidget);
        m_parts.last()->setFixedSize(kSize);
        flow->addWidget(m_parts.last());
    }
}

void TestFlowLayout::show(int width)
{
    m_box->resize(width, 200);
    m_box->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_box.get()));
}

void TestFlowLayout::inARowWhereThereIsRoom()
{
    show(4 * kSize.width() + 3 * kSpacing);
    for (int i = 0; i < 4; ++i)
        QCOMPARE(m_parts[i]->geometry(), QRect(QPoint(i * (kSize.width() + kSpacing), 180), kSize));
}

void TestFlowLayout::inMoreRowsWhereThereIsNot()
{
    show(4 * kSize.width() + 3 * kSpacing - 1);
    QCOMPARE(m_parts[2]->y(), 180 - kSize.height() - kSpacing);
    QCOMPARE(m_parts[3]->pos(), QPoint(0, 180));
    show(2 * kSize.width() + kSpacing);
    QCOMPARE(m_parts[1]->y(), m_parts[0]->y());
    QCOMPARE(m_parts[2]->pos(), QPoint(0, 180));
    QCOMPARE(m_box->layout()->minimumSize(), QSize(kSize.width(), kSize.height())); // narrower than any row
}

void TestFlowLayout::whatIsHiddenTakesNoRoom()
{
    m_parts[0]->hide();
    show(4 * kSize.width() + 3 * kSpacing);
    QCOMPARE(m_parts[1]->x(), 0);
}

void TestFlowLayout::theOtherWayAroundWhereOneReadsSo()
{
    m_box->setLayoutDirection(Qt::RightToLeft);
    show(1000);
    QCOMPARE(m_parts[0]->geometry().right(), 999);
    QVERIFY(m_parts[1]->x() < m_parts[0]->x());
}

QTEST_MAIN(TestFlowLayout)
#include "tst_flowlayout.moc"
