// SPDX-License-Identifier: MIT
#pragma once

#include "graphlayout.h"
#include "waitoutline.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

namespace lockscope::ui {

class EmptyState;
class ServerConnection;

/// The longer texts of the waits page.
class WaitsPageText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::WaitsPage)
public:
    static QString help();
    static QString graphFailure(GraphLayout::Failure failure);
    /// What ending does, or why it cannot be done; `sessions` are those that are selected and there.
    static QString endTip(int sessions, const ServerConnection &connection, bool isFailing);
    /// What it means for the picture that the server is a replica, in a cluster, or hosted; empty where it is none of
    /// these.
    static QString kindOfServer(const Capabilities &capabilities);
    /// Says why there is no row.
    static void explainEmpty(const WaitPicturePtr &picture, bool isRecorded, bool isFiltered, EmptyState *empty);

private:
    static void explainRecorded(const ServerWaits &waits, EmptyState *empty);
    static QString sessions(const ServerWaits &waits);
    static QString transactions(const ServerWaits &waits);
};

} // namespace lockscope::ui
