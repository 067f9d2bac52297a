// SPDX-License-Identifier: MIT
// What was done is found at once: on any server, also one that keeps no record itself.
#include "strict.h"
#include "windowtest.h"

#include "ui/pages/events/eventspage.h"
#include "ui/pages/events/eventtablemodel.h"
#include "ui/pages/events/recordreader.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QFileInfo>
#include <QtCore/QScopeGuard>
#include <QtCore/QUuid>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

ReleaseOrder release(const QByteArray &name)
{
    return {{.resource = name}, 7, AuditFile::operatorName(), u"stuck since noon"_s};
}

/// As the act itself does, in another thread or program.
void record(const QString &server, const ReleaseOrder &order, const QString &outcome)
{
    AuditEntry entry = recordedAct(recordedTarget(order), order.reason);
    entry.server = server;
    entry.outcome = outcome;
    AuditFile file;
    QCOMPARE(file.open(), QString());
    QCOMPARE(file.append(entry), QString());
}

} // namespace

class TestRecordFound : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void actsStandInEventsOfAServerWithoutTables();
    void anActOfAnotherProgramComesByItself();
    void theFirstActOnAMachineComesByItself();
    void anActInBothRecordsIsOneRow();
    void whatWasTriedIsNotSaidToBeDone();
    void afterAnActItsRowIsOneClickAway();
    void whatIsNotOnRecordIsNotOffered();

private:
    int rowOf(const QByteArray &name) const;
    QString cell(const QByteArray &name, int column) const;
    QToolButton *offer() const;

    QString m_server;
    EventsPage *m_events = nullptr;
};

void TestRecordFound::init()
{
    failOnWarnings(OffscreenWarning);
    // Others write the same file, and nobody but this test function at this place.
    m_server =
        u"mysql://ops@localhost/lockscope?socket=%2Fnonexistent%2F"_s + QUuid::createUuid().toString(QUuid::Id128);
    makeWindow();
    m_events = m_window->eventsPage();
    m_window->show();
    ServerProfile profile;
    QString error;
    QVERIFY2(ServerUrl::parse(m_server, &profile.url, &error), qPrintable(error));
    m_connection->open(profile, {});
}

int TestRecordFound::rowOf(const QByteArray &name) const
{
    const auto &rows = m_events->model()->rows();
    const auto found = std::find_if(rows.cbegin(), rows.cend(),
                                    [&name](const RecordedEvent &row) { return row.event.key.resource == name; });
    return found == rows.cend() ? -1 : int(found - rows.cbegin());
}

QString TestRecordFound::cell(const QByteArray &name, int column) const
{
    return m_events->model()->index(rowOf(name), column).data().toString();
}

QToolButton *TestRecordFound::offer() const
{
    for (QToolButton *button : m_window->findChildren<QToolButton *>()) {
        if (button->text() == u"Recorded · Show"_s && button->isVisible())
            return button;
    }
    return nullptr;
}

void TestRecordFound::actsStandInEventsOfAServerWithoutTables()
{
    record(m_server, release("orders/1"), u"released"_s);
    record(u"mysql://ops@elsewhere/lockscope"_s, release("orders/2"), u"released"_s);
    m_connection->reopen();
    QTRY_VERIFY(rowOf("orders/1") >= 0);
    QCOMPARE(rowOf("orders/2"), -1);
    QCOMPARE(cell("orders/1", EventTableModel::KindColumn), u"Force-released"_s);
    QCOMPARE(cell("orders/1", EventTableModel::TokenColumn), u"7"_s);
    QCOMPARE(cell("orders/1", EventTableModel::ReasonColumn), u"stuck since noon"_s);
    QCOMPARE(cell("orders/1", EventTableModel::ResultColumn), u"released"_s);
    QCOMPARE(cell("orders/1", EventTableModel::RecordColumn), u"This machine"_s);
    m_window->showPage(5);
    QVERIFY(m_events->view()->isVisible());
}

void TestRecordFound::anActOfAnotherProgramComesByItself()
{
    record(m_server, release("orders/1"), u"released"_s);
    QTRY_VERIFY(rowOf("orders/1") >= 0);
    record(m_server, release("orders/2"), u"released"_s);
    QTRY_VERIFY(rowOf("orders/2") >= 0);
}

void TestRecordFound::theFirstActOnAMachineComesByItself()
{
    closeWindow();
    const QByteArray before = qgetenv("XDG_DATA_HOME");
    QStandardPaths::setTestModeEnabled(false);
    const auto restore = qScopeGuard([&before] {
        before.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before);
        QStandardPaths::setTestModeEnabled(true);
    });
    qputenv("XDG_DATA_HOME", QFile::encodeName(m_folder.filePath(u"home/share"_s)));
    init();
    QSignalSpy read(m_events->findChild<RecordReader *>(), &RecordReader::isCurrent);
    QTRY_VERIFY(!read.isEmpty());
    QVERIFY(!QFileInfo::exists(m_folder.filePath(u"home"_s)));
    record(m_server, release("orders/1"), u"released"_s);
    QTRY_VERIFY(rowOf("orders/1") >= 0);
    record(m_server, release("orders/2"), u"released"_s);
    QTRY_VERIFY(rowOf("orders/2") >= 0);
}

void TestRecordFound::anActInBothRecordsIsOneRow()
{
    EventTableModel *model = m_events->model();
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QSignalSpy resets(model, &QAbstractItemModel::modelReset);
    record(m_server, release("orders/1"), u"released"_s);
    QTRY_VERIFY(rowOf("orders/1") >= 0);
    const int rows = model->rowCount();
    const QPersistentModelIndex row = model->index(rowOf("orders/1"), 0);
    Event event;
    event.id = 5;
    event.kind = Event::Kind::ForceRelease;
    event.key.resource = "orders/1";
    event.token = 7;
    event.operatorName = AuditFile::operatorName();
    event.reason = u"stuck since noon"_s;
    event.at = model->rows()[row.row()].event.at;
    Q_EMIT m_connection->feed<Monitor>()->eventsArrived({event});
    QCOMPARE(model->rowCount(), rows);
    QVERIFY(row.isValid()); // a selected one stays selected
    QCOMPARE(cell("orders/1", EventTableModel::RecordColumn), u"Both"_s);
    QCOMPARE(resets.count(), 0);
}

void TestRecordFound::whatWasTriedIsNotSaidToBeDone()
{
    record(m_server, release("orders/1"), u"nothing was done: it changed hands"_s);
    QTRY_VERIFY(rowOf("orders/1") >= 0);
    QCOMPARE(cell("orders/1", EventTableModel::KindColumn), u"Tried to release"_s);
    QCOMPARE(cell("orders/1", EventTableModel::ResultColumn), u"nothing was done: it changed hands"_s);
}

void TestRecordFound::afterAnActItsRowIsOneClickAway()
{
    m_events->findChild<FilterEdit *>()->setText(u"something else"_s);
    record(m_server, release("orders/1"), u"released"_s);
    record(m_server, release("orders/2"), u"released"_s);
    ReleaseReport report;
    report.outcome = ReleaseReport::Outcome::Released;
    Q_EMIT m_connection->released(release("orders/1"), report);
    QTRY_VERIFY(offer());
    offer()->click();
    QCOMPARE(m_window->page(), 5);
    QTRY_COMPARE(m_events->view()->selectionModel()->selectedRows(EventTableModel::ResourceColumn).size(), 1);
    QCOMPARE(m_events->view()->selectionModel()->selectedRows(EventTableModel::ResourceColumn).first().data(),
             u"orders/1"_s);
    QVERIFY(m_events->view()->hasFocus());
}

void TestRecordFound::whatIsNotOnRecordIsNotOffered()
{
    ReleaseReport report;
    report.outcome = ReleaseReport::Outcome::Released;
    report.recordError = u"The disk is full."_s;
    Q_EMIT m_connection->released(release("orders/1"), report);
    QVERIFY(!offer());
}

QTEST_MAIN(TestRecordFound)
#include "tst_recordfound.moc"
