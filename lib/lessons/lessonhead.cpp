// SPDX-License-Identifier: MIT
#include "lessonhead.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <yaml-cpp/yaml.h>

namespace lockscope {

namespace {

/// A fault of the head, wherever it is found.
struct HeadFault
{
    int line;
    QString reason;
};

const QStringList &knownKeys()
{
    static const QStringList keys{QStringLiteral("id"),      QStringLiteral("title"),     QStringLiteral("summary"),
                                  QStringLiteral("level"),   QStringLiteral("tags"),      QStringLiteral("course"),
                                  QStringLiteral("servers"), QStringLiteral("isolation"), QStringLiteral("lab"),
                                  QStringLiteral("explains")};
    return keys;
}

int lineOf(const YAML::Node &node)
{
    return node.Mark().is_null() ? 1 : node.Mark().line + 2; // counted from 0, behind the first line of dashes
}

QString scalar(const YAML::Node &node, const QString &key)
{
    if (!node.IsScalar())
        throw HeadFault{lineOf(node), QStringLiteral("%1 is a text").arg(key)};
    return QString::fromStdString(node.Scalar()).trimmed();
}

QString textOf(const YAML::Node &head, const QString &key)
{
    const YAML::Node node = head[key.toStdString()];
    const QString text = node ? scalar(node, key) : QString();
    if (text.isEmpty())
        throw HeadFault{node ? lineOf(node) : 1, QStringLiteral("%1 is missing").arg(key)};
    return text;
}

QStringList listOf(const YAML::Node &head, const QString &key)
{
    const YAML::Node node = head[key.toStdString()];
    if (!node || !node.IsSequence() || node.size() == 0)
        throw HeadFault{node ? lineOf(node) : 1, QStringLiteral("%1 is a list: [a, b]").arg(key)};
    QStringList list;
    for (const YAML::Node &each : node)
        list += scalar(each, key);
    return list;
}

void readPlaces(const YAML::Node &head, Lesson *lesson)
{
    for (const QString &name : listOf(head, QStringLiteral("servers"))) {
        if (name != u"mariadb" && name != u"mysql")
            throw HeadFault{lineOf(head["servers"]), QStringLiteral("servers are mariadb and mysql, not %1").arg(name)};
        lesson->families += name == u"mysql" ? Family::MySql : Family::MariaDb;
    }
    for (const QString &name : listOf(head, QStringLiteral("isolation"))) {
        const auto isolation = lessonIsolation(name);
        if (!isolation)
            throw HeadFault{lineOf(head["isolation"]),
                            QStringLiteral("isolation is rr, rc, ru or ser, not %1").arg(name)};
        lesson->isolations += *isolation;
    }
}

/// What other pages find it by.
void readLinks(const YAML::Node &head, Lesson *lesson)
{
    if (head["lab"])
        lesson->scenarios = listOf(head, QStringLiteral("lab"));
    if (!head["explains"])
        return;
    for (const QString &name : listOf(head, QStringLiteral("explains"))) {
        const auto shape = waitShape(name);
        if (!shape)
            throw HeadFault{
                lineOf(head["explains"]),
                QStringLiteral("explains has these: %1; not %2").arg(waitShapes().join(QStringLiteral(", ")), name)};
        lesson->explains += *shape;
    }
}

Lesson lessonOf(const YAML::Node &head, const QString &id)
{
    if (!head.IsMap())
        throw HeadFault{1, QStringLiteral("the front matter has lines of the form \"title: …\"")};
    QSet<QString> seen;
    for (const auto &entry : head) {
        const QString key = scalar(entry.first, QStringLiteral("a key"));
        if (!knownKeys().contains(key))
            throw HeadFault{
                lineOf(entry.first),
                QStringLiteral("%1 is no key of a lesson: %2").arg(key, knownKeys().join(QStringLiteral(", ")))};
        if (seen.contains(key))
            throw HeadFault{lineOf(entry.first), QStringLiteral("%1 is there twice").arg(key)};
        seen.insert(key);
    }
    Lesson lesson;
    lesson.id = textOf(head, QStringLiteral("id"));
    static const QRegularExpression form(QStringLiteral("^[a-z0-9]+(-[a-z0-9]+)*$"));
    if (!form.match(id).hasMatch())
        throw HeadFault{
            lineOf(head["id"]),
            QStringLiteral("the file's name has small letters, digits and \"-\" before .md, unlike %1").arg(id)};
    if (lesson.id != id)
        throw HeadFault{lineOf(head["id"]), QStringLiteral("id must be %1, as the file is called").arg(id)};
    lesson.title = textOf(head, QStringLiteral("title"));
    lesson.summary = textOf(head, QStringLiteral("summary"));
    lesson.level = textOf(head, QStringLiteral("level"));
    if (lesson.level != u"basic" && lesson.level != u"medium" && lesson.level != u"deep")
        throw HeadFault{lineOf(head["level"]), QStringLiteral("level is basic, medium or deep")};
    lesson.tags = listOf(head, QStringLiteral("tags"));
    if (const YAML::Node course = head["course"]) {
        lesson.course = scalar(course, QStringLiteral("course")).toInt();
        if (lesson.course <= 0)
            throw HeadFault{lineOf(course), QStringLiteral("course is the lesson's number in it")};
    }
    readPlaces(head, &lesson);
    readLinks(head, &lesson);
    return lesson;
}

} // namespace

std::variant<Lesson, LessonFault> readLessonHead(const QByteArray &file, const QString &id, int *firstLine)
{
    const qsizetype end = file.indexOf("\n---\n");
    if (!file.startsWith("---\n") || end < 0)
        return LessonFault{1, QStringLiteral("a lesson begins with its front matter between two lines of ---")};
    const QByteArray yaml = file.mid(4, end - 3);
    *firstLine = int(file.left(end).count('\n')) + 3;
    try {
        return lessonOf(YAML::Load(yaml.toStdString()), id);
    } catch (const HeadFault &fault) {
        return LessonFault{fault.line, fault.reason};
    } catch (const YAML::Exception &fault) {
        return LessonFault{fault.mark.is_null() ? 1 : fault.mark.line + 2,
                           QStringLiteral("%1 (quote a text that has a colon, or begins with another sign)")
                               .arg(QString::fromStdString(fault.msg))};
    }
}

} // namespace lockscope
