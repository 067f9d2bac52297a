// SPDX-License-Identifier: MIT
// What the window says of lists that are empty, cut or filtered, of servers without the engine's tables, and of other
// programs' tables that cannot be read, is so.
#include "strict.h"
#include "ui/pages/events/eventspage.h"
#include "ui/pages/locks/facetbar.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/messagebar.h"
#include "ui/window/statusline.h"
#include "windowtest.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

QStringList labelsOf(const QWidget &widget)
{
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        texts += label->text();
    return texts;
}

} // namespace

class TestSentences : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void anEmptyListSaysWhatIsSo_data();
    void anEmptyListSaysWhatIsSo();
    void aFilterThatTheServerAppliesHidesNoCount();
    void aServerWithoutLockTablesIsNoError();
    void withoutLockTablesNoMeasurementIsAwaited();
    void whyOtherProgramsTablesCannotBeReadIsSaid();

private:
    void tell(const LockListUpdate &update)
    {
        Q_EMIT m_connection->feed<Monitor>()->listUpdated(std::make_shared<LockListUpdate>(update));
    }
};

void TestSentences::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    openSilentServer();
    m_window->show();
}

void TestSentences::anEmptyListSaysWhatIsSo_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("contains"); // what the server was asked for
    QTest::addColumn<int>("locks");        // that it counted for that
    QTest::addColumn<int>("read");
    QTest::addColumn<bool>("isOrphansOnly");
    QTest::addColumn<QString>("headline");
    const QString none;
    QTest::newRow("nothing") << none << none << 0 << 0 << false << u"Nothing is locked"_s;
    QTest::newRow("nothing, and a filter") << u"x"_s << none << 0 << 0 << false << u"Nothing is locked"_s;
    QTest::newRow("hidden by the filter") << u"x"_s << none << 5 << 5 << false << u"No lock matches"_s;
    QTest::newRow("above the cap") << u"x"_s << none << 5000 << 1000 << false << u"Searching…"_s;
    QTest::newRow("above the cap, another filter") << u"xy"_s << u"x"_s << 0 << 0 << false << u"Searching…"_s;
    QTest::newRow("above the cap, searched") << u"x"_s << u"x"_s << 0 << 0 << false << u"No lock matches"_s;
    QTest::newRow("above the cap, no filter any more") << none << u"x"_s << 0 << 0 << false << u"Searching…"_s;
    QTest::newRow("above the cap, a state")
        << none << none << 5000 << 1000 << true << u"None among the locks that were read"_s;
}

void TestSentences::anEmptyListSaysWhatIsSo()
{
    QFETCH(QString, filter);
    QFETCH(QString, contains);
    QFETCH(int, locks);
    QFETCH(int, read);
    QFETCH(bool, isOrphansOnly);
    QFETCH(QString, headline);
    const auto *page = m_window->locksPage();
    Q_EMIT m_connection->feed<Monitor>()->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    page->findChild<FilterEdit *>()->setText(filter);
    for (QToolButton *button : page->findChild<FacetBar *>()->findChildren<QToolButton *>())
        button->setChecked(isOrphansOnly && button->text().startsWith(u"Orphan"_s));
    LockListUpdate update;
    update.contains = contains.toUtf8();
    update.counts.held = locks;
    update.read = read;
    tell(update);
    const QStringList texts = labelsOf(*page->findChild<EmptyState *>());
    QVERIFY2(texts.contains(headline), qPrintable(texts.join(u'\n')));
}

void TestSentences::aFilterThatTheServerAppliesHidesNoCount()
{
    const auto *page = m_window->locksPage();
    const QSignalSpy badge(page, &Page::badgeChanged);
    LockListUpdate all;
    all.counts.held = 5000;
    all.counts.orphan = 7;
    tell(all);
    LockListUpdate found;
    found.contains = "x";
    found.counts.held = 2;
    tell(found);
    QCOMPARE(badge.last()[0].toInt(), 7);
    QStringList facets;
    for (const QToolButton *button : page->findChild<FacetBar *>()->findChildren<QToolButton *>())
        facets += button->text();
    QVERIFY2(facets.contains(u"Held 5,000"_s) && facets.contains(u"Orphan 7"_s), qPrintable(facets.join(u'\n')));
    const QString status = m_window->statusLine()->text();
    QVERIFY2(status.contains(u"shown 0 of 2 that match"_s), qPrintable(status));
}

void TestSentences::aServerWithoutLockTablesIsNoError()
{
    LockError error;
    error.kind = LockError::Kind::SchemaMissing;
    error.message = u"The server has no such schema."_s;
    error.serverText = u"No database selected"_s;
    Q_EMIT m_connection->feed<Monitor>()->statusChanged({MonitorStatus::Phase::Failing, {}, error});
    Q_EMIT m_connection->feed<LatencyFeed>()->failed(error);
    int said = 0;
    for (const MessageBar *bar : m_window->findChildren<MessageBar *>()) {
        said += bar->isHidden() ? 0 : 1;
        QVERIFY2(bar->level() == MessageBar::Level::Info, qPrintable(bar->text()));
        QVERIFY2(!labelsOf(*bar).join(u' ').contains(error.serverText), qPrintable(bar->text()));
    }
    QCOMPARE(said, 3); // on the pages of locks, measurements and events
}

void TestSentences::withoutLockTablesNoMeasurementIsAwaited()
{
    m_window->showPage(3);
    LockError error;
    error.kind = LockError::Kind::SchemaMissing;
    Q_EMIT m_connection->feed<LatencyFeed>()->failed(error);
    QVERIFY(labelsOf(*m_window).contains(u"Nothing is measured here"_s));
    QVERIFY(!labelsOf(*m_window).contains(u"Reading measurements"_s));
}

/// Where the whole server is away, that is said, and this is no news beside it.
void TestSentences::whyOtherProgramsTablesCannotBeReadIsSaid()
{
    const QString sentence = u"Lock tables of other programs cannot be read now. The statement ran into its limit."_s;
    const auto isSaid = [&] {
        const QList<MessageBar *> bars = m_window->locksPage()->findChildren<MessageBar *>();
        return std::any_of(bars.cbegin(), bars.cend(),
                           [&](const MessageBar *bar) { return !bar->isHidden() && bar->text().contains(sentence); });
    };
    LockError error;
    error.message = u"The statement ran into its limit."_s;
    auto *tables = m_connection->feed<TablesFeed>();
    auto *monitor = m_connection->feed<Monitor>();
    Q_EMIT monitor->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    Q_EMIT tables->failed(error);
    QVERIFY(isSaid());
    Q_EMIT monitor->statusChanged({MonitorStatus::Phase::Failing, {}, error});
    QVERIFY(!isSaid());
    Q_EMIT monitor->statusChanged({MonitorStatus::Phase::Live, {}, {}});
    QVERIFY(isSaid());
    Q_EMIT tables->updated(std::make_shared<const TableLocks>());
    QVERIFY(!isSaid());
}

QTEST_MAIN(TestSentences)
#include "tst_sentences.moc"
