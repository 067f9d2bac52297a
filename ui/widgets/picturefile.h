// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QSizeF>
#include <QtCore/QString>

#include <functional>

class QPainter;

namespace lockscope::ui {

/// What fills a picture of this size, from the upper left.
using PicturePainter = std::function<void(QPainter *)>;

/// As a file's content; `title` is what the picture shows, for who cannot see it, and may contain anything.
QByteArray svgPicture(const QSizeF &size, const QString &title, const PicturePainter &paint);
/// Twice as fine as on the screen, where that is not too large.
QByteArray pngPicture(const QSizeF &size, const PicturePainter &paint);

} // namespace lockscope::ui
