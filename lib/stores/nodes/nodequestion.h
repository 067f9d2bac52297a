// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope {

/// What a node of ours says to a question that it answers and then hangs up. `address`: the path of a socket, or
/// 127.0.0.1 with a port. Empty when nothing comes for two seconds. Thread: any.
QByteArray answerOfNode(const QString &address, const QByteArray &question);

} // namespace lockscope
