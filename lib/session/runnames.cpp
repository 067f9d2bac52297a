// SPDX-License-Identifier: MIT
#include "runnames.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QRegularExpression>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

QString runOf(const QString &name, const QRegularExpression &exactly)
{
    return exactly.match(name).captured(1);
}

} // namespace

QString newRunName()
{
    return u"%1"_s.arg(QRandomGenerator::system()->generate64(), 16, 16, QChar(u'0'));
}

QString lessonSchemaName(const QString &run)
{
    return u"lockscope_lesson_"_s + run;
}

QString lessonUserName(const QString &run)
{
    return u"lockscope_l_"_s + run;
}

QString labSchemaName(const QString &run)
{
    return u"lockscope_lab_"_s + run;
}

QString runOfLessonUser(const QString &user)
{
    static const QRegularExpression exactly(u"\\Alockscope_l_([0-9a-f]{16})\\z"_s);
    return runOf(user, exactly);
}

QString runOfLabSchema(const QString &schema)
{
    static const QRegularExpression exactly(u"\\Alockscope_lab_([0-9a-f]{16})\\z"_s);
    return runOf(schema, exactly);
}

bool isRunSchema(const QString &schema)
{
    static const QRegularExpression exactly(u"\\Alockscope_lesson_([0-9a-f]{16})\\z"_s);
    return !runOf(schema, exactly).isEmpty() || !runOfLabSchema(schema).isEmpty();
}

} // namespace lockscope
