// SPDX-License-Identifier: MIT
// Lessons are found from what they explain, and lead back to it, by the keyboard alone.
#include "lab/labplan.h"
#include "lessons/lessonlibrary.h"
#include "strict.h"
#include "ui/pages/lab/labform.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/lessons/lessonspage.h"
#include "ui/pages/lessons/lessonstepmodel.h"
#include "ui/pages/waits/waitinspector.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/widgets/linklabel.h"
#include "waitsmaker.h"
#include "windowtest.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

enum PageNumber { Waits = 1, Lab = 4, Lessons = 6 };

QStringList targets(const LinkLabel *label)
{
    QStringList found;
    for (const LinkLabel::Link &link : label->links())
        found += link.target;
    return found;
}

} // namespace

class TestLessonLinks : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup();

    void aScenarioLeadsToItsLessonsAndBack();
    void aLessonAboutAModeChoosesIt();
    void theOwnLoadHasNoLesson();
    void everyScenarioIsReachedFromALesson();
    void aWaitLeadsToTheLessonOfItsShape_data();
    void aWaitLeadsToTheLessonOfItsShape();
    void aRingLeadsToTheDeadlock();
    void aPreparedTransactionLeadsToItsOwn();
    void whoDoesNothingHasNoLesson();
    void whatComesNewKeepsTheChosenLink();
    void tabGoesOverAllLinksBothWays();
    void aLinkIsInTheColoursOfEachTheme_data();
    void aLinkIsInTheColoursOfEachTheme();

private:
    const QString &lesson() const { return m_window->lessonsPage()->steps()->lesson().id; }
    LinkLabel *link(QWidget *page) const { return page->findChild<LinkLabel *>(); }
    /// The `number`th link of it, by Tab and Enter.
    void follow(LinkLabel *label, int number = 0);
    void show(const WaitsMaker &maker, quint64 session);
};

void TestLessonLinks::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    openSilentServer();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestLessonLinks::cleanup()
{
    closeWindow();
    applyAppearance({Theme::Light, u"en"_s, false});
}

void TestLessonLinks::follow(LinkLabel *label, int number)
{
    QVERIFY(label && label->isVisible());
    label->setFocus(Qt::TabFocusReason);
    for (int i = 0; i < number; ++i)
        QTest::keyClick(label, Qt::Key_Tab);
    QCOMPARE(m_window->focusWidget(), label);
    QTest::keyClick(label, Qt::Key_Return);
}

void TestLessonLinks::aScenarioLeadsToItsLessonsAndBack()
{
    m_window->showPage(Lab);
    m_window->labPage()->form()->chooseScenario(u"flash-sale"_s);
    LinkLabel *lessons = link(m_window->labPage());
    QVERIFY2(lessons->accessibleName().startsWith(u"What happens here: Ghost stock: 10 phones"_s),
             qPrintable(lessons->accessibleName()));
    QCOMPARE(targets(lessons).value(1), u"condition-in-the-update"_s);
    follow(lessons, 1);
    QCOMPARE(m_window->page(), int(Lessons));
    QCOMPARE(lesson(), u"condition-in-the-update"_s);
    QCOMPARE(m_window->focusWidget(), m_window->lessonsPage()->nextButton());
    m_window->labPage()->form()->chooseScenario({});
    follow(link(m_window->lessonsPage()));
    QCOMPARE(m_window->page(), int(Lab));
    QCOMPARE(m_window->labPage()->form()->plan().name, u"flash-sale"_s);
}

void TestLessonLinks::aLessonAboutAModeChoosesIt()
{
    m_window->labPage()->form()->chooseScenario(u"flash-sale"_s, LabWay::Pessimistic);
    m_window->showPage(Lessons);
    m_window->lessonsPage()->open(u"release-by-name"_s);
    follow(link(m_window->lessonsPage()));
    const LabPlan plan = m_window->labPage()->form()->plan();
    QCOMPARE(plan.name, u"long-holder"_s);
    QCOMPARE(plan.way, LabWay::ReleaseByName);
    m_window->showPage(Lessons);
    m_window->lessonsPage()->open(u"short-ttl"_s); // about none
    follow(link(m_window->lessonsPage()));
    QCOMPARE(m_window->labPage()->form()->plan().way, LabWay::ReleaseByName);
}

void TestLessonLinks::theOwnLoadHasNoLesson()
{
    m_window->showPage(Lab);
    LinkLabel *lessons = link(m_window->labPage());
    QVERIFY(!lessons->isVisible());
    m_window->labPage()->form()->chooseScenario(u"fair-queue"_s);
    QVERIFY(lessons->isVisible());
    LabPlan touched = m_window->labPage()->form()->plan();
    touched.workers = 3;
    m_window->labPage()->form()->setPlan(touched); // is still that story
    QVERIFY(lessons->isVisible());
    m_window->labPage()->form()->chooseScenario({});
    QVERIFY(!lessons->isVisible());
}

void TestLessonLinks::everyScenarioIsReachedFromALesson()
{
    for (const LabPlan &plan : labScenarios()) {
        m_window->showPage(Lessons);
        m_window->lessonsPage()->open(lessonsOfScenario(plan.name, u"en"_s).first().id);
        LinkLabel *scenarios = link(m_window->lessonsPage());
        QStringList named;
        for (const QString &link : targets(scenarios))
            named += scenarioOf(link);
        follow(scenarios, int(named.indexOf(plan.name)));
        QCOMPARE(m_window->page(), int(Lab));
        QCOMPARE(m_window->labPage()->form()->plan().name, plan.name);
    }
    m_window->showPage(Lessons);
    m_window->lessonsPage()->open(u"a-b-b-a"_s);
    QVERIFY(!link(m_window->lessonsPage())->isVisible()); // of no scenario
}

void TestLessonLinks::show(const WaitsMaker &maker, quint64 session)
{
    m_window->showPage(Waits);
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(maker.done(), {});
    m_window->waitsPage()->select(session);
}

void TestLessonLinks::aWaitLeadsToTheLessonOfItsShape_data()
{
    QTest::addColumn<ServerLockKind>("kind");
    QTest::addColumn<bool>("isGap");
    QTest::addColumn<QString>("lesson");
    QTest::newRow("row") << ServerLockKind::Record << false << u"forgotten-commit"_s;
    QTest::newRow("gap") << ServerLockKind::Record << true << u"missing-row"_s;
    QTest::newRow("table") << ServerLockKind::Table << false << u"auto-increment"_s;
    QTest::newRow("definition") << ServerLockKind::Metadata << false << u"alter-in-the-queue"_s;
    QTest::newRow("name") << ServerLockKind::User << false << u"get-lock"_s;
}

void TestLessonLinks::aWaitLeadsToTheLessonOfItsShape()
{
    QFETCH(ServerLockKind, kind);
    QFETCH(bool, isGap);
    WaitsMaker maker;
    WaitEdge &edge = maker.wait(2, 1);
    edge.object.kind = kind;
    edge.object.isGap = isGap;
    for (const quint64 session : {1ULL, 2ULL}) { // who waits, and who holds it up
        show(maker, session);
        follow(link(m_window->waitsPage()->inspector()));
        QCOMPARE(m_window->page(), int(Lessons));
        QTEST(lesson(), "lesson");
    }
}

void TestLessonLinks::aRingLeadsToTheDeadlock()
{
    WaitsMaker maker;
    maker.wait(2, 1, "5");
    maker.wait(1, 2, "6");
    show(maker, 2);
    follow(link(m_window->waitsPage()->inspector()));
    QCOMPARE(lesson(), u"a-b-b-a"_s);
}

void TestLessonLinks::aPreparedTransactionLeadsToItsOwn()
{
    WaitsMaker maker;
    maker.prepare(7, {});
    maker.session(2);
    maker.waits().edges.append(edge(2, preparedNumber(7), row("5")));
    for (const quint64 chosen : {quint64(2), preparedNumber(7)}) {
        show(maker, chosen);
        follow(link(m_window->waitsPage()->inspector()));
        QCOMPARE(lesson(), u"xa-prepare"_s);
    }
}

void TestLessonLinks::whoDoesNothingHasNoLesson()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    show(maker, 1);
    QVERIFY(link(m_window->waitsPage()->inspector())->isVisible());
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(WaitsMaker().done(), {}); // it was like this when last seen
    QVERIFY(m_window->waitsPage()->inspector()->isGone());
    QVERIFY(link(m_window->waitsPage()->inspector())->isVisible());
}

/// Looks come twice a second.
void TestLessonLinks::whatComesNewKeepsTheChosenLink()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    show(maker, 2);
    LinkLabel *label = link(m_window->waitsPage()->inspector());
    label->setFocus(Qt::TabFocusReason);
    show(maker, 2);
    QVERIFY(label->hasFocus() && label->hasSelectedText());
    QTest::keyClick(label, Qt::Key_Return);
    QCOMPARE(lesson(), u"forgotten-commit"_s);
}

void TestLessonLinks::tabGoesOverAllLinksBothWays()
{
    m_window->showPage(Lab);
    m_window->labPage()->form()->chooseScenario(u"fair-queue"_s);
    LinkLabel *label = link(m_window->labPage());
    QStringList titles;
    for (const LinkLabel::Link &each : label->links())
        titles += each.text;
    QVERIFY(titles.size() > 1);
    for (int round = 0; round < 2; ++round) { // also after it has had the focus before
        QStringList seen;
        label->setFocus(Qt::TabFocusReason);
        for (; label->hasFocus(); QTest::keyClick(label, Qt::Key_Tab))
            seen += label->selectedText();
        QCOMPARE(seen, titles);
        seen.clear();
        label->setFocus(Qt::BacktabFocusReason);
        for (; label->hasFocus(); QTest::keyClick(label, Qt::Key_Backtab))
            seen.prepend(label->selectedText());
        QCOMPARE(seen, titles);
    }
}

void TestLessonLinks::aLinkIsInTheColoursOfEachTheme_data()
{
    QTest::addColumn<Theme>("before");
    QTest::addColumn<Theme>("after");
    QTest::newRow("from the desktop's to dark") << Theme::System << Theme::Dark;
    QTest::newRow("from light to dark") << Theme::Light << Theme::Dark;
    QTest::newRow("from dark to light") << Theme::Dark << Theme::Light;
    QTest::newRow("from dark to the desktop's") << Theme::Dark << Theme::System;
}

void TestLessonLinks::aLinkIsInTheColoursOfEachTheme()
{
    QFETCH(Theme, before);
    QFETCH(Theme, after);
    applyAppearance({before, u"en"_s, false});
    WaitsMaker maker;
    maker.wait(2, 1);
    show(maker, 2);
    m_window->labPage()->form()->chooseScenario(u"flash-sale"_s);
    m_window->lessonsPage()->open(u"release-by-name"_s);
    const auto hasColor = [](LinkLabel *label) {
        const QImage image = label->grab().toImage();
        const QRgb wanted = QApplication::palette().color(QPalette::Link).rgb();
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixel(x, y) == wanted)
                    return true;
            }
        }
        return false;
    };
    const std::pair<int, QWidget *> places[] = {
        {Waits, m_window->waitsPage()->inspector()}, {Lab, m_window->labPage()}, {Lessons, m_window->lessonsPage()}};
    for (const Theme theme : {before, after}) {
        applyAppearance({theme, u"en"_s, false});
        for (const auto &[page, place] : places) {
            m_window->showPage(page);
            QTRY_COMPARE(link(place)->palette().color(QPalette::Link),
                         QApplication::palette().color(QPalette::Link)); // which comes a little later
            QTRY_VERIFY(hasColor(link(place)));
        }
    }
}

QTEST_MAIN(TestLessonLinks)
#include "tst_lessonlinks.moc"
