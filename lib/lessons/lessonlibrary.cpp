// SPDX-License-Identifier: MIT
#include "lessonlibrary.h"

#include "lessonhead.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QHash>
#include <QtCore/QMutex>

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

std::variant<Lesson, LessonFault> headOf(const QString &id, const QString &language = u"en"_s)
{
    int firstLine = 0;
    return readLessonHead(lessonSource(id, language), id, &firstLine);
}

QStringList idsByCourse()
{
    QList<std::tuple<bool, int, QString>> found;
    for (const QString &file : QDir(folder() + u"/en"_s).entryList({u"*.md"_s})) {
        const QString id = file.chopped(3);
        const auto lesson = headOf(id);
        const int course = std::holds_alternative<Lesson>(lesson) ? std::get<Lesson>(lesson).course : 0;
        found.append({course == 0, course, id});
    }
    std::ranges::sort(found);
    QStringList ids;
    for (const auto &[isExtra, course, id] : found)
        ids += id;
    return ids;
}

QList<Lesson> headsOf(const QString &language)
{
    static QMutex mutex;
    static QHash<QString, QList<Lesson>> read;
    const QMutexLocker locker(&mutex);
    QList<Lesson> &heads = read[language];
    if (heads.isEmpty()) {
        for (const QString &id : lessonIds()) {
            const auto head = headOf(id, language);
            if (const auto *lesson = std::get_if<Lesson>(&head))
                heads += *lesson;
        }
    }
    return heads;
}

template<typename Condition>
QList<LessonTitle> titlesOf(const QList<Lesson> &lessons, Condition condition)
{
    QList<LessonTitle> titles;
    for (const Lesson &lesson : lessons) {
        if (condition(lesson))
            titles.append({lesson.id, lesson.title});
    }
    return titles;
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

QList<LessonTitle> lessonsOfScenario(const QString &scenario, const QString &language)
{
    return titlesOf(headsOf(language), [&scenario](const Lesson &lesson) {
        return std::ranges::any_of(lesson.scenarios,
                                   [&scenario](const QString &link) { return scenarioOf(link) == scenario; });
    });
}

QList<LessonTitle> lessonsOfShape(WaitShape shape, const QString &language)
{
    return titlesOf(headsOf(language), [shape](const Lesson &lesson) { return lesson.explains.contains(shape); });
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
