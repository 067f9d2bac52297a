// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>

namespace lockscope {

/// Turns SIGINT, SIGTERM and SIGHUP into an ordinary end of the event loop, so that Ctrl+C in the terminal also ends
/// what the window has started. One per process; a second signal ends the process at once.
class QuitSignals : public QObject
{
    Q_OBJECT
public:
    explicit QuitSignals(QObject *parent = nullptr);
};

} // namespace lockscope
