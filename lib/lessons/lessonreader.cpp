// SPDX-License-Identifier: MIT
#include "lessonreader.h"

#include "fencedblocks.h"
#include "lessonexpectation.h"
#include "lessonflow.h"
#include "lessonhead.h"
#include "lessonscript.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QStringDecoder>

namespace lockscope {

namespace {

constexpr int kMaxSteps = 200;
constexpr int kMaxSessions = 40;

/// The text before the first empty line, and what is behind it.
std::pair<QString, QString> firstParagraph(const QString &text)
{
    const qsizetype end = text.indexOf(QStringLiteral("\n\n"));
    return end < 0 ? std::pair(text.trimmed(), QString())
                   : std::pair(text.left(end).trimmed(), text.mid(end).trimmed());
}

/// "1.2s", "500ms".
std::optional<std::chrono::milliseconds> pauseOf(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,4}(?:\\.\\d{1,3})?)(s|ms)$"));
    const auto match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return std::chrono::milliseconds(qRound64(match.captured(1).toDouble() * (match.captured(2) == u"s" ? 1000 : 1)));
}

const QStringList &blockWords()
{
    static const QStringList words{QStringLiteral("sql"),      QStringLiteral("step"), QStringLiteral("predict"),
                                   QStringLiteral("exercise"), QStringLiteral("goal"), QStringLiteral("claim")};
    return words;
}

/// A fence that is missing, or a word that is mistyped, would make prose of what is meant as a block, or a statement of
/// what is meant as two.
std::optional<LessonFault> faultOfFences(const QStringList &lines, const FencedBlock &block)
{
    static const QRegularExpression fences(QStringLiteral("^ *(`{3,}|~{3,})"));
    const QString fence = fences.match(lines.value(block.line - 1)).captured(1);
    const auto isFence = [&fence](const QString &line) { return line.trimmed().startsWith(fence); };
    for (int line = block.line + 1; line < block.lastLine; ++line) {
        if (isFence(lines.value(line - 1)))
            return LessonFault{
                line,
                QStringLiteral("the fence of line %1 is not closed before this one: one is missing").arg(block.line)};
    }
    if (!isFence(lines.value(block.lastLine - 1)))
        return LessonFault{block.line, QStringLiteral("the block is not closed, or not by a line of its own")};
    const QString word = block.info.section(u' ', 0, 0);
    if (block.info.contains(u' ') && !blockWords().contains(word))
        return LessonFault{block.line,
                           QStringLiteral("\"%1\" is none of a lesson's words: %2; a block of another language has one "
                                          "word behind its fence")
                               .arg(word, blockWords().join(QStringLiteral(", ")))};
    return std::nullopt;
}

class Reader
{
public:
    Reader(const QByteArray &file, Lesson lesson, int firstLine)
        : m_lines(QString::fromUtf8(file).split(u'\n'))
        , m_lesson(std::move(lesson))
        , m_proseFrom(firstLine)
    {
    }

    std::variant<Lesson, LessonFault> read(const QList<FencedBlock> &blocks)
    {
        for (const FencedBlock &block : blocks) {
            if (block.line < m_proseFrom)
                continue; // in the front matter
            m_block = &block;
            readBlock(block);
            if (m_fault)
                return *m_fault;
        }
        gather(int(m_lines.size()) + 1);
        m_lesson.outro = m_prose;
        if (m_lesson.steps.isEmpty())
            return LessonFault{0, QStringLiteral("there is no step: write one as ```sql A ok")};
        if (const auto fault = checkFlow(m_lesson))
            return *fault;
        if (const auto fault = checkExercises())
            return *fault;
        if (const auto fault = checkGoals())
            return *fault;
        return m_lesson;
    }

private:
    void refuse(const QString &reason, int linesBehind = 0)
    {
        if (!m_fault)
            m_fault = LessonFault{m_block->line + linesBehind, reason};
    }

    /// Adds what stands between the block before and this line to what was not yet told.
    void gather(int line)
    {
        const QString text = m_lines.mid(m_proseFrom - 1, line - m_proseFrom).join(u'\n').trimmed();
        if (!text.isEmpty())
            m_prose += (m_prose.isEmpty() ? QString() : QStringLiteral("\n\n")) + text;
    }

    void readBlock(const FencedBlock &block)
    {
        const QString word = block.info.section(u' ', 0, 0);
        const QString rest = block.info.section(u' ', 1);
        m_fault = faultOfFences(m_lines, block);
        if (m_fault || !blockWords().contains(word))
            return; // an example in the prose
        gather(block.line);
        if (word == u"sql")
            readSql(block, rest);
        else if (word == u"step")
            readStep(rest);
        else if (word == u"predict")
            readQuestion(block, rest);
        else if (word == u"exercise")
            readExercise(block, rest);
        else if (word == u"goal")
            readGoal(block, rest);
        else
            readClaim(block, rest);
        m_proseFrom = block.lastLine + 1;
    }

    void readSql(const FencedBlock &block, const QString &rest)
    {
        const QString first = rest.section(u' ', 0, 0);
        const QString sql = block.text.trimmed();
        if (sql.isEmpty())
            return refuse(QStringLiteral("the block has no statement"));
        if (first == u"setup")
            return readSetup(sql);
        if (first == u"check" || first == u"solution")
            return readCheck(first, sql);
        if (!isLessonSession(first))
            return refuse(QStringLiteral("\"%1\" is no session: write ```sql A ok, ```sql setup, ```sql check or "
                                         "```sql solution")
                              .arg(first));
        LessonStep step;
        step.session = first;
        step.sql = withoutEnd(sql);
        addStep(std::move(step), rest.section(u' ', 1));
    }

    /// A statement ends with ";" at the end of a line.
    void readSetup(const QString &sql)
    {
        if (!m_lesson.steps.isEmpty())
            return refuse(QStringLiteral("setup comes before the first step"));
        static const QRegularExpression end(QStringLiteral(";[ \\t]*(\\n|$)"));
        m_lesson.setup += sql.split(end, Qt::SkipEmptyParts);
    }

    /// Of the exercise or the goal before it.
    void readCheck(const QString &what, const QString &sql)
    {
        const bool isCheck = what == u"check";
        QString *place = isCheck ? m_checkOf : m_solutionOf;
        if (!place)
            return refuse(QStringLiteral("\"%1\" belongs behind an exercise%2")
                              .arg(what, isCheck ? QStringLiteral(" or a \"goal check\"") : QString()));
        if (!place->isEmpty())
            return refuse(QStringLiteral("there is a %1 already").arg(what));
        *place = withoutEnd(sql);
    }

    void readStep(const QString &rest)
    {
        static const QRegularExpression pattern(
            QStringLiteral("^(?:([A-Z]{1,2}\\d{0,2}) (disconnects|is killed|is cut off|freezes|goes on)|pause (\\S+)|"
                           "await ([A-Z]{1,2}\\d{0,2}))(?:; (.*))?$"));
        const auto match = pattern.match(rest);
        if (!match.hasMatch())
            return refuse(
                QStringLiteral("write ```step A disconnects, is killed, is cut off, freezes or goes on, pause 1.5s or "
                               "await A, and behind it what follows: \"; unblocks B: ok 1\""));
        LessonStep step;
        using Kind = LessonStep::Kind;
        step.kind = match.hasCaptured(2) ? *lessonFault(match.captured(2))
            : match.hasCaptured(3)       ? Kind::Pause
                                         : Kind::Await;
        step.session = match.captured(1) + match.captured(4);
        if (step.kind == Kind::Pause) {
            const auto pause = pauseOf(match.captured(3));
            if (!pause || *pause > std::chrono::seconds(10))
                return refuse(QStringLiteral("a pause is 10s at most, and written 1.5s or 200ms"));
            step.pause = *pause;
        }
        addStep(std::move(step),
                match.hasCaptured(5) ? QStringLiteral("ok; ") + match.captured(5) : QStringLiteral("ok"));
    }

    void addStep(LessonStep step, const QString &expected)
    {
        QString reason;
        if (expected.isEmpty())
            return refuse(QStringLiteral("what is expected of it? Write ok, rows (1), blocks on A, error 1213 …"));
        const auto expectation = lessonExpectation(expected, &reason);
        if (!expectation)
            return refuse(reason);
        step.expected = *expectation;
        step.line = m_block->line;
        (m_lesson.steps.isEmpty() ? m_lesson.intro : step.caption) = std::exchange(m_prose, {});
        m_lesson.steps += std::move(step);
        if (m_lesson.steps.size() > kMaxSteps || m_lesson.sessions().size() > kMaxSessions)
            refuse(QStringLiteral("more than %1 steps or %2 sessions").arg(kMaxSteps).arg(kMaxSessions));
    }

    /// The question, its choices as a list of tasks of which one is done, and why.
    void readQuestion(const FencedBlock &block, const QString &rest)
    {
        LessonQuestion question;
        question.beforeStep = m_lesson.steps.size();
        question.topic = rest;
        QStringList text;
        QStringList because;
        static const QRegularExpression choice(QStringLiteral("^[-*] \\[([ xX])\\] (.+)$"));
        static const QRegularExpression mistyped(QStringLiteral("^([-*+][\\s(\\[]|\\[[ xX]?\\]|\\([ xX]?\\))"));
        const QStringList lines = block.text.split(u'\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QString line = lines.at(i).trimmed();
            if (const auto match = choice.match(line); match.hasMatch())
                question.choices.append({match.captured(2), match.captured(1) != u" "});
            else if (mistyped.match(line).hasMatch())
                return refuse(QStringLiteral("a choice is written \"- [ ] 4\", the right one \"- [x] 5\""), int(i) + 1);
            else
                (question.choices.isEmpty() ? text : because) += lines.at(i);
        }
        question.text = text.join(u'\n').trimmed();
        question.because = because.join(u'\n').trimmed();
        const auto right = std::ranges::count_if(question.choices, &LessonChoice::isRight);
        if (question.text.isEmpty() || question.choices.size() < 2 || right != 1 || question.because.isEmpty())
            return refuse(
                QStringLiteral("predict has a question, two choices or more (\"- [ ] 4\") of which one is right "
                               "(\"- [x] 5\"), and behind them why"));
        m_lesson.questions += question;
    }

    void readExercise(const FencedBlock &block, const QString &rest)
    {
        static const QRegularExpression pattern(QStringLiteral("^edit (\\d{1,3})$"));
        const auto match = pattern.match(rest);
        LessonExercise exercise;
        exercise.text = block.text.trimmed();
        exercise.line = block.line;
        exercise.step = match.captured(1).toInt() - 1;
        if (exercise.step >= m_lesson.steps.size())
            return refuse(QStringLiteral("edit %1: above it there are %2 steps, counted by \"sql\" and \"step\"")
                              .arg(exercise.step + 1)
                              .arg(m_lesson.steps.size()));
        const bool isStatement = exercise.step >= 0 && exercise.step < m_lesson.steps.size()
            && m_lesson.steps.at(exercise.step).kind == LessonStep::Kind::Statement;
        if (!isStatement || exercise.text.isEmpty())
            return refuse(
                QStringLiteral("write ```exercise edit 6: the number of the step above whose statement is to be "
                               "edited; and in the block the task"));
        m_lesson.exercises += exercise;
        m_checkOf = &m_lesson.exercises.back().check;
        m_solutionOf = &m_lesson.exercises.back().solution;
    }

    /// Its text, and behind an empty line whose turns reach it: "A A B B".
    void readGoal(const FencedBlock &block, const QString &rest)
    {
        static const QRegularExpression pattern(QStringLiteral("^(?:error(?: (\\d{1,5}))?|(no error)|(check))$"));
        const auto match = pattern.match(rest);
        if (!match.hasMatch())
            return refuse(QStringLiteral("write ```goal error 1213, ```goal no error or ```goal check"));
        LessonGoal goal;
        using Kind = LessonGoal::Kind;
        goal.kind = match.hasCaptured(2) ? Kind::NoError : match.hasCaptured(3) ? Kind::Check : Kind::Error;
        goal.error = match.captured(1).toInt();
        QString turns;
        std::tie(goal.text, turns) = firstParagraph(block.text);
        goal.order = turns.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts);
        if (goal.text.isEmpty() || goal.order.isEmpty())
            return refuse(QStringLiteral("a goal is its text and, after an empty line, whose turns reach it: A B A B"));
        goal.line = block.line;
        m_lesson.goals += goal;
        m_checkOf = goal.kind == Kind::Check ? &m_lesson.goals.back().check : nullptr;
        m_solutionOf = nullptr;
    }

    std::optional<LessonFault> checkExercises() const
    {
        for (const LessonExercise &exercise : m_lesson.exercises) {
            if (exercise.solution.isEmpty() || exercise.check.isEmpty())
                return LessonFault{exercise.line,
                                   QStringLiteral("an exercise is followed by a ```sql solution and a ```sql check")};
        }
        return std::nullopt;
    }

    /// Each turn has a statement of the lesson, and a check is there where one is wanted.
    std::optional<LessonFault> checkGoals() const
    {
        for (const LessonGoal &goal : m_lesson.goals) {
            if (goal.kind == LessonGoal::Kind::Check && goal.check.isEmpty())
                return LessonFault{goal.line, QStringLiteral("\"goal check\" is followed by a ```sql check")};
            LessonScript script(m_lesson);
            for (const QString &session : goal.order) {
                if (!script.take(session))
                    return LessonFault{goal.line, QStringLiteral("%1 has no turn left").arg(session)};
            }
        }
        return std::nullopt;
    }

    void readClaim(const FencedBlock &block, const QString &rest)
    {
        LessonClaim claim;
        std::tie(claim.text, claim.because) = firstParagraph(block.text);
        if (rest == u"true")
            claim.verdict = LessonVerdict::True;
        else if (rest == u"only if")
            claim.verdict = LessonVerdict::OnlyIf;
        else if (rest == u"false")
            claim.verdict = LessonVerdict::False;
        else
            return refuse(QStringLiteral("write ```claim true, ```claim only if or ```claim false"));
        const bool needsReason = claim.verdict != LessonVerdict::True;
        if (claim.text.isEmpty() || (needsReason && claim.because.isEmpty()))
            return refuse(
                QStringLiteral("a claim is a sentence and, unless it is simply true, after an empty line what is "
                               "so instead"));
        m_lesson.claims += claim;
    }

    const QStringList m_lines;
    Lesson m_lesson;
    int m_proseFrom;
    QString m_prose;              ///< before the next step
    QString *m_checkOf = nullptr; ///< where a check and a solution go
    QString *m_solutionOf = nullptr;
    const FencedBlock *m_block = nullptr;
    std::optional<LessonFault> m_fault;
};

} // namespace

std::variant<Lesson, LessonFault> readLesson(const QByteArray &file, const QString &id)
{
    if (file.size() > kMaxLessonBytes)
        return LessonFault{0, QStringLiteral("larger than %1 KiB").arg(kMaxLessonBytes / 1024)};
    QStringDecoder decoder(QStringDecoder::Utf8);
    [[maybe_unused]] const QString decoded = decoder(file);
    if (decoder.hasError() || file.contains('\0'))
        return LessonFault{0, QStringLiteral("not UTF-8")};
    QByteArray text = file.startsWith("\xEF\xBB\xBF") ? file.mid(3) : file; // some editors' byte order mark
    text.replace("\r\n", "\n");
    int firstLine = 0;
    const auto head = readLessonHead(text, id, &firstLine);
    if (const auto *fault = std::get_if<LessonFault>(&head))
        return *fault;
    return Reader(text, std::get<Lesson>(head), firstLine).read(fencedBlocks(text));
}

} // namespace lockscope
