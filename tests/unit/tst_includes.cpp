// Includes run one way: lib/engine and lib/server → lib/waits → lib/monitor → lib/lab → ui → app. This test reads every
// source file and fails on a line that runs against it, and on what a layer must not know at all.

#include <QtCore/QDir>
#include <QtCore/QDirIterator>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;

namespace {

/// The layer of a path relative to the root; larger may include smaller. -1: not part of the layers.
int layerOf(const QString &path)
{
    struct Layer
    {
        QLatin1String prefix;
        int rank;
    };
    static constexpr Layer kLayers[] = {
        {QLatin1String("lib/lab/"), 3}, {QLatin1String("lib/monitor/"), 2}, {QLatin1String("lib/waits/"), 1},
        {QLatin1String("lib/"), 0},     {QLatin1String("ui/"), 4},          {QLatin1String("app/"), 5},
        {QLatin1String("tests/"), 6},
    };
    for (const Layer &layer : kLayers) {
        if (path.startsWith(layer.prefix))
            return layer.rank;
    }
    return -1;
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
    for (const QString &candidate : {besideIt, u"lib/"_s + name, u"ui/"_s + name, u"app/"_s + name, name}) {
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
    if (!target.isEmpty() && layerOf(target) > layerOf(file))
        return u"runs against sql → lib → ui → app"_s;

    static const QRegularExpression gui(u"^Qt(Gui|Widgets|Charts|Svg|SvgWidgets|PrintSupport|OpenGL)/"_s);
    if (file.startsWith(u"lib/") && gui.match(include.name).hasMatch())
        return u"lib/ knows no window"_s;

    static const QRegularExpression client(u"^(mysql|mariadb)(/|\\.h$|_com\\.h$)"_s);
    if (client.match(include.name).hasMatch())
        return u"only tests/bench may use the raw client library"_s;
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
    void includesRunOneWay();
    void publicHeadersNeedOnlyQtCore();
    void aWrongIncludeIsFound_data();
    void aWrongIncludeIsFound();
    void aWrongPublicIncludeIsFound_data();
    void aWrongPublicIncludeIsFound();
};

void IncludesTest::includesRunOneWay()
{
    const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR));
    // A wrong root would find nothing and pass.
    QVERIFY(sourcesBelow(root).contains(u"lib/engine/lockengine.h"_s));
    QCOMPARE(wrongIncludes(root).join(u'\n'), QString());
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
                               << "#include \"page.h\"" << true;
    QTest::newRow("lib to ui, angle brackets") << "lib/engine/x.cpp"
                                               << "#include <page.h>" << true;
    QTest::newRow("lib to ui, by a path") << "lib/engine/x.cpp"
                                          << "  #  include \"../../ui/page.h\"" << true;
    QTest::newRow("lib to app") << "lib/engine/x.cpp"
                                << "#include \"app/main.h\"" << true;
    QTest::newRow("ui to app") << "ui/x.cpp"
                               << "#include \"../app/main.h\"" << true;
    QTest::newRow("engine to monitor") << "lib/engine/x.cpp"
                                       << "#include \"monitor/snapshot.h\"" << true;
    QTest::newRow("waits to monitor") << "lib/waits/x.cpp"
                                      << "#include \"monitor/snapshot.h\"" << true;
    QTest::newRow("app to tests") << "app/x.cpp"
                                  << "#include \"../tests/tool.h\"" << true;
    QTest::newRow("lib to widgets") << "lib/monitor/x.cpp"
                                    << "#include <QtWidgets/QWidget>" << true;
    QTest::newRow("ui to client library") << "ui/x.cpp"
                                          << "#include <mysql/mysql.h>" << true;

    QTest::newRow("ui to lib") << "ui/x.cpp"
                               << "#include \"monitor/snapshot.h\"" << false;
    QTest::newRow("app to ui") << "app/x.cpp"
                               << "#include \"page.h\"" << false;
    QTest::newRow("monitor to engine") << "lib/monitor/x.cpp"
                                       << "#include \"engine/engine.h\"" << false;
    QTest::newRow("ui to widgets") << "ui/x.cpp"
                                   << "#include <QtWidgets/QWidget>" << false;
    QTest::newRow("a comment") << "lib/engine/x.cpp"
                               << "// #include \"page.h\"" << false;
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
    for (const QString &name :
         {u"lib/engine/engine.h"_s, u"lib/monitor/snapshot.h"_s, u"ui/page.h"_s, u"app/main.h"_s, u"tests/tool.h"_s})
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
