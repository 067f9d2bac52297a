// SPDX-License-Identifier: MIT
#include "lessonquestion.h"

#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/widgets/inspectorparts.h"

#include <QtCore/QRegularExpression>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// A label would read any file or device that a picture in a stranger's lesson names. What begins one, or HTML, is
/// divided by a character that nobody sees.
QString inert(QString markdown)
{
    static const QRegularExpression beginning(u"(<(?=[A-Za-z/!?])|!(?=\\[))"_s);
    return markdown.replace(beginning, u"\\1\u200b"_s);
}

} // namespace

LessonQuestionBox::LessonQuestionBox(QWidget *parent)
    : QFrame(parent)
    , m_text(makeLabel(this))
    , m_buttons(new QVBoxLayout)
    , m_because(makeLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->setSpacing(kSpaceInGroup);
    m_text->setFont(headingFont());
    m_text->setTextFormat(Qt::MarkdownText);
    m_because->setTextFormat(Qt::MarkdownText);
    m_buttons->setSpacing(kSpaceInGroup);
    column->addWidget(m_text);
    auto *choices = new QHBoxLayout; // as wide as the widest
    choices->addLayout(m_buttons);
    choices->addStretch(1);
    column->addLayout(choices);
    column->addWidget(m_because);
    clear();
}

void LessonQuestionBox::clear()
{
    m_isOpen = false;
    qDeleteAll(m_choices);
    m_choices.clear();
    hide();
}

QString LessonQuestionBox::because() const
{
    return m_because->isVisible() ? m_because->text() : QString();
}

void LessonQuestionBox::ask(const LessonScore::Question &asked, const LessonQuestion &question)
{
    clear();
    m_asked = asked;
    m_question = question;
    m_isOpen = true;
    m_text->setText(inert(m_question.text));
    m_because->hide();
    for (const LessonChoice &choice : std::as_const(m_question.choices)) {
        auto *button = new QPushButton(QString(choice.text).replace(u'&', u"&&"_s), this);
        const int number = int(m_choices.size());
        if (number < 9)
            button->setShortcut(QKeyCombination(Qt::AltModifier, Qt::Key(Qt::Key_1 + number)));
        button->setToolTip(button->shortcut().toString(QKeySequence::NativeText));
        connect(button, &QPushButton::clicked, this, [this, number] { take(number); });
        m_choices.append(button);
        m_buttons->addWidget(button);
    }
    show();
}

void LessonQuestionBox::take(int choice)
{
    if (!m_isOpen)
        return;
    m_isOpen = false;
    const bool isRight = m_question.choices.at(choice).isRight;
    for (int i = 0; i < m_choices.size(); ++i) {
        const bool isTheRightOne = m_question.choices.at(i).isRight;
        m_choices[i]->setEnabled(false);
        if (isTheRightOne || i == choice)
            m_choices[i]->setIcon(markIcon(isTheRightOne ? Mark::Released : Mark::Violation));
        else if (isLargeType())
            m_choices[i]->hide(); // the reason needs the room
    }
    const QString because = inert(m_question.because);
    m_because->setText(isRight ? tr("Right. %1").arg(because) : tr("No. %1").arg(because));
    m_because->show();
    LessonScore::keep(m_asked, m_question.topic, isRight);
    Q_EMIT answered(isRight);
}

} // namespace lockscope::ui
