// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/waitsfeed.h"
#include "waits/waitgraph.h"

#include <QtCore/QSet>

#include <functional>

namespace lockscope::ui {

/// One look at the server's locks with the graph made from it, and what views look up in them again and again.
struct WaitPicture
{
    ServerWaitsPtr waits; ///< never null
    WaitGraph graph;
    QHash<quint64, int> nodes;           ///< of each session, in `graph.nodes`
    QHash<quint64, QList<int>> blocks;   ///< indexes in `waits->edges` of those that wait for this session
    QHash<quint64, QList<int>> waitsFor; ///< the other way round
    QStringList schemas;                 ///< that names of locks may be made of

    static std::shared_ptr<const WaitPicture> of(const ServerWaitsPtr &waits);
    const WaitNode *node(quint64 session) const;
    bool isWaiting(quint64 session) const;
    /// Since when it waits for the first of what it waits for.
    std::optional<ServerTime> waitsSince(quint64 session) const;
};
using WaitPicturePtr = std::shared_ptr<const WaitPicture>;

/// What makes two rows the same from one look to the next.
struct WaitKey
{
    enum class Kind {
        Session,
        Ring,  ///< `id` is its smallest session
        More,  ///< stands for siblings past the first; `id` is the session they are below, 0 for roots
        Equal, ///< stands above waiters that say the same, see equalWaiters(); `id` is the first of them
    };
    Kind kind = Kind::Session;
    quint64 id = 0;

    bool operator==(const WaitKey &) const = default;
};
size_t qHash(const WaitKey &key, size_t seed = 0) noexcept;

struct WaitRow
{
    WaitKey key;
    int node = -1; ///< in WaitGraph::nodes; -1 of More; of Equal the first of them
    int parent = -1;
    int place = 0; ///< among its siblings
    QList<int> children;
    int hidden = 0;         ///< of More: how many siblings it stands for
    QList<quint64> members; ///< of Equal
    bool isOpen = false;    ///< of Equal: a person asked to see each of them
};

/// The rows that tree and graph show: those that pass the filter, with what is above and below them, and no more
/// siblings than a reader can take in.
struct WaitOutline
{
    static constexpr int MaxSiblings = 50;

    using Filter = std::function<bool(const WaitNode &)>;
    /// Without `filter` everything passes; `opened` are the rows of More and Equal that a person asked to see.
    static WaitOutline of(const WaitPicture &picture, const Filter &filter, const QSet<WaitKey> &opened);

    QList<WaitRow> rows; ///< each before its children
    QList<int> roots;
    QHash<quint64, int> places; ///< of each session's row; of those behind a More, that row
};

} // namespace lockscope::ui
