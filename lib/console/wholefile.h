// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope {

/// Puts a file of this content there in one step: where that fails, what had this name stays. A device or a pipe is
/// written to. Returns why it failed, as the system says it; empty: written.
QString writeWhole(const QString &path, const QByteArray &content);

/// Why that cannot succeed, as far as it shows before; empty: nothing shows. For whoever works long for the content.
QString whyNotWritable(const QString &path);

} // namespace lockscope
