// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "globals.h"
#include "lessons/lessonexpectation.h"
#include "lessons/lessonlibrary.h"
#include "lessons/lessonrun.h"
#include "server/trialserver.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/lessontext.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

struct LessonOptions
{
    std::vector<std::string> names;
    std::string isolation;
    bool isAgreed = false; ///< --yes
};

/// A file, or one of the library by its name.
std::optional<Lesson> find(const std::string &name)
{
    const QString wanted = QString::fromStdString(name);
    QByteArray source;
    QString id = wanted;
    if (wanted.endsWith(".md"_L1)) {
        QFile file(wanted);
        if (!file.open(QIODevice::ReadOnly)) {
            printError(u"%1 cannot be read: %2"_s.arg(wanted, file.errorString()));
            return std::nullopt;
        }
        source = file.read(kMaxLessonBytes + 1);
        id = QFileInfo(wanted).completeBaseName();
    } else {
        source = lessonSource(wanted);
        if (source.isEmpty()) {
            printError(
                u"there is no lesson \"%1\": `lockctl lesson list` shows them; a file's name ends with .md"_s.arg(
                    wanted));
            return std::nullopt;
        }
    }
    auto lesson = readLesson(source, id);
    if (const auto *fault = std::get_if<LessonFault>(&lesson)) {
        printError(u"%1:%2: %3"_s.arg(wanted).arg(fault->line).arg(fault->reason));
        return std::nullopt;
    }
    return std::get<Lesson>(std::move(lesson));
}

int check(const LessonOptions &options)
{
    int code = Done;
    for (const std::string &name : options.names) {
        if (!find(name))
            code = Failed;
    }
    return code;
}

int list()
{
    QList<QStringList> rows;
    for (const QString &id : lessonIds()) {
        const auto lesson = libraryLesson(id);
        if (const auto *found = std::get_if<Lesson>(&lesson))
            rows += lessonLine(*found);
    }
    print(table({u"#"_s, u"NAME"_s, u"LEVEL"_s, u"TITLE"_s}, rows));
    return Done;
}

/// False where it differs from what the file says, or cannot go on.
bool play(const SessionTarget &target, const Lesson &lesson, LessonIsolation isolation)
{
    LockError error;
    const auto run = LessonRun::start(target, lesson, isolation, &error);
    if (!run) {
        printError(error);
        return false;
    }
    if (!lesson.families.contains(run->place().family)) {
        printLine(u"   this server shows nothing of it"_s);
        return true;
    }
    bool isAsExpected = true;
    for (qsizetype i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep &step = lesson.steps.at(i);
        const LessonOutcome &expected = step.expected.at(run->place());
        const LessonStepResult result = run->play(step);
        printLine(stepText(step, expected, result, *run, int(i) + 1));
        if (result.failure) {
            printError(*result.failure);
            return false;
        }
        isAsExpected = isAsExpected && agrees(expected, result.outcome);
    }
    return isAsExpected;
}

int run(const Globals &globals, const LessonOptions &options)
{
    QList<Lesson> lessons;
    for (const std::string &name : options.names) {
        const auto lesson = find(name);
        if (!lesson)
            return Failed;
        lessons += *lesson;
    }
    int code = Done;
    TrialServer server(globals);
    const auto place =
        server.find(u"Play lessons on %1, each in a schema of its own? [y/N] "_s, options.isAgreed, &code);
    if (!place)
        return code;
    for (const Lesson &lesson : std::as_const(lessons)) {
        for (const LessonIsolation isolation : lesson.isolations) {
            if (!options.isolation.empty() && toString(isolation) != QString::fromStdString(options.isolation))
                continue;
            printLine(u"== %1, %2"_s.arg(lesson.id, toString(isolation)));
            const bool isAsExpected = play(place->target, lesson, isolation);
            printLine(isAsExpected ? u"== as expected"_s : u"== DIFFERS"_s);
            code = isAsExpected ? code : Failed;
        }
    }
    return code;
}

} // namespace

void addLesson(CLI::App &app, Globals &globals)
{
    auto *lesson = addCommand(app, "lesson", "Step through what a server really does with locks",
                              "lockctl lesson run ghost-stock");
    lesson->require_subcommand(0, 1);
    auto options = std::make_shared<LessonOptions>();
    auto *listing = addCommand(*lesson, "list", "The lessons", "lockctl lesson list");
    listing->callback([&globals] { globals.action = [] { return list(); }; });
    auto *checking = addCommand(*lesson, "check", "Whether a lesson's file is right; says the line and what is wrong",
                                "lockctl lesson check my-lesson.md");
    checking->add_option("name", options->names, "Files that end with .md, or names of lessons")->required();
    checking->callback([&globals, options] { globals.action = [options] { return check(*options); }; });
    auto *running =
        addCommand(*lesson, "run", "Play lessons on a server", "lockctl lesson run ghost-stock --isolation rc");
    running->add_option("name", options->names, "Names of lessons, or files that end with .md")->required();
    running->add_option("--isolation", options->isolation, "rr, rc, ru or ser; without it each that the lesson names");
    running->add_flag("--yes", options->isAgreed, "Play on the server of --url without a question");
    running->callback([&globals, options] { globals.action = [&globals, options] { return run(globals, *options); }; });
}

} // namespace lockscope::ctl
