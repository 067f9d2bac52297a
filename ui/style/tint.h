// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCoreApplication>
#include <QtGui/QIcon>
#include <QtGui/QPalette>

namespace lockscope::ui {

/// A colour by which a person knows a server again; its name always stands beside it.
enum class Tint { None, Blue, Orange, Red, Violet, Green };

class Tints
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::Tints)
public:
    static QList<Tint> all();
    /// "Blue".
    static QString word(Tint tint);
    /// "blue", for the settings; what is not known is None.
    static QString key(Tint tint);
    static Tint fromKey(const QString &key);
    /// For several that are seen together: whoever has none gets one that no other has, as long as there are any.
    static QList<Tint> distinct(QList<Tint> chosen);
    /// Colour-blind eyes can tell them apart. Not valid for None.
    static QColor color(Tint tint, const QPalette &palette);
    /// A dot that follows the palette and every scale; for None empty room, so that names stand in line.
    static QIcon icon(Tint tint);
};

} // namespace lockscope::ui
