// SPDX-License-Identifier: MIT
// The numbers beside the charts can be read: in each language and size, with and without what was before.
#include "strict.h"
#include "windowtest.h"

#include "ui/pages/latency/latencycontrols.h"
#include "ui/pages/latency/latencypage.h"
#include "ui/pages/latency/latencysummary.h"
#include "ui/widgets/elidedlabel.h"

#include <QtGui/QImage>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QScrollBar>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

LatencyPeriod longWaits(ServerTime from)
{
    LatencyPeriod period{from, from + 15min, 15min, {}};
    for (const char *mode : {"optimistic", "pessimistic", "unique"}) {
        LatencyCurve curve;
        curve.mode = mode;
        curve.granted.add(74s, 1'234);
        curve.latency.values.fill(74s);
        curve.counts.granted = 1'234;
        curve.points = {{from, curve.latency, curve.counts}};
        period.curves.push_back(curve);
    }
    return period;
}

LatencyPicturePtr pictureOfLongWaits(bool isCompared)
{
    LatencyPicture picture;
    picture.period = longWaits(ServerTime(24h));
    if (isCompared)
        picture.compared = longWaits(ServerTime(12h));
    return std::make_shared<LatencyPicture>(picture);
}

QImage painted(ElidedLabel &label, const QString &text)
{
    label.setFullText(text);
    return label.grab().toImage();
}

} // namespace

class TestLatencySummary : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init() { failOnWarnings(); }
    void cleanup();

    void durationsAreReadInFull_data();
    void durationsAreReadInFull();
    void choicesAreReadInFull_data();
    void choicesAreReadInFull();
    void nothingMovesWithTheNumbers();
    void whatDoesNotFitKeepsItsBeginning();

private:
    QString cut() const;
    void showPicture(const LatencyPicturePtr &picture);
};

void TestLatencySummary::cleanup()
{
    closeWindow();
    applyAppearance({Theme::Light, u"en"_s, false});
}

void TestLatencySummary::showPicture(const LatencyPicturePtr &picture)
{
    Q_EMIT m_connection->feed<LatencyFeed>()->pictureReady(picture);
    QTRY_VERIFY(!m_window->latencyPage()->summary()->cell(0, "unique").isEmpty());
}

/// A text that has not the room that it needs.
QString TestLatencySummary::cut() const
{
    const LatencySummary *summary = m_window->latencyPage()->summary();
    const auto *scroll = qobject_cast<const QScrollArea *>(summary->parentWidget()->parentWidget());
    const bool isSeen = summary->visibleRegion().boundingRect().width() == summary->width();
    if (!isSeen && !scroll->horizontalScrollBar()->isVisible())
        return u"the whole summary"_s;
    const auto labels = summary->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        if (!label->isVisible())
            return u"not shown yet: "_s + label->text();
        if (!label->wordWrap() && label->width() < label->fontMetrics().size(0, label->text()).width())
            return label->text();
    }
    return {};
}

void TestLatencySummary::durationsAreReadInFull_data()
{
    QTest::addColumn<Theme>("theme");
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("isPresenter");
    QTest::addColumn<bool>("isCompared");

    for (const bool isCompared : {false, true}) {
        const char *with = isCompared ? "compared" : "alone";
        QTest::addRow("light, %s", with) << Theme::Light << u"en"_s << false << isCompared;
        QTest::addRow("dark, %s", with) << Theme::Dark << u"en"_s << false << isCompared;
        QTest::addRow("Chinese, %s", with) << Theme::Light << u"zh_CN"_s << false << isCompared;
        QTest::addRow("presenter, %s", with) << Theme::Light << u"en"_s << true << isCompared;
    }
}

void TestLatencySummary::durationsAreReadInFull()
{
    QFETCH(Theme, theme);
    QFETCH(QString, language);
    QFETCH(bool, isPresenter);
    QFETCH(bool, isCompared);
    applyAppearance({theme, language, isPresenter});
    makeWindow();
    m_window->show();
    openSilentServer();
    m_window->showPage(3);
    showPicture(pictureOfLongWaits(isCompared));
    QTRY_COMPARE(cut(), QString());
}

void TestLatencySummary::choicesAreReadInFull_data()
{
    QTest::addColumn<bool>("isPresenter");
    QTest::newRow("one row") << false;
    QTest::newRow("two rows") << true;
}

void TestLatencySummary::choicesAreReadInFull()
{
    QFETCH(bool, isPresenter);
    applyAppearance({Theme::Light, u"en"_s, isPresenter});
    makeWindow();
    m_window->show();
    openSilentServer();
    m_window->showPage(3);
    showPicture(pictureOfLongWaits(false));
    QCoreApplication::processEvents();
    QCOMPARE(m_window->width(), 1280);
    QSet<int> rows;
    for (const QComboBox *box : m_window->latencyPage()->findChild<LatencyControls *>()->findChildren<QComboBox *>()) {
        QVERIFY2(box->width() >= qMin(box->sizeHint().width(), box->maximumWidth()),
                 qPrintable(u"%1: %2"_s.arg(box->currentText()).arg(box->width())));
        QVERIFY(box->mapTo(m_window.get(), QPoint(box->width(), 0)).x() <= m_window->width());
        rows.insert(box->y());
    }
    QCOMPARE(rows.size(), isPresenter ? 2 : 1);
}

void TestLatencySummary::nothingMovesWithTheNumbers()
{
    makeWindow();
    m_window->show();
    openSilentServer();
    m_window->showPage(3);
    LatencyPicture shorter = *pictureOfLongWaits(false);
    for (LatencyCurve &curve : shorter.period.curves)
        curve.latency = {};
    showPicture(std::make_shared<LatencyPicture>(shorter));
    LatencySummary *summary = m_window->latencyPage()->summary();
    QCoreApplication::processEvents();
    const TimeChart *chart = m_window->latencyPage()->latencyChart();
    const QRect before = chart->geometry();
    Q_EMIT m_connection->feed<LatencyFeed>()->pictureReady(pictureOfLongWaits(false));
    QTRY_COMPARE(summary->cell(0, "unique"), u"1 min 14 s"_s);
    QCoreApplication::processEvents();
    QCOMPARE(chart->geometry(), before);
}

void TestLatencySummary::whatDoesNotFitKeepsItsBeginning()
{
    ElidedLabel label(nullptr, Qt::ElideRight);
    label.setAlignment(Qt::AlignRight);
    label.resize(label.fontMetrics().horizontalAdvance(u"1 min 14 s"_s) * 2 / 3, 2 * label.fontMetrics().height());
    const QImage one = painted(label, u"1 min 14 s\n1 min 14 s"_s);
    QVERIFY(one != painted(label, u"9 min 14 s\n1 min 14 s"_s));
    QVERIFY(one != painted(label, u"1 min 14 s\n9 min 14 s"_s));
    QCOMPARE(label.toolTip().contains(u"9 min 14 s"_s), true);
}

QTEST_MAIN(TestLatencySummary)
#include "tst_latencysummary.moc"
