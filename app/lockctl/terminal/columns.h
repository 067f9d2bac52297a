// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

namespace lockscope::ctl {

/// Columns that a terminal needs for `text`: two for a wide character, none for a combining one.
int columnsOf(const QString &text);
/// `text`, or its beginning and "…", in at most `columns`.
QString shortened(const QString &text, int columns);
/// `text` in lines of at most `columns`, cut at spaces where there are some: prose, whose line ends are its file's, is
/// filled; lists, tables, headings and blocks of code keep theirs, and what a long one goes on with stands below it.
QString wrapped(const QString &text, int columns);
/// Columns of the terminal at standard output; what suits a file where there is none.
int outputColumns();
/// True where there is room even for what matters least; 0 columns: there is no edge.
bool isWide(int columns);
/// Colours are for a terminal whose user has not refused them (NO_COLOR).
bool isOutputColoured();

} // namespace lockscope::ctl
