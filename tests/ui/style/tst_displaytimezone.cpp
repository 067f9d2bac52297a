// SPDX-License-Identifier: MIT
// Times in UTC or in this machine's zone: one choice, which everything that is shown follows at once.
#include "strict.h"
#include "ui/charts/timechart.h"
#include "ui/pages/events/eventtablemodel.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/server/serverconnection.h"
#include "ui/style/displaytimezone.h"
#include "ui/text/commontext.h"

#include <QtCharts/QCategoryAxis>
#include <QtGui/QAction>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>

#include <ctime>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Near midnight, so that the day differs as well.
const ServerTime kAt = std::chrono::sys_days(std::chrono::year(2026) / 1 / 2) + 23h + 30min;
const auto kLocal = u"2026-01-03 07:30:00"_s;
const auto kUtc = u"2026-01-02 23:30:00Z"_s;

bool shows(const QWidget &widget, const QString &text)
{
    const auto labels = widget.findChildren<QLabel *>();
    return std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == text; });
}

} // namespace

class TestDisplayTimeZone : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(OffscreenWarning); }
    void initTestCase()
    {
        qputenv("TZ", "CST-8");
        ::tzset();
    }
    void cleanup() { DisplayTimeZone::instance()->setUtc(false); }

    void momentsAreWrittenInTheChosenZone();
    void onlyTodayHasNoDate();
    void eventsFollowAtOnce();
    void theInspectorFollowsAtOnce();
    void theTimeAxisIsWrittenInTheChosenZone();
};

void TestDisplayTimeZone::momentsAreWrittenInTheChosenZone()
{
    QSignalSpy changed(DisplayTimeZone::instance(), &DisplayTimeZone::changed);
    QCOMPARE(CommonText::moment(kAt), kLocal);
    QVERIFY(CommonText::exactMoment(kAt).startsWith(u"2026-01-03 07:30:00.000"));
    DisplayTimeZone::instance()->setUtc(true);
    DisplayTimeZone::instance()->setUtc(true);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(CommonText::moment(kAt), kUtc);
    QCOMPARE(CommonText::exactMoment(kAt), u"2026-01-02 23:30:00.000 UTC"_s);
}

void TestDisplayTimeZone::onlyTodayHasNoDate()
{
    for (const bool isUtc : {false, true}) {
        DisplayTimeZone::instance()->setUtc(isUtc);
        const auto now = std::chrono::time_point_cast<Microseconds>(std::chrono::system_clock::now());
        // Midnight may pass between the two looks at the clock.
        QTRY_COMPARE(CommonText::moment(now).contains(u'-'), false);
        QVERIFY(CommonText::moment(now + 24h).contains(u'-'));
        QVERIFY(CommonText::moment(now - 24h).contains(u'-'));
    }
}

void TestDisplayTimeZone::eventsFollowAtOnce()
{
    EventTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy dataChanged(&model, &QAbstractItemModel::dataChanged);
    DisplayTimeZone::instance()->setUtc(true);
    QCOMPARE(dataChanged.size(), 0); // nothing to write anew
    Event event;
    event.at = kAt;
    model.add({event, event});
    const auto text = [&](int row) { return model.index(row, EventTableModel::TimeColumn).data().toString(); };
    QCOMPARE(text(1), kUtc);
    DisplayTimeZone::instance()->setUtc(false);
    QCOMPARE(dataChanged.size(), 1);
    QCOMPARE(dataChanged.first().at(1).toModelIndex().row(), 1);
    QCOMPARE(text(0), kLocal);
}

void TestDisplayTimeZone::theInspectorFollowsAtOnce()
{
    ServerConnection connection;
    QAction release;
    LockInspector inspector(&connection, &release);
    inspector.resize(400, 600);
    inspector.show();
    LockRow row;
    row.key.resource = "orders/42";
    row.acquiredAt = kAt;
    inspector.setLock(row);
    QVERIFY(shows(inspector, kLocal));
    DisplayTimeZone::instance()->setUtc(true);
    QVERIFY(shows(inspector, kUtc));
    QVERIFY(!shows(inspector, kLocal));
}

void TestDisplayTimeZone::theTimeAxisIsWrittenInTheChosenZone()
{
    TimeChart chart(TimeChart::Scale::Rates, u"chart"_s);
    chart.resize(800, 300);
    const auto labels = [&] {
        chart.setLines({}, {kAt, kAt + 10min}, 10s);
        const auto axes = chart.chart()->axes(Qt::Horizontal);
        return axes.isEmpty() ? QStringList() : static_cast<QCategoryAxis *>(axes.first())->categoriesLabels();
    };
    QVERIFY2(labels().contains(u"07:32"_s), qPrintable(labels().join(u' ')));
    DisplayTimeZone::instance()->setUtc(true);
    QVERIFY2(labels().contains(u"23:32"_s), qPrintable(labels().join(u' ')));
}

QTEST_MAIN(TestDisplayTimeZone)
#include "tst_displaytimezone.moc"
