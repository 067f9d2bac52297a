// SPDX-License-Identifier: MIT
#pragma once

#include <QtGui/QIcon>
#include <QtGui/QPalette>

#include <memory>

class QPainter;

namespace lockscope::ui {

/// Draws an icon at any size in the colours of a palette.
class IconPainter
{
public:
    virtual ~IconPainter() = default;
    virtual void paint(QPainter *painter, const QRectF &rect, const QPalette &palette, QPalette::ColorGroup group,
                       bool isSelected) const = 0;
};

/// An icon that is painted when it is shown: it follows the application's palette and every scale.
QIcon paletteIcon(std::shared_ptr<const IconPainter> painter);

/// resources/icons/<name>.svg, its black lines in the colour of text.
QIcon svgIcon(const QString &name);
/// In its own colours.
QIcon applicationIcon();

} // namespace lockscope::ui
