// SPDX-License-Identifier: MIT
// A prepared transaction whose session is gone holds up an application: seen and ended in the window.
#include "actor.h"
#include "enginefixture.h"
#include "strict.h"
#include "windowtest.h"

#include "ui/actions/preparedcontroller.h"
#include "ui/actions/prepareddialog.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/widgets/messagebar.h"

#include <QtCore/QFile>
#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

} // namespace

class TestPreparedIncident : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init() { failOnWarnings(OffscreenWarning); }
    void cleanup() { closeWindow(); }

    void itIsSeenAndEnded();

private:
    ServerWaitsPtr m_last;
};

void TestPreparedIncident::itIsSeenAndEnded()
{
    TestServer &server = TestServer::instance();
    Observer observer(server);
    observer.run("CREATE DATABASE shop");
    observer.run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    observer.run("INSERT INTO shop.stock VALUES (5,0)");
    auto owner = std::make_unique<Actor>(server);
    for (const char *sql :
         {"XA START 'x1'", "UPDATE shop.stock SET n = 7 WHERE id = 5", "XA END 'x1'", "XA PREPARE 'x1'"})
        QVERIFY(owner->run(sql));
    owner.reset();
    Actor waiter(server);
    waiter.start("UPDATE shop.stock SET n = n + 1 WHERE id = 5");

    makeWindow();
    m_connection->follow(&WaitsFeed::updated, this, [this](const ServerWaitsPtr &waits) { m_last = waits; });
    ServerUrl url = server.url();
    url.schema = u"absent"_s; // it has never heard of us
    openServer(u"shop"_s, url);
    m_connection->startOperatorMode();
    m_window->show();
    const auto isSeen = [this] {
        return m_last && m_last->edges.size() == 1 && isPreparedNumber(m_last->edges.first().blocker)
            && !m_last->prepared.constBegin()->isAttached;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSeen(), kPatience);
    const quint64 number = m_last->edges.first().blocker;

    LocksPage *locks = m_window->locksPage();
    const auto select = [&] {
        for (int row = 0; row < locks->model()->rowCount(); ++row) {
            const LockKey key = locks->model()->itemAt(row)->row->key;
            if (key.session == number)
                locks->select(key);
        }
        return locks->releaseAction()->text() == u"&End transaction…"_s && locks->releaseAction()->isEnabled();
    };
    QTRY_VERIFY_WITH_TIMEOUT(select(), kPatience);
    locks->releaseAction()->trigger();
    QVERIFY(m_window->preparedController()->dialog());
    m_window->preparedController()->dialog()->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->preparedController()->dialog(), kPatience);

    WaitsPage *page = m_window->waitsPage();
    page->select(number);
    QTRY_VERIFY_WITH_TIMEOUT(page->endAction()->isEnabled(), kPatience);
    QCOMPARE(page->endAction()->iconText(), u"End transaction %1…"_s.arg(number & ~kPreparedBit));
    page->endAction()->trigger();
    PreparedDialog *dialog = m_window->preparedController()->dialog();
    QVERIFY(dialog && dialog->isVisible());
    dialog->rollbackChoice()->click();
    dialog->reasonEdit()->setText(u"its coordinator is gone"_s);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->preparedController()->dialog(), kPatience);
    QVERIFY(waiter.finish());
    const auto isSaidWithItsRecord = [this] {
        const auto bars = m_window->findChildren<MessageBar *>();
        return std::any_of(bars.cbegin(), bars.cend(), [](const MessageBar *bar) {
            const auto buttons = bar->findChildren<QAbstractButton *>();
            return bar->text().contains(u"All who waited went on: 1."_s)
                && std::any_of(buttons.cbegin(), buttons.cend(),
                               [](const QAbstractButton *button) { return button->text() == u"Recorded · Show"_s; });
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSaidWithItsRecord(), kPatience);
    QVERIFY(!page->endAction()->isEnabled());
    QCOMPARE(observer.value("SELECT n FROM shop.stock WHERE id = 5").toInt(), 1);
    QVERIFY(Actor(server).run("XA RECOVER").set(-1).rows.isEmpty());
    QFile record(AuditFile::defaultPath()); // a test server has a folder for it
    QVERIFY(record.open(QIODevice::ReadOnly));
    QCOMPARE(record.readAll().count("XA ROLLBACK 'x1', transaction "), 2);
}

QTEST_MAIN(TestPreparedIncident)
#include "tst_preparedincident.moc"
