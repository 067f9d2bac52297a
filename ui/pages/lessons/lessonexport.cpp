// SPDX-License-Identifier: MIT
#include "lessonexport.h"

#include "clientscript.h"
#include "lessonhtml.h"
#include "lessonpictures.h"
#include "lessontext.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

QStringList lessonFormats()
{
    return {u"md"_s, u"html"_s, u"svg"_s, u"png"_s, u"sql"_s};
}

QByteArray exportedLesson(const PlayedLesson &played, const QString &format, const QPalette &palette)
{
    if (format == "html"_L1)
        return LessonHtml::of(played).toUtf8();
    if (format == "svg"_L1 || format == "png"_L1)
        return LessonPictures::timeline(timelineOf(played.sessions, played.moments, {}), format, palette);
    if (format == "sql"_L1)
        return ClientScript::of(played).toUtf8();
    return LessonText::report(played.lesson, played.place, played.moments).toUtf8();
}

} // namespace lockscope::ui
