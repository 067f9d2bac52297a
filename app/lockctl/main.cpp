// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/visibletext.h"
#include "globals.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

#include <QtCore/QCoreApplication>

#include <iostream>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr auto kAbout =
    "Locks on MySQL and MariaDB: hold one around a command, see who holds what, release a stuck one.";
constexpr auto kFooter =
    "The server: --url, else LOCKSCOPE_URL, else --defaults-file, else the private server (`lockctl sandbox "
    "start`).\n"
    "The password: LOCKSCOPE_PASSWORD, --password-file, the desktop's keyring, or asked for at the terminal; never in "
    "the URL.\n"
    "Exit codes: 0 done, 1 failed, 3 nothing done, because what was meant is no longer there or somebody said no,\n"
    "  64 usage, 69 no server, 75 not acquired, 76 lost, 77 no permission. `check` has its own, `run` its command's.\n"
    "Example:\n  lockctl run nightly-invoices --wait 0 -- ./make-invoices";

/// The words for the option parser, and after the first `--` of a `run` those for its command, which no parser may
/// touch. "--note=" becomes "--note" "", since the parser would take the next word for its value.
std::vector<std::string> splitWords(int argc, char **argv, Globals &globals)
{
    std::vector<std::string> words;
    bool isRun = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        isRun = isRun || word == "run";
        if (word == "--" && isRun) {
            globals.commandWords.assign(argv + i + 1, argv + argc);
            break;
        }
        const bool isEmptyValue = word.size() > 3 && word.starts_with("--") && word.find('=') == word.size() - 1;
        words.push_back(isEmptyValue ? word.substr(0, word.size() - 1) : word);
        if (isEmptyValue)
            words.emplace_back();
    }
    return words;
}

/// `help` and `help COMMAND`, as other tools have it.
void readHelp(const CLI::App &app, std::vector<std::string> &words)
{
    if (words.empty() || words.front() != "help")
        return;
    while (!words.empty() && words.front() == "help")
        words.erase(words.begin());
    const auto isMeant = [&words](const CLI::App *command) { return command->get_name() == words.front(); };
    const bool isOfAll = words.empty() || words.front().starts_with('-');
    if (isOfAll || !app.get_subcommands(isMeant).empty()) // else it is named as what it is not
        words.emplace_back("--help");
}

void addGlobals(CLI::App &app, Globals &globals)
{
    app.add_option("--url", globals.url,
                   "mysql://user@host:port/schema or mysql://user@localhost/schema?socket=%2Fpath; for leases also "
                   "redis://user@host:port/0, redis:///?socket=%2Fpath, zookeeper://h1:port,h2:port/path or "
                   "etcd://h1:port,h2:port/path")
        ->type_name("URL")
        ->check(given());
    app.add_option("--password-file", globals.passwordFile, "A file with the password that only its owner can read")
        ->type_name("FILE")
        ->check(given());
    app.add_option("--defaults-file", globals.defaultsFile,
                   "A MySQL option file whose group [client] names server and password, e.g. ~/.my.cnf")
        ->type_name("FILE")
        ->check(given());
    app.add_flag("--json", globals.json, "Print one JSON document; not for run and top");
    app.set_version_flag("--version", "lockctl " LOCKSCOPE_VERSION);
    app.require_subcommand(0, 1); // an unknown word is then named, instead of asking for a command that is there
    app.footer(kFooter);
    addSandbox(app, globals);
    addInit(app, globals);
    addRun(app, globals);
    addList(app, globals);
    addWaiters(app, globals);
    addEvents(app, globals);
    addAudit(app, globals);
    addBlockers(app, globals);
    addDeadlocks(app, globals);
    addRecord(app, globals);
    addRecording(app, globals);
    addTop(app, globals);
    addKill(app, globals);
    addXa(app, globals);
    addProfiles(app, globals);
    addCheck(app, globals);
    addAsk(app, globals);
    addRelease(app, globals);
    addSimulate(app, globals);
    addCompare(app, globals);
    addLesson(app, globals);
}

/// What to exit with: help was shown, or the words are wrong. None to go on.
std::optional<int> parse(CLI::App &app, std::vector<std::string> words)
{
    std::reverse(words.begin(), words.end()); // the parser takes them from the back
    try {
        app.parse(std::move(words));
        return std::nullopt;
    } catch (const CLI::Success &shown) { // --help, --version
        app.exit(shown, std::cout, std::cerr);
        std::cout.flush();
        return std::cout ? Done : Failed;
    } catch (const CLI::ExtrasError &) {
        QStringList unknown;
        for (const std::string &word : app.remaining(true))
            unknown += QString::fromStdString(word);
        printError(u"not expected: %1 (see --help)"_s.arg(printable(unknown.join(u' '))));
        return Usage;
    } catch (const CLI::ParseError &error) {
        printError(QString::fromStdString(error.what()) + u" (see --help)"_s);
        return Usage;
    }
}

} // namespace

int run(int argc, char **argv)
{
    showQtMessagesVisibly();
    Globals globals;
    std::vector<std::string> words = splitWords(argc, argv, globals);
    const int end = argc - int(globals.commandWords.size()); // those are passed on as they are
    for (int i = 1; i < end; ++i) {
        if (!isUtf8(argv[i])) {
            printError(u"argument %1 is not UTF-8: %2. A lock of such a name is released in the window."_s.arg(i).arg(
                printable(QByteArray(argv[i]))));
            return Usage;
        }
    }
    CLI::App app(kAbout, "lockctl");
    addGlobals(app, globals);
    readHelp(app, words);
    if (const auto code = parse(app, std::move(words)))
        return *code;
    if (!globals.action) {
        printError(u"a command is missing (see --help)"_s);
        return Usage;
    }
    // The database driver is a plugin and needs an application object; no word of ours is meant for it.
    int count = 1;
    QCoreApplication application(count, argv);
    return globals.action();
}

} // namespace lockscope::ctl

int main(int argc, char **argv)
{
    return lockscope::ctl::run(argc, argv);
}
