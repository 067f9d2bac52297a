// SPDX-License-Identifier: MIT
#pragma once

#include "monitor.h"

#include <QtCore/QTimer>

#include <map>

namespace lockscope {

/// Sorts and filters beside the window's thread and beside the monitor's, which may wait for a server that does not
/// answer while a person types into the filter. Private to lib/feeds.
class ListWorker : public QObject
{
    Q_OBJECT
public:
    ListWorker();

    void setView(const LockView &view);
    void setSnapshot(const LockSnapshot &snapshot);
    /// Of a further server, whose locks join the list.
    void setFurther(int server, const LockSnapshot &snapshot);
    void removeFurther(int server);

Q_SIGNALS:
    void listUpdated(const lockscope::LockListUpdatePtr &update);

private:
    void publish();
    LockSnapshot all() const;

    LockListBuilder m_builder;
    LockView m_view;
    std::optional<LockSnapshot> m_snapshot;
    std::map<int, LockSnapshot> m_further; ///< by their numbers
    /// The last ones, so that long lists are freed here and not in the window's thread.
    QList<LockListUpdatePtr> m_recent;
    QTimer m_ghostTimer;
};

} // namespace lockscope
