// SPDX-License-Identifier: MIT
#pragma once

#include "enginefixture.h"
#include "strict.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "visibletext.h"
#include "windowtest.h"

#include <QtTest/QTest>

namespace lockscope::test {

/// A window on a real server where ShedLock's table app.shedlock has one lock: "nightly", held by host-a7 for two
/// hours, for two more.
class TableLockTest : public WindowTest
{
protected:
    static constexpr int kPatience = 30'000;

    static LockKey nightly() { return {LockKind::Table, "app.shedlock nightly", 0}; }

    /// For init().
    void begin()
    {
        failOnWarnings(OffscreenWarning);
        m_server = &TestServer::instance();
        resetTables(*m_server);
        m_observer = std::make_unique<Observer>(*m_server);
        m_observer->run("DROP DATABASE IF EXISTS app");
        m_observer->run("CREATE DATABASE app CHARACTER SET utf8mb4");
        m_observer->run("CREATE TABLE app.shedlock (name VARCHAR(64) PRIMARY KEY, lock_until DATETIME(3) NOT NULL, "
                        "locked_at DATETIME(3) NOT NULL, locked_by VARCHAR(255) NOT NULL)");
        m_observer->run("INSERT INTO app.shedlock VALUES ('nightly', UTC_TIMESTAMP(3) + INTERVAL 2 HOUR, "
                        "UTC_TIMESTAMP(3) - INTERVAL 2 HOUR, 'host-a7')");
        makeWindow();
        m_page = m_window->locksPage();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    /// For cleanup().
    void end()
    {
        closeWindow();
        m_observer->run("DROP DATABASE IF EXISTS app");
    }
    void open(bool isPrivate = true) { openServer(QStringLiteral("db1"), m_server->url(), isPrivate); }
    /// The lock is in the list, and its details are shown.
    void choose(const LockKey &key = nightly())
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_page->model()->rowOf(key) >= 0, kPatience);
        m_page->select(key);
        const auto *inspector = m_page->inspector();
        QTRY_VERIFY_WITH_TIMEOUT(inspector->lock() && inspector->lock()->key == key, kPatience);
    }
    QString details() const { return visibleText(m_page->inspector()); }

    TestServer *m_server = nullptr;
    std::unique_ptr<Observer> m_observer;
    ui::LocksPage *m_page = nullptr;
};

} // namespace lockscope::test
