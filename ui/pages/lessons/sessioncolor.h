// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QStringList>
#include <QtGui/QColor>

class QPalette;

namespace lockscope::ui {

/// The colour of a session of a lesson, by its place among `sessions`; muted for one that is not among them. For lines
/// and fills: the name stands beside it.
QColor sessionColor(const QString &session, const QStringList &sessions, const QPalette &palette);

} // namespace lockscope::ui
