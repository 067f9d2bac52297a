// SPDX-License-Identifier: MIT
#include "sessioncolor.h"

#include "ui/style/theme.h"
#include "ui/style/tint.h"

namespace lockscope::ui {

QColor sessionColor(const QString &session, const QStringList &sessions, const QPalette &palette)
{
    const QList<Tint> tints{Tint::Blue, Tint::Orange, Tint::Green, Tint::Violet, Tint::Red};
    const qsizetype number = sessions.indexOf(session);
    return number < 0 ? mutedText(palette) : Tints::color(tints[number % tints.size()], palette);
}

} // namespace lockscope::ui
