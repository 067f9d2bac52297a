// SPDX-License-Identifier: MIT
// The graph of who waits for whom: what Graphviz is told, what is drawn of its answer, and what happens without one.
#include "strict.h"
#include "ui/pages/waits/graphlayout.h"
#include "ui/pages/waits/waitgraphview.h"
#include "ui/style/appearance.h"
#include "waitsmaker.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtGui/QImage>
#include <QtGui/QWheelEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

WaitKey session(quint64 id)
{
    return {WaitKey::Kind::Session, id};
}

} // namespace

class TestWaitGraphView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init();

    void graphvizIsToldNumbersOnly();
    void aDamagedAnswerIsRefused_data();
    void aDamagedAnswerIsRefused();
    void blockersStandLeftOfThoseThatWait();
    void aRingStandsInAFrame();
    void aRingsTitleTouchesNoBox();
    void twoHundredSessionsAreDrawn();
    void aLongChainIsFolded();
    void unchangedWaitsAreNotLaidOutAgain();
    void theSelectedSessionKeepsItsPlace();
    void itShowsAllUntilSomebodyLooksCloser();
    void aLargeGraphStaysReadable();
    void aClickChoosesASession();
    void aRightClickChoosesASessionAndOpensNothing();
    void arrowKeysGoFromBoxToBox();
    void theWheelZooms();
    void everyFormatIsExported();
    void withoutGraphvizItFails();
    void whatFailedOnceIsTriedAgainAfterAnother();
    void equalWaitersAreOneBoxUntilTheyAreOpened();
    void clearedItShowsAndAwaitsNothing();
    void aLateAnswerIsNotWaitedFor();
    void aLateOneIsDrawnUntilTheLatestIs();
    void aFailureDoesNotKeepTheLatestFromBeingDrawn();

private:
    void show(const WaitsMaker &maker);
    void draw(const WaitsMaker &maker);
    QString script(const QByteArray &text);

    QTemporaryDir m_folder;
    LiveClock m_clock;
    std::unique_ptr<WaitGraphView> m_view;
};

void TestWaitGraphView::init()
{
    failOnWarnings();
    m_clock.sync(WaitsMaker().waits().clock);
    m_view = std::make_unique<WaitGraphView>(&m_clock);
    m_view->resize(900, 600);
    m_view->QWidget::show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

void TestWaitGraphView::show(const WaitsMaker &maker)
{
    const WaitPicturePtr picture = WaitPicture::of(maker.done());
    m_view->show(picture, WaitOutline::of(*picture, {}, {}));
}

void TestWaitGraphView::draw(const WaitsMaker &maker)
{
    QSignalSpy drawn(m_view.get(), &WaitGraphView::drawn);
    show(maker);
    QVERIFY(!drawn.isEmpty() || drawn.wait(kPatience));
}

QString TestWaitGraphView::script(const QByteArray &text)
{
    QFile file(m_folder.filePath(u"dot"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + text + '\n') < 0)
        qFatal("no script");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.fileName();
}

void TestWaitGraphView::graphvizIsToldNumbersOnly()
{
    const GraphShape shape{3, {144, 72}, {{1, 0}, {1, 2}, {2, 1}}, {{1, 2}}};
    const QByteArray input = dotInput(shape);
    QVERIFY(input.contains("width=2.0000, height=1.0000"));
    QVERIFY(input.contains("n0 -> n1 [id=e0];"));
    QVERIFY(input.contains("subgraph cluster_0 { id=g0; margin=36; n1; n2; }"));
}

void TestWaitGraphView::aDamagedAnswerIsRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<bool>("isGood");
    QTest::newRow("good") << QByteArray(R"({"bb":"0,0,100,50","objects":[{"name":"n0","pos":"10,20"}]})") << true;
    QTest::newRow("nothing") << QByteArray() << false;
    QTest::newRow("no size") << QByteArray(R"({"objects":[{"name":"n0","pos":"10,20"}]})") << false;
    QTest::newRow("no box") << QByteArray(R"({"bb":"0,0,100,50","objects":[]})") << false;
    QTest::newRow("other box") << QByteArray(R"({"bb":"0,0,100,50","objects":[{"name":"n7","pos":"1,2"}]})") << false;
    QTest::newRow("no number") << QByteArray(R"({"bb":"0,0,100,50","objects":[{"name":"n0","pos":"x,2"}]})") << false;
}

void TestWaitGraphView::aDamagedAnswerIsRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(bool, isGood);
    const auto places = readDot(json, {1, {10, 10}, {}, {}});
    QCOMPARE(places.has_value(), isGood);
    if (isGood)
        QCOMPARE(places->centers.first(), QPointF(10, 20));
}

void TestWaitGraphView::blockersStandLeftOfThoseThatWait()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    maker.wait(3, 2, "7");
    draw(maker);
    QCOMPARE(m_view->boxCount(), 3);
    QVERIFY(m_view->boxRect(session(1)).right() < m_view->boxRect(session(2)).left());
    QVERIFY(m_view->boxRect(session(2)).right() < m_view->boxRect(session(3)).left());
}

void TestWaitGraphView::aRingStandsInAFrame()
{
    WaitsMaker maker;
    maker.wait(5, 6, "a");
    maker.wait(6, 7, "b");
    maker.wait(7, 5, "c");
    maker.wait(8, 7, "c");
    draw(maker);
    QCOMPARE(m_view->boxCount(), 4); // the ring itself is no box
    QList<QGraphicsItem *> frames;
    for (QGraphicsItem *item : m_view->items()) {
        if (dynamic_cast<WaitFrame *>(item))
            frames.append(item);
    }
    QCOMPARE(frames.size(), 1);
    for (const quint64 member : {5ULL, 6ULL, 7ULL})
        QVERIFY(frames.first()->sceneBoundingRect().contains(m_view->boxRect(session(member)).adjusted(4, 4, -4, -4)));
    QVERIFY(!frames.first()->sceneBoundingRect().contains(m_view->boxRect(session(8))));
}

void TestWaitGraphView::aRingsTitleTouchesNoBox()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    maker.wait(5, 6, "a");
    maker.wait(6, 5, "b");
    maker.wait(8, 7, "c");
    draw(maker);
    for (const QGraphicsItem *item : m_view->items()) {
        if (!dynamic_cast<const WaitFrame *>(item))
            continue;
        for (const quint64 other : {1ULL, 2ULL, 7ULL, 8ULL})
            QVERIFY(!item->sceneBoundingRect().intersects(m_view->boxRect(session(other))));
    }
}

void TestWaitGraphView::twoHundredSessionsAreDrawn()
{
    WaitsMaker maker;
    maker.queue(1, 100, 120, "1");
    for (quint64 root = 2; root < 20; ++root)
        maker.queue(root, 1000 * root, 4, QByteArray::number(root));
    draw(maker);
    QCOMPARE(m_view->boxCount(), 1 + 50 + 1 + 18 * 5); // the queue's other 70 are one box
    QVERIFY(!m_view->boxRect({WaitKey::Kind::More, 1}).isEmpty());
    m_view->fitAll();
    QVERIFY(m_view->mapToScene(m_view->viewport()->rect()).boundingRect().contains(m_view->boxRect(session(1))));
}

void TestWaitGraphView::aLongChainIsFolded()
{
    WaitsMaker maker;
    maker.wait(100, 1);
    for (quint64 id = 101; id < 140; ++id)
        maker.wait(id, id - 1, QByteArray::number(id));
    draw(maker);
    const QRectF first = m_view->boxRect(session(100));
    const QRectF all = m_view->sceneRect();
    QVERIFY2(all.width() < 12 * first.width(), "a chain of 40 in one line cannot be read");
    QVERIFY(m_view->boxRect(session(101)).left() > first.right());
    QVERIFY(m_view->boxRect(session(108)).left() <= first.right());
    QVERIFY(m_view->boxRect(session(108)).top() > first.bottom()); // the next line
    QVERIFY(m_view->boxRect(session(116)).top() > m_view->boxRect(session(108)).bottom());
    for (quint64 a = 100; a < 140; ++a) {
        for (quint64 b = a + 1; b < 140; ++b)
            QVERIFY(!m_view->boxRect(session(a)).intersects(m_view->boxRect(session(b)).adjusted(5, 5, -5, -5)));
    }
}

void TestWaitGraphView::unchangedWaitsAreNotLaidOutAgain()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    draw(maker);
    m_view->graphLayout()->setProgram(u"/nonexistent/dot"_s);
    QSignalSpy failed(m_view.get(), &WaitGraphView::failed);
    QSignalSpy drawn(m_view.get(), &WaitGraphView::drawn);
    maker.session(1).command = u"Sleep"_s;
    show(maker);
    QCOMPARE(drawn.size(), 1);
    maker.wait(9, 1);
    show(maker); // this one has to be, and cannot
    QVERIFY(failed.wait(kPatience));
}

void TestWaitGraphView::theSelectedSessionKeepsItsPlace()
{
    WaitsMaker maker;
    for (quint64 root = 1; root <= 20; ++root)
        maker.queue(root, 100 * root, 3, QByteArray::number(root));
    draw(maker);
    m_view->setSelected(10);
    QTest::keyClick(m_view.get(), Qt::Key_1);
    m_view->centerOn(m_view->boxRect(session(10)).center());
    const QRectF boxBefore = m_view->boxRect(session(10));
    const QPoint before = m_view->mapFromScene(boxBefore.center());
    maker.queue(50, 5000, 9, "new"); // comes before all of them
    draw(maker);
    QVERIFY(m_view->boxRect(session(10)) != boxBefore);
    const QPoint after = m_view->mapFromScene(m_view->boxRect(session(10)).center());
    QVERIFY((after - before).manhattanLength() <= 2);
}

void TestWaitGraphView::itShowsAllUntilSomebodyLooksCloser()
{
    const auto isAllSeen = [this] {
        const QRect shown = m_view->viewport()->rect();
        return shown.contains(m_view->mapFromScene(m_view->sceneRect().adjusted(4, 4, -4, -4)).boundingRect());
    };
    WaitsMaker maker;
    for (quint64 waiter = 100; waiter < 105; ++waiter)
        maker.wait(waiter, 1);
    draw(maker);
    QVERIFY(isAllSeen());
    m_view->resize(600, 400);
    QTRY_VERIFY(isAllSeen());
    const auto buttons = m_view->findChildren<QToolButton *>();
    const auto press = [&buttons](const QString &text) {
        for (QToolButton *button : buttons) {
            if (button->text() == text && button->isVisible())
                button->click();
        }
    };
    for (int i = 0; i < 10; ++i)
        press(u"+"_s);
    QVERIFY(!isAllSeen());
    m_view->resize(620, 400);
    draw(maker);
    QVERIFY(!isAllSeen());
    press(u"Fit"_s);
    QTRY_VERIFY(isAllSeen()); // once the bars at its sides are gone
}

/// It is scrolled instead, and begins with whoever is to blame the most.
void TestWaitGraphView::aLargeGraphStaysReadable()
{
    constexpr double least = 0.6;
    const auto isSeen = [this](const WaitKey &key) {
        return m_view->viewport()->rect().contains(m_view->mapFromScene(m_view->boxRect(key)).boundingRect());
    };
    WaitsMaker maker;
    for (quint64 root = 1; root <= 30; ++root)
        maker.queue(root, 100 * root, root == 20 ? 12 : 9, QByteArray::number(root));
    draw(maker);
    QCOMPARE(m_view->transform().m11(), least);
    QVERIFY(isSeen(session(20)));
    for (const QSize size : {QSize(200, 60), QSize(900, 600)}) { // as when it is shown for the first time
        m_view->resize(size);
        QCoreApplication::processEvents();
    }
    QVERIFY(isSeen(session(20)));
    m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum()); // somebody looks elsewhere
    QVERIFY(!isSeen(session(20)));
    maker.wait(5000, 3, "more");
    draw(maker);
    QVERIFY(!isSeen(session(20)));
    QCOMPARE(m_view->transform().m11(), least);
    QTest::keyClick(m_view.get(), Qt::Key_0);
    QVERIFY(isSeen(session(20)));
}

void TestWaitGraphView::aClickChoosesASession()
{
    WaitsMaker maker;
    maker.queue(1, 100, 60);
    draw(maker);
    QSignalSpy chosen(m_view.get(), &WaitGraphView::sessionChosen);
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {},
                      m_view->mapFromScene(m_view->boxRect(session(1)).center()));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.last().first().toULongLong(), 1ULL);
    QCOMPARE(m_view->selected(), std::optional<quint64>(1));
    QSignalSpy more(m_view.get(), &WaitGraphView::moreChosen);
    m_view->fitAll();
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {},
                      m_view->mapFromScene(m_view->boxRect({WaitKey::Kind::More, 1}).center()));
    QCOMPARE(more.size(), 1);
}

void TestWaitGraphView::aRightClickChoosesASessionAndOpensNothing()
{
    WaitsMaker maker;
    maker.queue(1, 100, 60);
    draw(maker);
    m_view->fitAll();
    const QSignalSpy chosen(m_view.get(), &WaitGraphView::sessionChosen);
    const QSignalSpy more(m_view.get(), &WaitGraphView::moreChosen);
    const auto press = [this](const WaitKey &key) {
        QTest::ignoreMessage(QtWarningMsg, "Mouse event \"MousePress\" not accepted by receiving widget"); // the menu's
        QTest::mousePress(m_view->viewport(), Qt::RightButton, {}, m_view->mapFromScene(m_view->boxRect(key).center()));
    };
    press(session(1));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(m_view->selected(), std::optional<quint64>(1));
    press({WaitKey::Kind::More, 1});
    QCOMPARE(chosen.size(), 1);
    QVERIFY(more.isEmpty());
}

void TestWaitGraphView::arrowKeysGoFromBoxToBox()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    maker.wait(3, 2, "7");
    draw(maker);
    m_view->setFocus();
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QCOMPARE(m_view->selected(), std::optional<quint64>(1));
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QCOMPARE(m_view->selected(), std::optional<quint64>(2));
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QCOMPARE(m_view->selected(), std::optional<quint64>(3));
    QTest::keyClick(m_view.get(), Qt::Key_Left);
    QCOMPARE(m_view->selected(), std::optional<quint64>(2));
}

void TestWaitGraphView::theWheelZooms()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    draw(maker);
    QWheelEvent wheel(QPointF(100, 100), m_view->mapToGlobal(QPointF(100, 100)), {}, {0, 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(m_view->viewport(), &wheel);
    QCOMPARE(m_view->transform().m11(), 1.25);
    QTest::keyClick(m_view.get(), Qt::Key_Minus);
    QCOMPARE(m_view->transform().m11(), 1.0);
    for (int i = 0; i < 50; ++i)
        m_view->zoomBy(0.5);
    QVERIFY(m_view->transform().m11() >= 0.049); // never out of sight
}

void TestWaitGraphView::everyFormatIsExported()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    draw(maker);
    QVERIFY(QImage::fromData(m_view->exported(u"png"_s)).width() > 400);
    const QByteArray svg = m_view->exported(u"svg"_s);
    QVERIFY(svg.contains("<svg") && svg.contains("app1@web-1"));
}

void TestWaitGraphView::withoutGraphvizItFails()
{
    m_view->graphLayout()->setProgram(u"/nonexistent/dot"_s);
    QSignalSpy failed(m_view.get(), &WaitGraphView::failed);
    WaitsMaker maker;
    maker.wait(2, 1);
    show(maker);
    QVERIFY(failed.wait(kPatience));
    QCOMPARE(failed.first().first().value<GraphLayout::Failure>(), GraphLayout::Failure::Missing);
    QVERIFY(!m_view->hasPicture());
    show(maker); // not tried again for nothing
    QCOMPARE(failed.size(), 1);
    m_view->graphLayout()->setProgram(u"dot"_s);
    m_view->forgetFailure();
    draw(maker);
    QVERIFY(m_view->hasPicture());
}

void TestWaitGraphView::whatFailedOnceIsTriedAgainAfterAnother()
{
    WaitsMaker bad;
    bad.wait(2, 1);
    m_view->graphLayout()->setProgram(u"/nonexistent/dot"_s);
    QSignalSpy failed(m_view.get(), &WaitGraphView::failed);
    show(bad);
    QVERIFY(failed.wait(kPatience));
    m_view->graphLayout()->setProgram(u"dot"_s);
    WaitsMaker good;
    good.queue(1, 2, 3);
    draw(good);
    QCOMPARE(m_view->boxCount(), 4);
    draw(bad); // else the other one would stand there as if it were current
    QCOMPARE(m_view->boxCount(), 2);
}

/// And no chain, in which each but the last looks guilty.
void TestWaitGraphView::equalWaitersAreOneBoxUntilTheyAreOpened()
{
    WaitsMaker maker;
    maker.pool(20, 21, 4);
    maker.wait(30, 20);
    draw(maker);
    const WaitKey equal{WaitKey::Kind::Equal, 21};
    QVERIFY(!m_view->boxRect(equal).isEmpty() && m_view->boxRect(session(22)).isEmpty());
    QVERIFY(m_view->boxRect(session(20)).right() < m_view->boxRect(equal).left());
    QCOMPARE(m_view->boxRect(session(30)).left(), m_view->boxRect(equal).left()); // beside them, not behind

    const WaitPicturePtr picture = WaitPicture::of(maker.done());
    QSignalSpy drawn(m_view.get(), &WaitGraphView::drawn);
    m_view->show(picture, WaitOutline::of(*picture, {}, {equal}));
    QVERIFY(!drawn.isEmpty() || drawn.wait(kPatience));
    QVERIFY(m_view->boxRect(equal).isEmpty());
    for (quint64 id = 21; id <= 24; ++id)
        QCOMPARE(m_view->boxRect(session(id)).left(), m_view->boxRect(session(30)).left());
}

void TestWaitGraphView::clearedItShowsAndAwaitsNothing()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    draw(maker);
    m_view->setSelected(2);
    WaitsMaker next;
    next.queue(1, 2, 3);
    show(next);
    const QSignalSpy drawn(m_view.get(), &WaitGraphView::drawn);
    QSignalSpy laidOut(m_view->graphLayout(), &GraphLayout::laidOut);
    m_view->clear(); // before it is laid out
    QVERIFY(!m_view->selected());
    QVERIFY(laidOut.wait(kPatience));
    QVERIFY(drawn.isEmpty());
    QVERIFY(!m_view->hasPicture());
    draw(maker);
    QCOMPARE(m_view->boxCount(), 2);
}

void TestWaitGraphView::aLateAnswerIsNotWaitedFor()
{
    m_view->graphLayout()->setProgram(script("exec sleep 600"));
    QSignalSpy failed(m_view.get(), &WaitGraphView::failed);
    WaitsMaker maker;
    maker.wait(2, 1);
    show(maker);
    QVERIFY(failed.wait(kPatience));
    QCOMPARE(failed.first().first().value<GraphLayout::Failure>(), GraphLayout::Failure::Late);
}

/// Where they come faster than they can be laid out, nothing would else ever be drawn.
void TestWaitGraphView::aLateOneIsDrawnUntilTheLatestIs()
{
    QObject listener;
    QList<int> counts;
    connect(m_view.get(), &WaitGraphView::drawn, &listener, [&] { counts.append(m_view->boxCount()); });
    WaitsMaker maker;
    for (quint64 waiter = 2; waiter < 12; ++waiter) {
        maker.wait(waiter, 1);
        show(maker);
    }
    QTRY_COMPARE_WITH_TIMEOUT(m_view->boxCount(), 11, kPatience);
    QCOMPARE(counts, (QList<int>{2, 11})); // those between were never laid out
}

void TestWaitGraphView::aFailureDoesNotKeepTheLatestFromBeingDrawn()
{
    const QSignalSpy failed(m_view.get(), &WaitGraphView::failed);
    m_view->graphLayout()->setProgram(u"/nonexistent/dot"_s);
    WaitsMaker first;
    first.wait(2, 1);
    show(first);
    m_view->graphLayout()->setProgram(u"dot"_s);
    WaitsMaker latest;
    latest.queue(1, 2, 3);
    draw(latest);
    QCOMPARE(failed.size(), 1);
    QCOMPARE(m_view->boxCount(), 4);
}

QTEST_MAIN(TestWaitGraphView)
#include "tst_waitgraphview.moc"
