// SPDX-License-Identifier: MIT
// Profiles of other programs' lock tables: those that come with Lockscope, and what is refused in a file.
#include "locktables/keyhash.h"
#include "locktables/profilelibrary.h"
#include "locktables/tablescan.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

const QByteArray kRight = "format = 1\n"
                          "title = \"Billing\"\n"
                          "[table]\n"
                          "names = [\"billing_lock\"]\n"
                          "[columns]\n"
                          "name = \"text\"\n"
                          "taken = \"number\"\n"
                          "at = \"time\"\n"
                          "[optional]\n"
                          "who = \"text\"\n"
                          "[lock]\n"
                          "key = \"name\"\n"
                          "holder = \"who\"\n"
                          "since = \"at\"\n"
                          "held = [{ column = \"taken\", is = 1 }]\n"
                          "[release]\n"
                          "by = \"update\"\n"
                          "set = { taken = 0 }\n";

QString faultText(const std::variant<TableProfile, ProfileFault> &profile)
{
    const auto *fault = std::get_if<ProfileFault>(&profile);
    return fault ? u"%1: %2"_s.arg(fault->line).arg(fault->reason) : QString();
}

QList<SchemaColumn> columns(const QByteArray &text)
{
    QList<SchemaColumn> list;
    for (const QByteArray &column : text.split(' '))
        list.append({QString::fromUtf8(column.split(':').value(0)), column.split(':').value(1)});
    return list;
}

} // namespace

class TestProfiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachProfileOfLockscopeIsRight();
    void aRightFileIsRead();
    void textsMayBeInAnyLanguage();
    void aWrongFileIsRefusedWithLineAndReason_data();
    void aWrongFileIsRefusedWithLineAndReason();
    void anyBytesAreReadOrRefused();
    void aFileThatCannotBeReadIsTold_data();
    void aFileThatCannotBeReadIsTold();
    void onesOwnGoBeforeThoseOfLockscope();
    void tablesAreFoundByTheirColumns_data();
    void tablesAreFoundByTheirColumns();
    void namesAreHashedAsTheProgramDoes_data();
    void namesAreHashedAsTheProgramDoes();
};

void TestProfiles::eachProfileOfLockscopeIsRight()
{
    const QDir folder(QStringLiteral(LOCKSCOPE_PROFILES));
    const QStringList files = folder.entryList({u"*.toml"_s});
    QVERIFY(files.size() >= 20);
    for (const QString &name : files) {
        const ProfileFile file = readProfileFile(folder.filePath(name));
        QVERIFY2(!file.fault(), qUtf8Printable(name + u": "_s + faultText(file.profile)));
        const auto &profile = std::get<TableProfile>(file.profile);
        QVERIFY2(!profile.names.isEmpty() && !profile.source.isEmpty(), qUtf8Printable(name));
    }
    QCOMPARE(builtInProfiles().size(), files.size());
}

void TestProfiles::aRightFileIsRead()
{
    const auto read = readProfile(kRight, u"billing"_s);
    QCOMPARE(faultText(read), QString());
    const auto &profile = std::get<TableProfile>(read);
    QCOMPARE(profile.id, u"billing"_s);
    QCOMPARE(profile.key, QStringList{u"name"_s});
    QCOMPARE(profile.columns.size(), 4);
    QVERIFY(profile.column(u"WHO"_s)->isOptional);
    QCOMPARE(profile.held.first().value, "1");
    QCOMPARE(profile.release.set.first().number, 0);
    QVERIFY(profile.isNamed(u"Billing_Lock"_s) && !profile.isNamed(u"billing_lock2"_s));
}

void TestProfiles::textsMayBeInAnyLanguage()
{
    const QString title = u"发票、对账。 é \U0001F512"_s;
    QByteArray file = kRight;
    file.replace("\"Billing\"", '"' + title.toUtf8() + "\" # é、").replace("taken = \"number\"", "taken = \"text\"");
    file.replace("is = 1", "is = \"忙\"").replace("taken = 0", "taken = \"空\"");
    const auto read = readProfile(file, u"billing"_s);
    QCOMPARE(faultText(read), QString());
    QCOMPARE(std::get<TableProfile>(read).title, title);
    QCOMPARE(std::get<TableProfile>(read).held.first().value, u"忙"_s.toUtf8());
    QCOMPARE(std::get<TableProfile>(read).release.set.first().text, u"空"_s);
}

void TestProfiles::aWrongFileIsRefusedWithLineAndReason_data()
{
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<QByteArray>("wrong");
    QTest::addColumn<QString>("fault");
    const auto row = [](const char *name, const char *right, const char *wrong, const char *fault) {
        QTest::newRow(name) << QByteArray(right) << QByteArray(wrong) << QString::fromUtf8(fault);
    };
    row("not TOML", "title = \"Billing\"", "title = Billing", "2: ");
    row("a key twice", "title = \"Billing\"", "title = \"Billing\"\ntitle = \"x\"", "3: ");
    row("another format", "format = 1", "format = 2", "1: this Lockscope reads \"format = 1\"");
    row("no format", "format = 1\n", "", "1: this Lockscope reads");
    row("no title", "title = \"Billing\"", "", "1: the file needs \"title\"");
    row("title is a number", "\"Billing\"", "7", "2: the file.title has to be a text in quotes");
    row("title is empty", "\"Billing\"", "\"\"", "2: the file.title is empty");
    row("an unknown table", "[table]", "[tables]", "3: the file has no \"tables\"");
    row("an unknown word", "since = ", "from = ", "14: [lock] has no \"from\"");
    row("a table that is none", "[table]\nnames = [\"billing_lock\"]", "table = 3", "3: table has to be a table");
    row("names is a number", "[\"billing_lock\"]", "7", "4: [table].names has to be a list of texts");
    row("names has a number", "[\"billing_lock\"]", "[\"a\", 7]", "4: [table].names has to be a list of texts");
    row("no columns", "[columns]\nname = \"text\"\ntaken = \"number\"\nat = \"time\"", "[columns]",
        "5: [columns] names no column");
    row("a type that is none", "taken = \"number\"", "taken = \"int\"", "7: a column is \"text\"");
    row("a column twice", "who = \"text\"", "NAME = \"text\"", "10: the column NAME is named twice");
    row("no key", "key = \"name\"\n", "", "11: [lock] needs \"key\"");
    row("a key that is no column", "key = \"name\"", "key = \"id\"", "12: there is no column id");
    row("a time that is a text", "since = \"at\"", "since = \"name\"", "14: name is a text");
    row("a number without a unit", "since = \"at\"", "since = \"taken\"", "14: taken is a number");
    row("a wrong word", "since = \"at\"", "since = \"at\"\nclock = \"sun\"",
        "15: [lock].clock is none of \"database\"");
    row("lasts without since", "since = \"at\"", "lasts = 5", "14: lock.lasts needs lock.since");
    row("lasts is negative", "since = \"at\"", "since = \"at\"\nlasts = -5", "15: lock.lasts is a number of seconds");
    row("lasts is a text", "since = \"at\"", "since = \"at\"\nlasts = \"5s\"", "15: [lock].lasts has to be a whole");
    row("beat without lasts", "since = \"at\"", "beat = \"at\"", "14: lock.beat needs lock.lasts");
    row("hashed without hash", "since = \"at\"", "hashed = \"name\"", "14: lock.hashed needs lock.hash");
    row("a condition on nothing", "column = \"taken\"", "column = \"x\"", "15: there is no column x");
    row("a condition on what may be missing", "column = \"taken\", is = 1", "column = \"who\", is = \"a\"",
        "15: who is optional");
    row("a condition without a test", ", is = 1", "", "15: a condition of lock.held needs one of");
    row("a condition with two", "is = 1", "is = 1, not = 2", "15: a condition of lock.held needs one of");
    row("a text for a number", "is = 1", "is = \"1\"", "15: a condition of lock.held.is has to be a whole number");
    row("held is no list", "[{ column = \"taken\", is = 1 }]", "1", "15: lock.held is a list");
    row("a way that is none", "\"update\"", "\"truncate\"", "17: [release].by is none of");
    row("nothing to set", "set = { taken = 0 }", "", "16: \"set\" says what an update sets");
    row("set for a deletion", "\"update\"", "\"delete\"", "16: \"set\" says what an update sets");
    row("set to a list", "taken = 0", "taken = [0]", "18: taken is set to a number");
    row("set to what is not known", "taken = 0", "taken = { now = true }", "18: what taken is set to has no \"now\"");
    row("set what may be missing", "taken = 0", "who = \"x\"", "18: who is optional");
    row("set to what may be missing", "taken = 0", "name = { column = \"who\" }", "18: who is optional");
    row("an end that is none", "since = \"at\"", "since = \"at\"\nforever = -1", "15: lock.forever needs a lock.until");
    row("no reason for nothing", "by = \"update\"\nset = { taken = 0 }", "by = \"nothing\"", "16: a lock that is not");
    row("a row that says nothing is changed", "key = \"name\"", "key = \"name\"\ntransaction = true",
        "18: who holds it is a transaction");
}

void TestProfiles::aWrongFileIsRefusedWithLineAndReason()
{
    QFETCH(QByteArray, right);
    QFETCH(QByteArray, wrong);
    QFETCH(QString, fault);
    QVERIFY(kRight.contains(right));
    QByteArray file = kRight;
    file.replace(file.indexOf(right), right.size(), wrong);
    const QString found = faultText(readProfile(file, u"billing"_s));
    QVERIFY2(found.startsWith(fault), qUtf8Printable(found));
}

/// Right files with a few bytes changed, the same ones each time.
void TestProfiles::anyBytesAreReadOrRefused()
{
    const QList<QByteArray> words{
        "\"",  "[",      "]",       "{",       "}", "=",  "\n",    "true",     "-1",           "1e400", "nan",
        "'''", "\"\"\"", "\\u0000", "\\uD800", "#", "..", "[[x]]", "\xc3\xa9", "\xe3\x80\x81", "\xff"};
    QRandomGenerator random(19);
    int refused = 0;
    for (int i = 0; i < 5000; ++i) {
        QByteArray file = kRight;
        for (int changes = random.bounded(1, 6); changes > 0; --changes) {
            const int at = random.bounded(int(file.size()));
            if (random.bounded(2) == 0)
                file.insert(at, words[random.bounded(int(words.size()))]);
            else
                file.remove(at, random.bounded(1, 20));
        }
        const auto read = readProfile(file, u"billing"_s);
        const auto *fault = std::get_if<ProfileFault>(&read);
        refused += fault ? 1 : 0;
        QVERIFY2(!fault || (fault->line > 0 && !fault->reason.isEmpty()), file.constData());
    }
    QVERIFY(refused > 2500);
}

void TestProfiles::aFileThatCannotBeReadIsTold_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("fault");
    QTest::newRow("empty") << u"a.toml"_s << QByteArray() << u"1: this Lockscope reads"_s;
    QTest::newRow("bytes that are no text") << u"a.toml"_s << QByteArray("\xff\xfe\0x", 4) << u"1: this is not UTF-8"_s;
    QTest::newRow("a key that is none") << u"a.toml"_s << QByteArray("a.\xe2\x80\xa6 = 1") << u"1: "_s;
    QTest::newRow("a letter where a word is due") << u"a.toml"_s << QByteArray("\xc3\xa9\xe3\x80\x82x = 1") << u"1: "_s;
    QTest::newRow("too large") << u"a.toml"_s << kRight + QByteArray(70'000, '#') << u"0: the file has more than 64"_s;
    QTest::newRow("deeper than any") << u"a.toml"_s << "x = " + QByteArray(20'000, '[') << u"1: "_s;
    QTest::newRow("another ending") << u"a.txt"_s << kRight << u"0: a profile's file ends with .toml"_s;
    QTest::newRow("a name with spaces") << u"a b.toml"_s << kRight << u"0: a profile's file is named by"_s;
}

void TestProfiles::aFileThatCannotBeReadIsTold()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, fault);
    const QTemporaryDir folder;
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const QString found = faultText(readProfileFile(file.fileName()).profile);
    QVERIFY2(found.startsWith(fault), qUtf8Printable(found));
    QVERIFY(readProfileFile(folder.filePath(u"absent.toml"_s)).fault()->reason.contains(u"cannot be read"_s));
    QVERIFY(QDir(folder.path()).mkdir(u"folder.toml"_s));
    QVERIFY(readProfileFile(folder.filePath(u"folder.toml"_s)).fault()->reason.contains(u"not a file"_s));
}

void TestProfiles::onesOwnGoBeforeThoseOfLockscope()
{
    const QTemporaryDir folder;
    for (const QString &name : {u"shedlock.toml"_s, u"wrong.toml"_s}) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(name == u"wrong.toml"_s ? "title = 1" : kRight);
    }
    QList<ProfileFile> faulty;
    const QList<TableProfile> all = allProfiles(folder.path(), &faulty);
    QCOMPARE(all.size(), builtInProfiles().size());
    QCOMPARE(all.first().title, u"Billing"_s);
    QVERIFY(all.first().isOwn && !all.last().isOwn);
    QCOMPARE(faulty.size(), 1);
    QVERIFY(faulty.first().path.endsWith(u"wrong.toml"_s));
    QCOMPARE(allProfiles(folder.filePath(u"absent"_s)), builtInProfiles());
}

void TestProfiles::tablesAreFoundByTheirColumns_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QByteArray>("there");
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QString>("oddity");
    const auto row = [](const char *name, const char *table, const char *there, const char *profile, const char *odd) {
        QTest::newRow(name) << QString::fromUtf8(table) << QByteArray(there) << QString::fromUtf8(profile)
                            << QString::fromUtf8(odd);
    };
    row("ShedLock by its name", "shedlock", "name:varchar lock_until:timestamp locked_at:timestamp locked_by:varchar",
        "shedlock", "");
    row("by another one", "jobs", "NAME:varchar LOCK_UNTIL:datetime LOCKED_AT:datetime LOCKED_BY:varchar", "shedlock",
        "");
    row("of other types", "shedlock", "name:varchar lock_until:bigint locked_at:bigint locked_by:varchar", "",
        "its column lock_until is of type bigint, not a time");
    row("of other types and name", "jobs", "name:varchar lock_until:bigint locked_at:bigint locked_by:varchar", "", "");
    row("Laravel", "cache_locks", "key:varchar owner:varchar expiration:int", "laravel", "");
    row("one column more than Laravel's", "x", "key:varchar owner:varchar expiration:int shoe:int", "", "");
    row("Drupal", "semaphore", "name:varchar value:varchar expire:double", "drupal", "");
    row("Drupal's columns alone say nothing", "settings", "name:varchar value:varchar expire:double", "", "");
    row("Liquibase of Keycloak", "KC_DATABASECHANGELOGLOCK", "ID:int LOCKED:bit LOCKGRANTED:datetime LOCKEDBY:varchar",
        "liquibase", "");
    row("Knex", "knex_migrations_lock", "index:int is_locked:int", "knex", "");
    row("an old Knex", "knex_migrations_lock", "is_locked:int", "knex", "");
    row("Kysely is no Knex", "kysely_migration_lock", "id:varchar is_locked:int", "", "");
    row("Spring 7", "INT_LOCK",
        "LOCK_KEY:char REGION:varchar CLIENT_ID:char CREATED_DATE:datetime EXPIRED_AFTER:datetime",
        "spring-integration", "");
    row("any table", "stock", "id:int n:int", "", "");
}

void TestProfiles::tablesAreFoundByTheirColumns()
{
    QFETCH(QString, table);
    QFETCH(QByteArray, there);
    QFETCH(QString, oddity);
    const QList<TableProfile> profiles = builtInProfiles();
    ProfileMatch match;
    const TableProfile *found = bestProfile(profiles, table, columns(there), &match);
    QTEST(found ? found->id : QString(), "profile");
    QVERIFY2(match.oddity.contains(oddity) && match.oddity.isEmpty() == oddity.isEmpty(), qUtf8Printable(match.oddity));
}

void TestProfiles::namesAreHashedAsTheProgramDoes_data()
{
    QTest::addColumn<int>("hash");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("stored");
    QTest::newRow("Spring") << int(KeyHash::Uuid3) << QByteArray("foo")
                            << QByteArray("acbd18db-4cc2-385c-adef-654fccc4a4d8");
    QTest::newRow("Spring, a UUID") << int(KeyHash::Uuid3) << QByteArray("acbd18db-4cc2-385c-adef-654fccc4a4d8")
                                    << QByteArray("acbd18db-4cc2-385c-adef-654fccc4a4d8");
    QTest::newRow("Symfony") << int(KeyHash::Sha256) << QByteArray("foo")
                             << QByteArray("2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae");
    QTest::newRow("others") << int(KeyHash::None) << QByteArray("foo") << QByteArray("foo");
}

void TestProfiles::namesAreHashedAsTheProgramDoes()
{
    QFETCH(int, hash);
    QFETCH(QByteArray, name);
    QTEST(hashedKey(KeyHash(hash), name), "stored");
}

QTEST_APPLESS_MAIN(TestProfiles)
#include "tst_profiles.moc"
