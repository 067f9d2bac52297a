// SPDX-License-Identifier: MIT
#include "lessonprose.h"

#include "lessontext.h"

#include <QtCore/QFileInfo>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString beginning(const Lesson &lesson)
{
    return LessonText::intro(lesson) + u"\n\n```\n"_s + lesson.setup.join(u";\n"_s) + u";\n```\n\n"_s;
}

/// Of the step, or of the last one before it of which something is said.
QString before(qsizetype step, const Lesson &lesson, const LessonScript &script)
{
    const QList<LessonStep> steps = script.chosen() + script.left();
    for (qsizetype at = std::min(step, steps.size() - 1); at > 0; --at) {
        if (!steps.at(at).caption.trimmed().isEmpty())
            return steps.at(at).caption;
    }
    return beginning(lesson);
}

QString textOf(const Lesson &lesson, const LessonScript &script, std::optional<qsizetype> looked)
{
    if (lesson.steps.isEmpty())
        return {};
    if (looked)
        return before(*looked, lesson, script);
    const qsizetype chosen = script.chosen().size();
    if (script.left().isEmpty())
        return lesson.outro + LessonText::claims(lesson);
    return before(script.isInOrder() ? chosen : chosen - 1, lesson, script);
}

} // namespace

LessonProse::LessonProse(QWidget *parent)
    : QTextBrowser(parent)
{
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("What the lesson says"));
    connect(this, &QTextBrowser::anchorClicked, this,
            [this](const QUrl &url) { Q_EMIT lessonRequested(QFileInfo(url.path()).completeBaseName()); });
}

QVariant LessonProse::loadResource(int type, const QUrl &name)
{
    Q_UNUSED(type)
    Q_UNUSED(name)
    return {};
}

void LessonProse::show(const Lesson &lesson, const LessonScript &script, std::optional<qsizetype> looked)
{
    const QString text = textOf(lesson, script, looked);
    if (std::exchange(m_shown, text) != text)
        setMarkdown(text);
}

} // namespace lockscope::ui
