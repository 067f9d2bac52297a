// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>

namespace lockscope {

/// The same for statements that differ in their values alone: each literal is ?, a list of them is one, comments are
/// gone, white space is one blank. Names and letters stay as they are. Takes a statement that was cut anywhere.
QByteArray statementShape(const QByteArray &statement);

} // namespace lockscope
