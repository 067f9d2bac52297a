// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope {

/// Puts a file of this content there in one step: where that fails, what had this name stays. Returns why it failed, as
/// the system says it; empty: written.
QString writeWhole(const QString &path, const QByteArray &content);

} // namespace lockscope
