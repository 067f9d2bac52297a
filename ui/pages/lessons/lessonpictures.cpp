// SPDX-License-Identifier: MIT
#include "lessonpictures.h"

#include "timelinepicture.h"
#include "ui/style/theme.h"
#include "ui/widgets/picturefile.h"

#include <QtGui/QPainter>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

QByteArray LessonPictures::timeline(const Timeline &line, const QString &format, const QPalette &palette)
{
    const TimelinePicture picture(line, usualFont(), palette);
    const QSize size = picture.size();
    const auto paint = [&](QPainter *painter) {
        painter->fillRect(QRect(QPoint(), size), palette.color(QPalette::Base));
        picture.paint(painter);
    };
    if (format == "png"_L1)
        return pngPicture(size, paint);
    return svgPicture(size, tr("Time line") + u'\n' + line.toString(), paint);
}

QByteArray LessonPictures::indexes(const IndexPicture &picture, const QPalette &palette)
{
    const QSize size = picture.size(usualFont());
    return svgPicture(size, tr("Indexes and locks") + u'\n' + picture.toString(), [&](QPainter *painter) {
        painter->fillRect(QRect(QPoint(), size), palette.color(QPalette::Base));
        picture.paint(painter, usualFont(), palette);
    });
}

} // namespace lockscope::ui
