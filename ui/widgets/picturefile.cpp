// SPDX-License-Identifier: MIT
#include "picturefile.h"

#include <QtCore/QBuffer>
#include <QtCore/QRegularExpression>
#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtSvg/QSvgGenerator>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Larger pictures are scaled down to it.
constexpr double kMaxPixels = 12'000;

/// Qt 6.4 writes a title as it is, markup and all.
QByteArray withTitle(const QByteArray &svg, const QString &title)
{
    static const QRegularExpression qtsOwn(u"<title>.*?</title>\\s*<desc>.*?</desc>"_s,
                                           QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression noXml(u"[^\\n\\x20-\\x{d7ff}\\x{e000}-\\x{fffd}\\x{10000}-\\x{10ffff}]"_s);
    QString text = QString::fromUtf8(svg);
    const auto own = qtsOwn.match(text);
    if (own.hasMatch())
        text.replace(own.capturedStart(), own.capturedLength(),
                     u"<title>"_s + QString(title).remove(noXml).toHtmlEscaped() + u"</title>"_s);
    return text.toUtf8();
}

} // namespace

QByteArray svgPicture(const QSizeF &size, const QString &title, const PicturePainter &paint)
{
    QByteArray bytes;
    QBuffer out(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(), size));
    QPainter painter(&generator);
    paint(&painter);
    painter.end();
    return withTitle(bytes, title);
}

QByteArray pngPicture(const QSizeF &size, const PicturePainter &paint)
{
    const double factor = std::min(2.0, kMaxPixels / std::max({1.0, size.width(), size.height()}));
    QImage image((size * factor).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(factor, factor);
    paint(&painter);
    painter.end();
    QByteArray bytes;
    QBuffer out(&bytes);
    image.save(&out, "PNG");
    return bytes;
}

} // namespace lockscope::ui
