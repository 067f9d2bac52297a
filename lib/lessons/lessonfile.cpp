// SPDX-License-Identifier: MIT
#include "lessonfile.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

std::optional<LessonFault> unknownScenario(const Lesson &lesson, const QByteArray &source, const QStringList &scenarios,
                                           const QStringList &modes)
{
    const int line = int(source.left(source.indexOf("\nlab:")).count('\n')) + 2;
    for (const QString &link : lesson.scenarios) {
        if (!scenarios.contains(scenarioOf(link)))
            return LessonFault{
                line, u"the lab has these scenarios: %1; not %2"_s.arg(scenarios.join(u", "_s), scenarioOf(link))};
        if (link.contains(u'/') && !modes.contains(modeOf(link)))
            return LessonFault{line, u"the lab has these modes: %1; not %2"_s.arg(modes.join(u", "_s), modeOf(link))};
    }
    return std::nullopt;
}

} // namespace

LessonFile readLessonFile(const QString &path, const QStringList &scenarios, const QStringList &modes)
{
    LessonFile read{path};
    const QFileInfo info(path);
    QFile file(path);
    if (info.exists() && !info.isFile()) { // a pipe would be waited for
        read.lesson = LessonFault{0, u"it is no file"_s};
        return read;
    }
    if (!file.open(QIODevice::ReadOnly)) {
        read.lesson = LessonFault{0, u"it cannot be read: %1"_s.arg(file.errorString())};
        return read;
    }
    read.source = file.read(kMaxLessonBytes + 1);
    read.lesson = readLesson(read.source, info.completeBaseName());
    if (const auto *lesson = std::get_if<Lesson>(&read.lesson)) {
        if (const auto fault = unknownScenario(*lesson, read.source, scenarios, modes))
            read.lesson = *fault;
    }
    return read;
}

} // namespace lockscope
