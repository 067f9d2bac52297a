// SPDX-License-Identifier: MIT
#pragma once

#include "server/toppoll.h"
#include "terminal/topscreen.h"
#include "waits/waitgraph.h"

namespace lockscope::ctl {

/// One poll as people see it.
class TopPicture
{
public:
    explicit TopPicture(TopPoll poll);

    /// All of it, without codes.
    QStringList lines(int columns) const;
    /// Cut to the screen, with what else is to be told. `scroll` is the first line of the tree that is shown; it is
    /// bounded by what there is.
    QStringList lines(TopScreen::Size size, const QStringList &notes, bool isColoured, qsizetype *scroll) const;

private:
    QString waitingText() const;
    QStringList header(int columns) const;
    QStringList tree(int columns, bool isColoured) const;

    TopPoll m_poll;
    WaitGraph m_graph;
};

} // namespace lockscope::ctl
