// SPDX-License-Identifier: MIT
// Bars at the foot of a page: what goes or grows by itself moves no other, which somebody may be about to click.
#include "ui/widgets/barstack.h"
#include "ui/widgets/messagebar.h"

#include <QtTest/QTest>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

const QString kShort = u"The server does not answer."_s;
const QString kSmall = u"Lost connection (2013)\nagain\nand again\nand once more"_s;

} // namespace

class TestBarStack : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void oneThatComesStandsOnTop();
    void oneThatGoesByItselfLeavesAGap();
    void aGapAtTheTopIsGivenBack();
    void oneThatGrowsGoesToTheTop();
    void theHighestGrowsWhereItIs();
    void oneThatShrinksStandsWhereItStood();
    void oneThatComesBackAtOnceHasItsPlace();
    void whoClosesOneClosesTheGaps();
    void anotherWidthClosesTheGaps();

private:
    void settle() const { QCoreApplication::processEvents(); }
    QRect placeOf(int bar) const { return {m_bars[bar]->mapTo(m_page.get(), QPoint()), m_bars[bar]->size()}; }
    int foot(int bar) const { return placeOf(bar).bottom(); }
    void say(int bar, const QString &small = {})
    {
        m_bars[bar]->show(MessageBar::Level::Warning, kShort, small);
        settle();
    }
    void clear(int bar)
    {
        m_bars[bar]->clear();
        settle();
    }

    std::unique_ptr<QWidget> m_page;
    BarStack *m_stack = nullptr;
    QList<MessageBar *> m_bars; ///< from below
};

void TestBarStack::init()
{
    m_page = std::make_unique<QWidget>();
    m_page->resize(600, 600);
    m_stack = new BarStack;
    auto *column = new QVBoxLayout(m_page.get());
    column->setContentsMargins(0, 0, 0, 0);
    column->addStretch(1);
    column->addWidget(m_stack);
    m_bars.clear();
    for (int i = 0; i < 3; ++i) {
        m_bars.append(new MessageBar);
        m_stack->add(m_bars.last());
    }
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    for (int i = 0; i < 3; ++i)
        say(i);
}

void TestBarStack::oneThatComesStandsOnTop()
{
    QCOMPARE(foot(0), m_page->height() - 1);
    QCOMPARE(foot(1), placeOf(0).top() - 1);
    QCOMPARE(foot(2), placeOf(1).top() - 1);
    QCOMPARE(m_stack->height(), placeOf(0).height() * 3);
    clear(0);
    clear(1);
    clear(2);
    QCOMPARE(m_stack->height(), 0);
    say(1);
    say(0);
    QCOMPARE(foot(1), m_page->height() - 1);
    QCOMPARE(foot(0), placeOf(1).top() - 1);
}

void TestBarStack::oneThatGoesByItselfLeavesAGap()
{
    const QRect second = placeOf(1);
    const QRect third = placeOf(2);
    clear(0);
    QCOMPARE(placeOf(1), second);
    QCOMPARE(placeOf(2), third);
    clear(1);
    QCOMPARE(placeOf(2), third);
    say(0);
    QCOMPARE(placeOf(2), third);
    QCOMPARE(foot(0), third.top() - 1);
}

void TestBarStack::aGapAtTheTopIsGivenBack()
{
    const QRect first = placeOf(0);
    clear(1);
    clear(2);
    QCOMPARE(m_stack->height(), first.height());
    QCOMPARE(placeOf(0), first);
}

void TestBarStack::oneThatGrowsGoesToTheTop()
{
    const QRect second = placeOf(1);
    const QRect third = placeOf(2);
    say(0, kSmall);
    QVERIFY(placeOf(0).height() > second.height());
    QCOMPARE(placeOf(1), second);
    QCOMPARE(placeOf(2), third);
    QCOMPARE(foot(0), third.top() - 1);
}

void TestBarStack::theHighestGrowsWhereItIs()
{
    const int before = foot(2);
    say(2, kSmall);
    QCOMPARE(foot(2), before);
    say(2);
    QCOMPARE(foot(2), before);
}

void TestBarStack::oneThatShrinksStandsWhereItStood()
{
    clear(1);
    clear(2);
    say(0, kSmall);
    say(1);
    const QRect second = placeOf(1);
    say(0);
    QCOMPARE(placeOf(1), second);
    QCOMPARE(foot(0), m_page->height() - 1);
    say(0, kSmall); // there is room again
    QCOMPARE(placeOf(1), second);
    QCOMPARE(foot(0), m_page->height() - 1);
}

void TestBarStack::oneThatComesBackAtOnceHasItsPlace()
{
    const QRect first = placeOf(0);
    m_bars[0]->clear();
    say(0);
    QCOMPARE(placeOf(0), first);
}

void TestBarStack::whoClosesOneClosesTheGaps()
{
    clear(0);
    const auto buttons = m_bars[2]->findChildren<QToolButton *>();
    QCOMPARE(buttons.size(), 1);
    buttons.first()->click();
    settle();
    QCOMPARE(foot(1), m_page->height() - 1);
    QCOMPARE(m_stack->height(), placeOf(1).height());
}

void TestBarStack::anotherWidthClosesTheGaps()
{
    clear(0);
    m_page->resize(700, 600);
    settle();
    QCOMPARE(foot(1), m_page->height() - 1);
    QCOMPARE(foot(2), placeOf(1).top() - 1);
}

QTEST_MAIN(TestBarStack)
#include "tst_barstack.moc"
