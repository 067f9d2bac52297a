// SPDX-License-Identifier: MIT
// What the documents tell to type is typed: every command of their code blocks, from top to bottom, as somebody would
// who has just built this and reads them for the first time. Their C++ is compiled by the build (examples.sh).
#include "lockctlrunner.h"
#include "strict.h"

#include <QtCore/QDir>
#include <QtCore/QDirIterator>
#include <QtCore/QRegularExpression>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtTest/QTest>

using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Commands that are not run here, by how they begin, and why.
const QMap<QString, QString> &notRun()
{
    static const QMap<QString, QString> all{
        {u"sh app/run.sh"_s, u"builds this tree"_s},
        {u"sh tests/run.sh"_s, u"runs this test"_s},
        {u"cmake "_s, u"builds this tree anew; tests/consumer installs it"_s},
        {u"sudo "_s, u"changes this machine; tests/consumer installs into a folder"_s},
        {u"lockctl events --follow"_s, u"does not end; tst_lockctl has it"_s},
        {u"build/release/tests/"_s, u"measures for minutes"_s},
        {u"LOCKSCOPE_TEST_"_s, u"measures for minutes"_s},
        {u"LOCKSCOPE_HISTORY_"_s, u"runs for minutes"_s},
        {u"ctest "_s, u"runs this test"_s},
        {u"cd "_s, u"belongs to what follows it"_s},
        {u"sh tests/model/model.sh"_s, u"tst_model is the same"_s},
    };
    return all;
}

/// Commands that end with another exit code than 0 where nothing is held or blocked, by how they begin.
int expectedExitCode(const QString &command)
{
    constexpr auto nothingDone = 3;
    static const QStringList all{u"lockctl ask "_s, u"lockctl release "_s, u"lockctl kill "_s, u"lockctl xa "_s};
    const bool isAny =
        std::any_of(all.begin(), all.end(), [&](const QString &start) { return command.startsWith(start); });
    return isAny ? nothingDone : 0;
}

struct Block
{
    QString language;
    QStringList lines;
};

QString textOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("Cannot read %ls", qUtf16Printable(path));
    return QString::fromUtf8(file.readAll());
}

QList<Block> blocksOf(const QString &text)
{
    QList<Block> blocks;
    bool isInside = false;
    for (const QString &line : text.split(u'\n')) {
        const QString trimmed = line.trimmed();
        if (trimmed.startsWith(u"```"_s)) {
            isInside = !isInside;
            if (isInside)
                blocks.append({trimmed.mid(3), {}});
        } else if (isInside) {
            blocks.last().lines.append(line);
        }
    }
    return blocks;
}

/// Without the comment behind it; empty if it is nothing else.
QString commandOf(const QString &line)
{
    static const QRegularExpression comment(u"(^|\\s+)# .*$"_s);
    return QString(line).remove(comment).trimmed();
}

/// The documents, by their path in the project.
QStringList documents()
{
    const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR));
    QStringList paths{u"README.md"_s}; // it starts the private server
    QDirIterator it(root.path(), {u"*.md"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = root.relativeFilePath(it.next());
        if (path != u"README.md"_s && !path.startsWith(u"build"_s))
            paths.append(path);
    }
    return paths;
}

QString textOfDocument(const QString &path)
{
    return textOf(QStringLiteral(LOCKSCOPE_SOURCE_DIR) + u'/' + path);
}

} // namespace

class TestReadme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }
    void cleanupTestCase();

    void everyCommandRuns_data();
    void everyCommandRuns();
    void noExceptionIsOutOfDate();
    void pythonRuns();
    void everyOptionIsThere_data();
    void everyOptionIsThere();
    void everyLinkLeadsSomewhere_data();
    void everyLinkLeadsSomewhere();

private:
    void put(const QString &name, const QByteArray &content);
    QString inPlace(QString command) const;

    QTemporaryDir m_folder;
    CtlRunner m_runner;
    QString m_path; ///< the value of PATH
};

void TestReadme::put(const QString &name, const QByteArray &content)
{
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

void TestReadme::initTestCase()
{
    QVERIFY(QDir(m_folder.path()).mkpath(u"bin"_s));
    QVERIFY(QFile::link(CtlRunner::program(), m_folder.filePath(u"bin/lockctl"_s)));
    QVERIFY(QFile::link(QStringLiteral(LOCKSCOPE_SOURCE_DIR) + u"/sql"_s, m_folder.filePath(u"sql"_s)));
    put(u"job.sh"_s, "#!/bin/sh\nexit 0\n");
    put(u"count.sh"_s, "#!/bin/sh\nexit 0\n");
    put(u"error.log"_s, textOfDocument(u"tests/deadlocks/raw/mariadb.log"_s).toUtf8());
    put(u"bin/mysql"_s,
        "#!/bin/sh\nexec mariadb --no-defaults -uroot -S\"$HOME/data/lockscope/private-server/s\" \"$@\"\n");
    m_path = m_folder.filePath(u"bin"_s) + u':' + qEnvironmentVariable("PATH");
    m_runner.set("PATH", m_path);
    m_runner.set("HOME", m_folder.path());
    // Where servers of stores are that no package has installed.
    m_runner.set("XDG_CACHE_HOME", QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation));
    m_runner.set("XDG_DATA_HOME", m_folder.filePath(u"data"_s));
    m_runner.set("XDG_CONFIG_HOME", m_folder.filePath(u"config"_s));
}

void TestReadme::cleanupTestCase()
{
    m_runner.shell(u"cd; unset LOCKSCOPE_URL; lockctl sandbox stop"_s);
}

/// The command as it works here: on the private server for that named db1, with runs of the lab that are short, and
/// without a terminal to ask at.
QString TestReadme::inPlace(QString command) const
{
    static const QRegularExpression url(u"@db1(/[a-z]+)?"_s);
    static const QRegularExpression duration(u" --duration \\S+"_s);
    const QString socket =
        QString::fromLatin1(QUrl::toPercentEncoding(m_folder.filePath(u"data/lockscope/private-server/s"_s)));
    if (command.contains(url))
        command = u"LOCKSCOPE_PASSWORD=pw "_s + command.replace(url, u"@localhost\\1?socket="_s + socket);
    static const QRegularExpression lab(u"^lockctl (simulate|compare) "_s);
    static const QRegularExpression fault(u"--fault|crashing|redis-setnx|redlock"_s);
    if (command.contains(lab)) // until the faults have come, which these two modes have by themselves
        command = command.remove(duration) + (command.contains(fault) ? u" --duration 5s"_s : u" --duration 300ms"_s);
    static const QRegularExpression recorded(u"(?<=^lockctl record ).*--for \\S+"_s);
    command.replace(recorded, u"--out night.lockscope --for 1s"_s);
    static const QRegularExpression asking(u"^lockctl (kill|release --)"_s);
    if (command.contains(asking) && !command.contains(u" --yes"_s) && !command.contains(u" --dry-run"_s))
        command += u" --dry-run"_s;
    return u"cd; unset LOCKSCOPE_URL; "_s + command;
}

void TestReadme::everyCommandRuns_data()
{
    QTest::addColumn<QString>("command");
    for (const QString &path : documents()) {
        for (const Block &block : blocksOf(textOfDocument(path))) {
            for (const QString &line : block.lines) {
                const QString command = block.language == "sh"_L1 ? commandOf(line) : QString();
                if (!command.isEmpty())
                    QTest::newRow(qPrintable(path + u": "_s + command)) << command;
            }
        }
    }
}

void TestReadme::everyCommandRuns()
{
    QFETCH(QString, command);
    for (auto it = notRun().begin(); it != notRun().end(); ++it) {
        if (command.startsWith(it.key()))
            QSKIP(qPrintable(it.value()));
    }
    const CtlResult result = m_runner.shell(inPlace(command));
    QVERIFY2(result.exitCode == expectedExitCode(command), result.text());
}

void TestReadme::noExceptionIsOutOfDate()
{
    QString all;
    for (const QString &path : documents()) {
        for (const Block &block : blocksOf(textOfDocument(path)))
            all += u'\n' + block.lines.join(u'\n');
    }
    for (const QString &start : notRun().keys())
        QVERIFY2(QRegularExpression(u"\n *"_s + QRegularExpression::escape(start)).match(all).hasMatch(),
                 qPrintable(start));
}

void TestReadme::pythonRuns()
{
    if (QStandardPaths::findExecutable(u"python3"_s).isEmpty())
        QSKIP("there is no Python here");
    int count = 0;
    for (const Block &block : blocksOf(textOfDocument(u"README.md"_s))) {
        if (block.language != "python"_L1)
            continue;
        put(u"example.py"_s, block.lines.join(u'\n').toUtf8());
        const CtlResult result = m_runner.shell(u"cd; unset LOCKSCOPE_URL; python3 example.py"_s);
        QVERIFY2(result.exitCode == 0, result.text());
        ++count;
    }
    QCOMPARE(count, 1);
}

/// Of each lockctl that is written anywhere, in a line of a block or in the text.
void TestReadme::everyOptionIsThere_data()
{
    QTest::addColumn<QString>("words");
    static const QRegularExpression call(u"\\blockctl ((?!run/)[^`\n#|]+)"_s);
    for (const QString &path : documents()) {
        const QString text = textOfDocument(path);
        for (auto it = call.globalMatch(text); it.hasNext();) {
            const QString words = it.next().captured(1).section(u" -- "_s, 0, 0);
            if (words.contains(u" --"_s) || words.startsWith(u"--"_s))
                QTest::newRow(qPrintable(path + u": lockctl "_s + words)) << words;
        }
    }
}

void TestReadme::everyOptionIsThere()
{
    QFETCH(QString, words);
    static const QRegularExpression command(u"(?:^|\\s)(?<!--url )(?<!-file )([a-z]+)(?=\\s|$)"_s);
    static const QRegularExpression option(u"--[a-z-]+"_s);
    auto found = command.globalMatch(words);
    const QString name = found.hasNext() ? found.next().captured(1) : QString();
    QByteArray help = m_runner.run({name, u"--help"_s}).out + m_runner.run({u"--help"_s}).out;
    if (found.hasNext()) // "lesson run" has options of its own
        help += m_runner.run({name, found.next().captured(1), u"--help"_s}).out;
    for (auto it = option.globalMatch(words); it.hasNext();) {
        const QByteArray one = it.next().captured().toLatin1();
        QVERIFY2(help.contains(one + ' ') || help.contains(one + ',') || help.contains(one + '='), one.constData());
    }
}

void TestReadme::everyLinkLeadsSomewhere_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("link");
    static const QRegularExpression target(u"\\]\\(([^)\\s]+)\\)"_s);
    for (const QString &path : documents()) {
        const QString text = textOfDocument(path);
        for (auto it = target.globalMatch(text); it.hasNext();) {
            const QString link = it.next().captured(1);
            if (!link.startsWith(u"http"_s))
                QTest::newRow(qPrintable(path + u": "_s + link)) << path << link;
        }
    }
}

/// To a file, and behind a # to a heading in it.
void TestReadme::everyLinkLeadsSomewhere()
{
    QFETCH(QString, path);
    QFETCH(QString, link);
    const QString file = link.section(u'#', 0, 0);
    const QString found = file.isEmpty() ? path : QDir::cleanPath(QFileInfo(path).path() + u'/' + file);
    QVERIFY2(QFileInfo::exists(QStringLiteral(LOCKSCOPE_SOURCE_DIR) + u'/' + found), qPrintable(found));
    if (!link.contains(u'#'))
        return;
    QString headings;
    static const QRegularExpression heading(u"^#+ (.*)$"_s, QRegularExpression::MultilineOption);
    static const QRegularExpression dropped(u"[^a-z0-9 -]"_s);
    const QString text = textOfDocument(found);
    for (auto it = heading.globalMatch(text); it.hasNext();)
        headings += u'\n' + it.next().captured(1).toLower().remove(dropped).replace(u' ', u'-') + u'\n';
    QVERIFY2(headings.contains(u'\n' + link.section(u'#', 1) + u'\n'), qPrintable(headings));
}

QTEST_GUILESS_MAIN(TestReadme)
#include "tst_readme.moc"
