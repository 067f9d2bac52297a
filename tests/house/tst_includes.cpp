// SPDX-License-Identifier: MIT
// Includes run one way: every folder is on a layer, and a file includes what lies in its own folder or on a lower
// layer. This test reads every source file and fails on a line that runs against it, and on what a layer must not know.

#include <QtCore/QDir>
#include <QtCore/QDirIterator>
#include <QtCore/QFile>
#include <QtCore/QMap>
#include <QtCore/QRegularExpression>
#include <QtCore/QSet>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

/// From the ground up. A folder stands for those in it that are not named themselves.
const QList<QStringList> &layers()
{
    static const QList<QStringList> all{
        {u"lib/include/lockscope"_s},
        {u"lib/session"_s},
        {u"lib/engine/records"_s},
        {u"lib/engine/core"_s},
        {u"lib/engine/mysql"_s},
        {u"lib/engine/optimistic"_s, u"lib/engine/pessimistic"_s, u"lib/engine/store"_s, u"lib/engine/unique"_s},
        {u"lib/stores"_s},
        {u"lib/engine"_s, u"lib/stores/redis"_s, u"lib/stores/zookeeper"_s, u"lib/stores/etcd"_s},
        {u"lib/examples"_s, u"lib/console"_s},
        {u"lib/privateserver"_s, u"lib/waits"_s},
        {u"lib/stores/nodes"_s},
        {u"lib/deadlocks"_s, u"lib/locktables"_s, u"lib/lab"_s, u"lib/lessons"_s},
        {u"lib/keylocks"_s},
        {u"lib/locks"_s},
        {u"lib/sources"_s},
        {u"lib/latency"_s, u"lib/actions"_s},
        {u"lib/recording"_s},
        {u"lib/feeds"_s},
        {u"ui/style"_s},
        {u"ui/text"_s},
        {u"ui/charts"_s, u"ui/widgets"_s},
        {u"ui/server"_s},
        {u"ui/pages"_s},
        {u"ui/pages/deadlocks"_s, u"ui/pages/events"_s, u"ui/pages/lab"_s, u"ui/pages/latency"_s, u"ui/pages/lessons"_s,
         u"ui/pages/waits"_s},
        {u"ui/pages/locks"_s},
        {u"ui/actions"_s, u"ui/alarms"_s},
        {u"ui/window"_s},
        {u"app/lockctl/terminal"_s, u"app/lockscope"_s},
        {u"app/lockctl"_s, u"app/lockctl/process"_s},
        {u"app/lockctl/server"_s},
        {u"app/lockctl/text"_s},
        {u"app/lockctl/commands"_s},
        {u"tests"_s},
    };
    return all;
}

struct Place
{
    int layer = -1; ///< -1: of no layer
    QString folder; ///< as it is named there
};

/// Of a path relative to the root; of no layer when it is empty.
Place placeOf(const QString &path)
{
    QString folder = path;
    while (folder.contains(u'/')) {
        folder = folder.section(u'/', 0, -2);
        for (qsizetype layer = 0; layer < layers().size(); ++layer) {
            if (layers()[layer].contains(folder))
                return {int(layer), folder};
        }
    }
    return {};
}

struct Include
{
    QString name;
    bool quoted = false;
    int line = 0;
};

QList<Include> includesOf(const QString &text)
{
    static const QRegularExpression pattern(uR"(^\s*#\s*include\s*(["<])([^">]+)[">])"_s);
    QList<Include> found;
    int line = 0;
    for (const QString &row : text.split(u'\n')) {
        ++line;
        const auto match = pattern.match(row);
        if (match.hasMatch())
            found.append({match.captured(2), match.captured(1) == u"\"", line});
    }
    return found;
}

/// The file that an include means, relative to `root`; empty when it is none of the project's.
QString resolved(const QDir &root, const QString &file, const QString &name)
{
    const QString besideIt = QFileInfo(file).path() + u'/' + name;
    for (const QString &candidate :
         {besideIt, u"lib/"_s + name, u"lib/include/"_s + name, u"app/lockctl/"_s + name, name}) {
        const QString clean = QDir::cleanPath(candidate);
        if (!clean.startsWith(u"..") && QFileInfo::exists(root.filePath(clean)))
            return clean;
    }
    return {};
}

/// Why `file` may not include this, or nothing.
QString objection(const QDir &root, const QString &file, const Include &include)
{
    const QString target = resolved(root, file, include.name);
    const Place from = placeOf(file);
    const Place to = placeOf(target);
    if (to.folder != from.folder && to.layer >= from.layer)
        return u"is not on a layer below %1"_s.arg(from.folder);

    static const QRegularExpression gui(u"^Qt(Gui|Widgets|Charts|Svg|SvgWidgets|PrintSupport|OpenGL)/"_s);
    if (file.startsWith(u"lib/") && gui.match(include.name).hasMatch())
        return u"lib/ knows no window"_s;

    static const QRegularExpression client(u"^(mysql|mariadb)(/|\\.h$|_com\\.h$)"_s);
    if (client.match(include.name).hasMatch())
        return u"only tests/bench may use the raw client library"_s;

    static const QRegularExpression store(u"^(hiredis|zookeeper|curl|QtNetwork)/"_s);
    if (file.startsWith(u"lib/") && !file.startsWith(u"lib/stores/") && store.match(include.name).hasMatch())
        return u"only stores know other servers' clients and the network"_s;
    return {};
}

/// A public header is read by other programs: Qt Core, the standard library and its own kind are all it may name.
QString publicObjection(const QStringList &publicHeaders, const Include &include)
{
    static const QRegularExpression standard(u"^[a-z_]+$"_s);
    if (include.quoted)
        return publicHeaders.contains(include.name) ? QString() : u"is not installed under this name"_s;
    if (include.name.startsWith(u"QtCore/") || standard.match(include.name).hasMatch())
        return {};
    return u"a public header includes only Qt Core and the standard library"_s;
}

QString read(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return QString::fromUtf8(file.readAll());
}

QStringList sourcesBelow(const QDir &root)
{
    QStringList found;
    for (const QString &folder : {u"lib"_s, u"ui"_s, u"app"_s}) {
        QDirIterator it(root.filePath(folder), {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            found.append(root.relativeFilePath(it.next()));
    }
    found.sort();
    return found;
}

QString report(const QString &file, const Include &include, const QString &why)
{
    return u"%1:%2: %3: %4"_s.arg(file, QString::number(include.line), include.name, why);
}

/// "lib/engine/a.cpp:3: ui/b.h: runs against …" for each wrong include below `root`.
QStringList wrongIncludes(const QDir &root)
{
    QStringList wrong;
    for (const QString &file : sourcesBelow(root)) {
        for (const Include &include : includesOf(read(root.filePath(file)))) {
            const QString why = objection(root, file, include);
            if (!why.isEmpty())
                wrong.append(report(file, include, why));
        }
    }
    return wrong;
}

/// A header and its source are one unit, wherever they lie; so is what is internal of it (_p).
QString unitOf(const QString &path)
{
    return QFileInfo(path).completeBaseName().remove(QRegularExpression(u"_p$"_s));
}

using Units = QMap<QString, QSet<QString>>; ///< unit → those that it includes

Units unitsOf(const QDir &root, const QStringList &files)
{
    Units units;
    for (const QString &file : files) {
        const QString unit = unitOf(file);
        QSet<QString> &included = units[unit];
        for (const Include &include : includesOf(read(root.filePath(file)))) {
            const QString target = resolved(root, file, include.name);
            if (files.contains(target) && unitOf(target) != unit)
                included += unitOf(target);
        }
    }
    return units;
}

/// Those left when every unit is taken away, again and again, that includes none that is left.
QStringList unitsInCycles(Units units)
{
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (auto unit = units.begin(); unit != units.end();) {
            const bool includesNone =
                std::none_of(unit->cbegin(), unit->cend(), [&](const QString &name) { return units.contains(name); });
            isChanged = isChanged || includesNone;
            unit = includesNone ? units.erase(unit) : std::next(unit);
        }
    }
    return units.keys();
}

QStringList wrongPublicIncludes(const QDir &root, const QStringList &headers)
{
    QStringList names;
    for (const QString &header : headers)
        names.append(QFileInfo(header).fileName());
    QStringList wrong;
    for (const QString &header : headers) {
        for (const Include &include : includesOf(read(header))) {
            const QString why = publicObjection(names, include);
            if (!why.isEmpty())
                wrong.append(report(root.relativeFilePath(header), include, why));
        }
    }
    return wrong;
}

} // namespace

class IncludesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFolderHasItsLayer();
    void includesRunOneWay();
    void filesOfTheEngineRunInNoCycle();
    void aCycleOfFilesIsFound();
    void publicHeadersNeedOnlyQtCore();
    void aWrongIncludeIsFound_data();
    void aWrongIncludeIsFound();
    void aWrongPublicIncludeIsFound_data();
    void aWrongPublicIncludeIsFound();
};

void IncludesTest::everyFolderHasItsLayer()
{
    const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR));
    QStringList without;
    for (const QString &file : sourcesBelow(root)) {
        if (placeOf(file).layer < 0)
            without += file;
    }
    QCOMPARE(without.join(u'\n'), QString());
    for (const QStringList &layer : layers()) {
        for (const QString &folder : layer)
            QVERIFY2(root.exists(folder), qPrintable(folder));
    }
}

void IncludesTest::includesRunOneWay()
{
    const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR));
    // A wrong root would find nothing and pass.
    QVERIFY(sourcesBelow(root).contains(u"lib/include/lockscope/lockengine.h"_s));
    QCOMPARE(wrongIncludes(root).join(u'\n'), QString());
}

void IncludesTest::filesOfTheEngineRunInNoCycle()
{
    const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR));
    const QStringList files = sourcesBelow(root).filter(QRegularExpression(u"^lib/(engine|include|session)/"_s));
    QVERIFY(files.contains(u"lib/engine/core/enginecore.cpp"_s));
    QCOMPARE(unitsInCycles(unitsOf(root, files)).join(u' '), QString());
}

void IncludesTest::aCycleOfFilesIsFound()
{
    const Units units{{u"engine"_s, {u"hold"_s, u"clock"_s}},
                      {u"hold"_s, {u"watchdog"_s}},
                      {u"watchdog"_s, {u"engine"_s}},
                      {u"clock"_s, {}}};
    QCOMPARE(unitsInCycles(units), QStringList({u"engine"_s, u"hold"_s, u"watchdog"_s}));
}

void IncludesTest::publicHeadersNeedOnlyQtCore()
{
    const QStringList headers = QStringLiteral(LOCKSCOPE_PUBLIC_HEADERS).split(u'|');
    QVERIFY(!headers.filter(u"lockengine.h"_s).isEmpty());
    QCOMPARE(wrongPublicIncludes(QDir(QStringLiteral(LOCKSCOPE_SOURCE_DIR)), headers).join(u'\n'), QString());
}

void IncludesTest::aWrongIncludeIsFound_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("wrong");

    QTest::newRow("lib to ui") << "lib/engine/x.cpp"
                               << "#include \"ui/pages/page.h\"" << true;
    QTest::newRow("lib to ui, angle brackets") << "lib/engine/x.cpp"
                                               << "#include <ui/pages/page.h>" << true;
    QTest::newRow("lib to ui, by a path") << "lib/engine/x.cpp"
                                          << "#include \"../../ui/pages/page.h\"" << true;
    QTest::newRow("lib to app") << "lib/engine/x.cpp"
                                << "#include \"terminal/main.h\"" << true;
    QTest::newRow("ui to app") << "ui/text/x.cpp"
                               << "#include \"../../app/lockctl/terminal/main.h\"" << true;
    QTest::newRow("engine to locks") << "lib/engine/x.cpp"
                                     << "#include \"locks/snapshot.h\"" << true;
    QTest::newRow("waits to locks") << "lib/waits/x.cpp"
                                    << "#include \"locks/snapshot.h\"" << true;
    QTest::newRow("beside each other") << "lib/lab/x.cpp"
                                       << "#include \"locks/snapshot.h\"" << true;
    QTest::newRow("app to tests") << "app/lockscope/x.cpp"
                                  << "#include \"tests/tool.h\"" << true;
    QTest::newRow("lib to widgets") << "lib/locks/x.cpp"
                                    << "#include <QtWidgets/QWidget>" << true;
    QTest::newRow("engine to a store's client") << "lib/engine/x.cpp"
                                                << "#include <hiredis/hiredis.h>" << true;
    QTest::newRow("engine to the network") << "lib/engine/x.cpp"
                                           << "#include <QtNetwork/QTcpSocket>" << true;
    QTest::newRow("a store to its client") << "lib/stores/redis/x.cpp"
                                           << "#include <hiredis/hiredis.h>" << false;
    QTest::newRow("ui to client library") << "ui/text/x.cpp"
                                          << "#include <mysql/mysql.h>" << true;
    QTest::newRow("ui to lib") << "ui/text/x.cpp"
                               << "#include \"locks/snapshot.h\"" << false;
    QTest::newRow("app to ui") << "app/lockscope/x.cpp"
                               << "#include \"ui/pages/page.h\"" << false;
    QTest::newRow("locks to engine") << "lib/locks/x.cpp"
                                     << "#include \"engine/engine.h\"" << false;
    QTest::newRow("its own folder") << "lib/locks/x.cpp"
                                    << "#include \"snapshot.h\"" << false;
    QTest::newRow("ui to widgets") << "ui/text/x.cpp"
                                   << "#include <QtWidgets/QWidget>" << false;
    QTest::newRow("a comment") << "lib/engine/x.cpp"
                               << "// #include \"ui/pages/page.h\"" << false;
}

void IncludesTest::aWrongIncludeIsFound()
{
    QFETCH(QString, file);
    QFETCH(QString, line);
    QFETCH(bool, wrong);

    QTemporaryDir folder;
    QVERIFY(folder.isValid());
    const QDir root(folder.path());
    const auto write = [&root](const QString &name, const QString &text) {
        QVERIFY(root.mkpath(QFileInfo(name).path()));
        QFile output(root.filePath(name));
        QVERIFY(output.open(QIODevice::WriteOnly));
        output.write(text.toUtf8());
    };
    for (const QString &name : {u"lib/engine/engine.h"_s, u"lib/locks/snapshot.h"_s, u"ui/pages/page.h"_s,
                                u"app/lockctl/terminal/main.h"_s, u"tests/tool.h"_s})
        write(name, u"#pragma once\n"_s);
    write(file, u"#include <vector>\n"_s + line + u'\n');

    const QStringList found = wrongIncludes(root);
    QCOMPARE(found.size(), wrong ? 1 : 0);
    if (wrong)
        QVERIFY2(found.first().startsWith(file + u":2: "_s), qPrintable(found.first()));
}

void IncludesTest::aWrongPublicIncludeIsFound_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("wrong");

    QTest::newRow("Qt Core") << "#include <QtCore/QString>" << false;
    QTest::newRow("standard") << "#include <stop_token>" << false;
    QTest::newRow("its own kind") << "#include \"owner.h\"" << false;
    QTest::newRow("Qt Sql") << "#include <QtSql/QSqlDatabase>" << true;
    QTest::newRow("Qt without module") << "#include <QString>" << true;
    QTest::newRow("an internal header") << "#include \"queue.h\"" << true;
    QTest::newRow("its own kind by the build tree's path") << "#include \"engine/owner.h\"" << true;
}

void IncludesTest::aWrongPublicIncludeIsFound()
{
    QFETCH(QString, line);
    QFETCH(bool, wrong);
    const auto includes = includesOf(line);
    QCOMPARE(includes.size(), 1);
    QCOMPARE(!publicObjection({u"owner.h"_s, u"lockengine.h"_s}, includes.first()).isEmpty(), wrong);
}

QTEST_APPLESS_MAIN(IncludesTest)
#include "tst_includes.moc"
