// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/visibletext.h"
#include "globals.h"
#include "lab/labplan.h"
#include "lessoncheck.h"
#include "lessonplay.h"
#include "lessons/lessonfile.h"
#include "lessons/lessonlibrary.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/lessontext.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

struct LessonOptions
{
    std::vector<std::string> names;
    std::string language = "en";
    std::string isolation;
    bool isTried = false; ///< check --play
    LessonPlayOptions play;
};

/// A lesson that the command line names: of a file, or of the library.
struct NamedLesson
{
    QString name;
    QByteArray source;
    std::variant<Lesson, LessonFault> lesson;
};

QStringList scenarios()
{
    QStringList names;
    for (const LabPlan &plan : labScenarios())
        names += plan.name;
    return names;
}

QStringList modes()
{
    QStringList names;
    for (const LabWay way : allLabWays())
        names += QString::fromLatin1(traitsOf(way).name);
    return names;
}

NamedLesson find(const std::string &name, const std::string &language)
{
    const QString called = QString::fromStdString(name);
    if (called.endsWith(".md"_L1)) {
        const LessonFile file = readLessonFile(called, scenarios(), modes());
        return {called, file.source, file.lesson};
    }
    const QByteArray source = lessonSource(called, QString::fromStdString(language));
    if (source.isEmpty())
        return {called, source,
                LessonFault{
                    0, u"there is no such lesson: `lockctl lesson list` shows them; a file's name ends with .md"_s}};
    return {called, source, readLesson(source, called)};
}

/// "my.md:14: there is no session B yet …"
void printFault(const QString &name, const LessonFault &fault)
{
    printError(visibleLines(fault.line > 0 ? u"%1:%2: %3"_s.arg(name).arg(fault.line).arg(fault.reason)
                                           : u"%1: %2"_s.arg(name, fault.reason)));
}

int check(const Globals &globals, const LessonOptions &options)
{
    QJsonArray faults;
    const auto tell = [&](const QString &name, const LessonFault &fault) {
        faults.append(QJsonObject{{u"name"_s, name},
                                  {u"line"_s, fault.line > 0 ? QJsonValue(fault.line) : QJsonValue()},
                                  {u"reason"_s, fault.reason}});
        if (!globals.json)
            printFault(name, fault);
    };
    QList<std::pair<QString, Lesson>> right;
    for (const std::string &name : options.names) {
        const NamedLesson named = find(name, options.language);
        if (const auto *fault = std::get_if<LessonFault>(&named.lesson))
            tell(named.name, *fault);
        else
            right.append({named.name, std::get<Lesson>(named.lesson)});
    }
    for (const auto &[name, lesson] : std::as_const(right)) {
        if (!globals.json)
            printLine(u"%1: %2"_s.arg(printable(name), lessonContents(lesson)));
    }
    int exitCode = faults.isEmpty() ? Done : Failed;
    if (options.isTried && !right.isEmpty()) {
        const int tried = tryLessons(globals, right, options.play.isAgreed, tell);
        exitCode = exitCode == Done ? tried : exitCode;
    }
    if (globals.json)
        printJson(faults);
    return exitCode;
}

/// A narrow terminal has room for what a lesson is named and about.
void printList(const QList<QStringList> &rows)
{
    const int columns = ::isatty(STDOUT_FILENO) != 0 ? outputColumns() : 0;
    if (isWide(columns))
        return print(table({u"#"_s, u"NAME"_s, u"LEVEL"_s, u"TITLE"_s}, rows, columns));
    QList<QStringList> few;
    for (const QStringList &row : rows)
        few += {row.at(1), row.at(3)};
    print(table({u"NAME"_s, u"TITLE"_s}, few, columns));
}

int list(const Globals &globals, const LessonOptions &options)
{
    QList<QStringList> rows;
    QJsonArray document;
    for (const QString &id : lessonIds()) {
        const auto lesson = libraryLesson(id, QString::fromStdString(options.language));
        if (const auto *found = std::get_if<Lesson>(&lesson)) {
            rows += lessonLine(*found);
            document.append(lessonToJson(*found));
        }
    }
    if (globals.json)
        printJson(document);
    else
        printList(rows);
    return Done;
}

int show(const Globals &globals, const LessonOptions &options)
{
    const NamedLesson named = find(options.names.front(), options.language);
    if (const auto *fault = std::get_if<LessonFault>(&named.lesson)) {
        printFault(named.name, *fault);
        return Failed;
    }
    if (globals.json) {
        QJsonObject object = lessonToJson(std::get<Lesson>(named.lesson));
        object.insert(u"markdown"_s, QString::fromUtf8(named.source));
        printJson(object);
    } else {
        print(visibleLines(QString::fromUtf8(named.source)));
    }
    return Done;
}

/// Never over a file that is there.
int makeNew(const LessonOptions &options)
{
    const QString name = options.names.empty() ? u"my-lesson.md"_s : QString::fromStdString(options.names.front());
    const QString id = QFileInfo(name).completeBaseName();
    const QByteArray text = lessonSkeleton(id);
    const auto lesson = name.endsWith(".md"_L1)
        ? readLesson(text, id)
        : std::variant<Lesson, LessonFault>(LessonFault{0, u"a file's name ends with .md"_s});
    if (const auto *fault = std::get_if<LessonFault>(&lesson)) {
        printFault(name, *fault);
        return Usage;
    }
    if (options.names.empty()) {
        print(QString::fromUtf8(text));
        return Done;
    }
    QFile file(name);
    const bool isMade = file.open(QIODevice::WriteOnly | QIODevice::NewOnly);
    if (isMade && file.write(text) == text.size() && file.flush())
        return Done;
    printFault(name, {0, u"it cannot be written: %1"_s.arg(file.errorString())});
    if (isMade) {
        file.close(); // with what cannot be flushed it would not remove itself
        QFile::remove(name);
    }
    return Failed;
}

int run(const Globals &globals, const LessonOptions &options)
{
    QList<Lesson> lessons;
    for (const std::string &name : options.names) {
        const NamedLesson named = find(name, options.language);
        if (const auto *fault = std::get_if<LessonFault>(&named.lesson)) {
            printFault(named.name, *fault);
            return Failed;
        }
        lessons += std::get<Lesson>(named.lesson);
    }
    LessonPlayOptions play = options.play;
    play.isolation = lessonIsolation(QString::fromStdString(options.isolation));
    return playLessons(globals, lessons, play);
}

void addLanguage(CLI::App &command, LessonOptions &options)
{
    command.add_option("--language", options.language, "en, or zh_CN for the lessons of the course")
        ->check(CLI::IsMember({"en", "zh_CN"}));
}

void addRunning(CLI::App &lesson, Globals &globals, const std::shared_ptr<LessonOptions> &options)
{
    auto *command =
        addCommand(lesson, "run",
                   "Play lessons on the private server, or on that of --url, each in a schema of its own; ends "
                   "with 1 where a step differs from the file, or where something of it is left on the server",
                   "lockctl lesson run ghost-stock --isolation rc");
    command->add_option("name", options->names, "Names of lessons, or files that end with .md")->required();
    command
        ->add_option("--isolation", options->isolation,
                     "rr, rc, ru or ser; without it each that the lesson names, or step by step its first")
        ->check(CLI::IsMember({"rr", "rc", "ru", "ser"}));
    command->add_flag("--auto", options->play.isAuto, "Do not wait for a person before each step");
    command->add_flag("--yes", options->play.isAgreed, "Play on the server of --url without a question");
    addLanguage(*command, *options);
    command->callback([&globals, options] { globals.action = [&globals, options] { return run(globals, *options); }; });
}

void addChecking(CLI::App &lesson, Globals &globals, const std::shared_ptr<LessonOptions> &options)
{
    auto *command = addCommand(lesson, "check", "Whether a lesson's file is right; says the line and what is wrong",
                               "lockctl lesson check --play my-lesson.md");
    command->add_option("name", options->names, "Files that end with .md, or names of lessons")->required();
    command->add_flag("--play", options->isTried,
                      "Also try all that it says, on the private server or on that of --url: each step, that an "
                      "exercise is solved by its solution and not without it, that goals are reached by their turns");
    command->add_flag("--yes", options->play.isAgreed, "Play on the server of --url without a question");
    addLanguage(*command, *options);
    command->callback(
        [&globals, options] { globals.action = [&globals, options] { return check(globals, *options); }; });
}

} // namespace

void addLesson(CLI::App &app, Globals &globals)
{
    auto *lesson = addCommand(app, "lesson", "Step through what a server really does with locks",
                              "lockctl lesson run ghost-stock");
    lesson->require_subcommand(0, 1);
    auto options = std::make_shared<LessonOptions>();
    auto *listing = addCommand(*lesson, "list", "The lessons, first those of the course", "lockctl lesson list");
    addLanguage(*listing, *options);
    listing->callback(
        [&globals, options] { globals.action = [&globals, options] { return list(globals, *options); }; });
    auto *showing = addCommand(*lesson, "show", "A lesson as its file has it", "lockctl lesson show ghost-stock");
    showing->add_option("name", options->names, "Its name, or a file that ends with .md")->required()->expected(1);
    addLanguage(*showing, *options);
    showing->callback(
        [&globals, options] { globals.action = [&globals, options] { return show(globals, *options); }; });
    addChecking(*lesson, globals, options);
    auto *making = addCommand(*lesson, "new", "Write a small lesson that is right, to begin a new one with",
                              "lockctl lesson new my-lesson.md");
    making->add_option("file", options->names, "A file that ends with .md; without it the lesson is printed")
        ->expected(0, 1);
    making->callback([&globals, options] { globals.action = [options] { return makeNew(*options); }; });
    addRunning(*lesson, globals, options);
}

} // namespace lockscope::ctl
