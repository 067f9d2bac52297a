// SPDX-License-Identifier: MIT
#pragma once

#include "graphlayout.h"
#include "waitoutline.h"

#include <QtWidgets/QStackedWidget>

namespace lockscope::ui {

class EmptyState;
class LiveClock;
class LiveTreeView;
class WaitGraphView;
class WaitTreeModel;

/// The sessions that block and wait, as a tree or as a graph of the same rows. Several can be selected in the tree; the
/// graph marks one.
class WaitList : public QStackedWidget
{
    Q_OBJECT
public:
    /// `clock` is not owned.
    explicit WaitList(const LiveClock *clock, QWidget *parent = nullptr);

    LiveTreeView *tree() const { return m_tree; }
    WaitTreeModel *model() const { return m_model; }
    WaitGraphView *graph() const { return m_graph; }
    /// Is shown while there is no row.
    EmptyState *empty() const { return m_empty; }
    bool isGraphShown() const;

    /// None: another server, of which nothing is known yet.
    void setPicture(const WaitPicturePtr &picture);
    void setFilter(const QString &filter);
    void setStale(bool isStale);
    void setGraphWanted(bool isWanted);
    /// Opens the "+N more" that it stands behind. Nobody is selected when it is not there.
    void select(quint64 session);
    void deselect();
    /// The one to be told in full. It stays when it leaves the list.
    std::optional<quint64> current() const { return m_current; }
    /// Those that an action is for, if they are there, in the order of the list.
    QList<quint64> chosen() const;

Q_SIGNALS:
    /// Another current one, or others are chosen.
    void chosenChanged();
    void graphDrawn();
    void graphFailed(lockscope::ui::GraphLayout::Failure failure);

private:
    void setupTree();
    void setupGraph();
    void onSelected();
    void open(const WaitKey &key);
    void close(const WaitKey &key);
    void selectRow(const QModelIndex &index);
    void selectAgain();
    void showGraph();
    void showBest();

    WaitPicturePtr m_picture;
    std::optional<quint64> m_current;
    bool m_isGraphWanted = false;
    bool m_hasGraph = false; ///< it could be laid out
    WaitTreeModel *m_model;
    LiveTreeView *m_tree;
    WaitGraphView *m_graph;
    EmptyState *m_empty;
};

} // namespace lockscope::ui
