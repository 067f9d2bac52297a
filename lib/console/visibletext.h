// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope {

/// Characters that cannot be seen or that change how their neighbours are seen: with them one name could be dressed up
/// as another, and a terminal be told what to do. Names come from other programs, messages from servers.
bool isUnseen(char32_t character);

/// Lines for a terminal: such characters escaped, all but the end of a line.
QString visibleLines(const QString &text);
/// The same for JSON, as JSON writes it: a reader gets what it was, and showing the text as it is does no harm.
QByteArray visibleJson(const QByteArray &json);
/// A cell that no spreadsheet takes for a formula.
QString plainCell(const QString &text);

/// What Qt and its drivers warn of goes to standard error as visibleLines(): their words may be a server's.
void showQtMessagesVisibly();

} // namespace lockscope
