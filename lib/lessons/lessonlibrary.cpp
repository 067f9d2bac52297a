// SPDX-License-Identifier: MIT
#include "lessonlibrary.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

#include <algorithm>
#include <tuple>

static void makeResources()
{
    Q_INIT_RESOURCE(lessons); // of a static library; not from within a namespace
}

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

const QString &folder()
{
    static const QString name = [] {
        makeResources();
        return u":/lessons"_s;
    }();
    return name;
}

QStringList idsByCourse()
{
    QList<std::tuple<bool, int, QString>> found;
    for (const QString &file : QDir(folder() + u"/en"_s).entryList({u"*.md"_s})) {
        const QString id = file.chopped(3);
        const auto lesson = libraryLesson(id);
        const int course = std::holds_alternative<Lesson>(lesson) ? std::get<Lesson>(lesson).course : 0;
        found.append({course == 0, course, id});
    }
    std::ranges::sort(found);
    QStringList ids;
    for (const auto &[isExtra, course, id] : found)
        ids += id;
    return ids;
}

} // namespace

QStringList lessonIds()
{
    static const QStringList ids = idsByCourse();
    return ids;
}

QByteArray lessonSource(const QString &id, const QString &language)
{
    for (const QString &each : {language, u"en"_s}) {
        QFile file(u"%1/%2/%3.md"_s.arg(folder(), each, id));
        if (file.open(QIODevice::ReadOnly))
            return file.readAll();
    }
    return {};
}

QByteArray lessonSkeleton(const QString &id)
{
    QFile file(folder() + u"/skeleton.md"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll().replace("{id}", id.toUtf8()) : QByteArray();
}

std::variant<Lesson, LessonFault> libraryLesson(const QString &id, const QString &language)
{
    return readLesson(lessonSource(id, language), id);
}

} // namespace lockscope
