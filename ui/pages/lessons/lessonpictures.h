// SPDX-License-Identifier: MIT
// The pictures of a lesson as files.
#pragma once

#include "indexpicture.h"
#include "timeline.h"

namespace lockscope::ui {

class LessonPictures
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LessonPictures)
public:
    /// `format` is "svg", or "png" at twice the size.
    static QByteArray timeline(const Timeline &line, const QString &format, const QPalette &palette);
    static QByteArray indexes(const IndexPicture &picture, const QPalette &palette);
};

} // namespace lockscope::ui
