// SPDX-License-Identifier: MIT
// The tour's pictures of the pages of waits and of deadlocks.
#include "tour.h"

#include "tourring.h"

#include "ui/actions/killcontroller.h"
#include "ui/actions/killdialog.h"
#include "ui/pages/deadlocks/deadlockinspector.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/waits/sourcebar.h"
#include "ui/pages/waits/waitgraphview.h"
#include "ui/pages/waits/waitinspector.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/pages/waits/waittreemodel.h"
#include "ui/server/serverconnection.h"
#include "ui/widgets/livetreeview.h"
#include "ui/window/mainwindow.h"

#include <QtGui/QAction>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QToolButton>

namespace lockscope {

using namespace Qt::StringLiterals;

/// The blocker of a row that the demo's programs wait for, as a tree and as a graph.
void Tour::renderWaits(const QString &suffix)
{
    ui::WaitsPage *page = m_window->waitsPage();
    m_isGood = waitUntil("a session that blocks", [this] { return selectBlocker(); }) && m_isGood;
    save(m_window.get(), u"waits-"_s + suffix);
    renderKill(suffix);
    page->sources()->title()->click();
    save(m_window.get(), u"waits-sources-"_s + suffix);
    page->sources()->fold();
    page->graphAction()->setChecked(true);
    const bool isDrawn = waitUntil("the graph of waits", [&] { return selectBlocker() && page->graph()->isVisible(); });
    m_isGood = isDrawn && m_isGood;
    save(m_window.get(), u"waits-graph-"_s + suffix);
    renderRing(suffix);
    page->graphAction()->setChecked(false);
}

/// The first of those that block, unless the row is a ring.
bool Tour::selectBlocker()
{
    ui::WaitsPage *page = m_window->waitsPage();
    const ui::WaitTreeModel *model = page->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        const ui::WaitKey key = model->keyAt(model->index(row, 0));
        if (key.kind != ui::WaitKey::Kind::Session || !model->picture()->waits->session(key.id))
            continue;
        page->select(key.id);
        return page->inspector()->session() == key.id;
    }
    return false;
}

/// One session to be ended, and all of them.
void Tour::renderKill(const QString &suffix)
{
    ui::WaitsPage *page = m_window->waitsPage();
    const auto ask = [&](const QString &name) {
        const bool isAsked = waitUntil("a session that can be ended", [&] {
            if (!page->endAction()->isEnabled() && !selectBlocker())
                return false;
            page->endAction()->trigger();
            return m_window->killController()->dialog() != nullptr;
        });
        m_isGood = isAsked && m_isGood;
        if (!isAsked)
            return;
        ui::KillDialog *dialog = m_window->killController()->dialog();
        dialog->reasonEdit()->setText(u"idle since lunch, agreed with its team"_s);
        save(dialog, name + suffix);
        delete dialog;
    };
    ask(u"kill-"_s);
    page->view()->selectAll();
    save(m_window.get(), u"waits-several-"_s + suffix);
    ask(u"kill-several-"_s);
    selectBlocker();
}

void Tour::renderRing(const QString &suffix)
{
    const TourRing ring(m_connection->url(), TourRing::Over::RowAndName);
    ui::WaitsPage *page = m_window->waitsPage();
    const bool isDrawn = waitUntil("a ring in the graph", [page] {
        const WaitGraph &graph = page->model()->picture()->graph;
        if (graph.cycles.isEmpty())
            return false;
        const quint64 member = graph.cycles.first().first();
        page->select(member);
        return !page->graph()->boxRect({ui::WaitKey::Kind::Session, member}).isEmpty();
    });
    m_isGood = isDrawn && m_isGood;
    save(m_window.get(), u"waits-ring-"_s + suffix);
    page->graphAction()->setChecked(false);
    save(m_window.get(), u"waits-ring-tree-"_s + suffix);
}

void Tour::renderDeadlock(const QString &suffix)
{
    const ui::DeadlocksPage *page = m_window->deadlocksPage();
    const quint64 before = m_connection->deadlocks() ? m_connection->deadlocks()->arrived() : 0;
    const TourRing ring(m_connection->url(), TourRing::Over::Rows);
    const bool isSeen = waitUntil("a deadlock", [&] {
        return m_connection->deadlocks() && m_connection->deadlocks()->arrived() > before && page->inspector()->shape();
    });
    m_isGood = isSeen && m_isGood;
    save(m_window.get(), u"deadlocks-"_s + suffix);
}

} // namespace lockscope
