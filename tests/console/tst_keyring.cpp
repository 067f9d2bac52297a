// SPDX-License-Identifier: MIT
// Passwords in a real keyring, for the library and for lockctl; and what happens where there is none.
#include "console/keyring.h"
#include "enginefixture.h"
#include "lockctlrunner.h"
#include "strict.h"
#include "testkeyring.h"

#include <QtCore/QDirIterator>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

const auto kPassword = u"Geheim ;= 密码"_s;

/// Starts `call` and waits for its answer.
template<typename Call>
Keyring::Answer wait(Call call)
{
    QEventLoop loop;
    Keyring::Answer result;
    call(&loop, [&](const Keyring::Answer &answer) {
        result = answer;
        loop.quit();
    });
    loop.exec();
    return result;
}

Keyring::Answer read(const ServerUrl &url)
{
    return wait(
        [&](QObject *context, const Keyring::Done &done) { Keyring::read(Keyring::nameOf(url), context, done); });
}

Keyring::Answer store(const ServerUrl &url, const QString &password)
{
    return wait([&](QObject *context, const Keyring::Done &done) {
        Keyring::store(Keyring::nameOf(url), password, context, done);
    });
}

Keyring::Answer forget(const ServerUrl &url)
{
    return wait(
        [&](QObject *context, const Keyring::Done &done) { Keyring::forget(Keyring::nameOf(url), context, done); });
}

ServerUrl urlOf(const char *text)
{
    ServerUrl url;
    QString error;
    if (!ServerUrl::parse(QString::fromLatin1(text), &url, &error))
        qFatal("%ls", qUtf16Printable(error));
    return url;
}

bool anyFileHas(const QString &folder, const QByteArray &text)
{
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text))
            return true;
    }
    return false;
}

} // namespace

class TestKeyringUse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void aServerHasOneName_data();
    void aServerHasOneName();
    void whatIsStoredIsReadUntilItIsForgotten();
    void aServerNeverSeenHasNoPassword();
    void lockctlTakesThePasswordFromTheKeyring_data();
    void lockctlTakesThePasswordFromTheKeyring();
    void lockctlTakesThePasswordOfAStoreFromTheKeyring_data() { lockctlTakesThePasswordFromTheKeyring_data(); }
    void lockctlTakesThePasswordOfAStoreFromTheKeyring();
    void aPasswordThatIsGivenComesFirst();
    // From here on there is no keyring.
    void withoutAKeyringEveryCallSaysSoAndNothingIsWritten();
    void lockctlWithoutAKeyringIsRefused();

private:
    TestKeyring m_keyring; // before the server, and before anything looks for a bus
    std::unique_ptr<TestServer> m_server;
    ServerUrl m_app; ///< a user with kPassword
};

void TestKeyringUse::initTestCase()
{
    m_keyring.start();
    m_server = std::make_unique<TestServer>();
    resetTables(*m_server);
    Observer(*m_server).run(
        u"CREATE USER app@localhost IDENTIFIED BY '%1'; GRANT ALL ON lockscope.* TO app@localhost"_s.arg(kPassword)
            .toUtf8());
    m_app = m_server->url();
    m_app.user = u"app"_s;
}

void TestKeyringUse::init()
{
    failOnWarnings();
    if (m_keyring.isRunning())
        QCOMPARE(forget(m_app).error, QString());
}

void TestKeyringUse::aServerHasOneName_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("mysql://alice@db1:3307/locks") << "alice@db1:3307";
    QTest::newRow("mysql://alice@db1/other?ssl-ca=%2Fca.pem") << "alice@db1:3306";
    QTest::newRow("mysql://bob@localhost/locks?socket=%2Frun%2Fs") << "bob@/run/s";
}

void TestKeyringUse::aServerHasOneName()
{
    QFETCH(QString, name);
    QCOMPARE(Keyring::nameOf(urlOf(QTest::currentDataTag())), name);
}

void TestKeyringUse::whatIsStoredIsReadUntilItIsForgotten()
{
    const ServerUrl alice = urlOf("mysql://alice@db1/locks");
    const ServerUrl bob = urlOf("mysql://bob@db1/locks");
    QCOMPARE(store(alice, u"first"_s).error, QString());
    QCOMPARE(store(alice, kPassword).error, QString());
    QCOMPARE(store(bob, u"another"_s).error, QString());
    QCOMPARE(read(alice).password, std::optional(kPassword));
    QVERIFY(!anyFileHas(qEnvironmentVariable("HOME"), kPassword.toUtf8()));
    QCOMPARE(forget(alice).error, QString());
    QCOMPARE(read(alice).password, std::optional<QString>());
    QCOMPARE(read(bob).password, std::optional(u"another"_s));
    QCOMPARE(forget(bob).error, QString());
}

void TestKeyringUse::aServerNeverSeenHasNoPassword()
{
    const Keyring::Answer answer = read(urlOf("mysql://nobody@nowhere/locks"));
    QCOMPARE(answer.password, std::optional<QString>());
    QCOMPARE(answer.error, QString());
    QCOMPARE(forget(urlOf("mysql://nobody@nowhere/locks")).error, QString());
}

void TestKeyringUse::withoutAKeyringEveryCallSaysSoAndNothingIsWritten()
{
    m_keyring.stop();
    QVERIFY(!store(m_app, kPassword).error.isEmpty());
    QVERIFY(!read(m_app).error.isEmpty());
    QCOMPARE(read(m_app).password, std::optional<QString>());
    QVERIFY(!anyFileHas(qEnvironmentVariable("HOME"), kPassword.toUtf8()));
}

void TestKeyringUse::lockctlTakesThePasswordFromTheKeyring_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("list") << QStringList{u"list"_s};
    // Connects on a thread of its own.
    QTest::newRow("run") << QStringList{u"run"_s, u"r"_s, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s};
}

void TestKeyringUse::lockctlTakesThePasswordFromTheKeyring()
{
    QFETCH(QStringList, words);
    const CtlRunner lockctl(m_app.toString());
    CtlResult result = lockctl.run(words);
    QVERIFY2(result.exitCode == 77, result.text());
    QCOMPARE(store(m_app, u"wrong"_s).error, QString());
    result = lockctl.run(words);
    QVERIFY2(result.exitCode == 77, result.text());
    QCOMPARE(store(m_app, kPassword).error, QString());
    result = lockctl.run(words);
    QVERIFY2(result.exitCode == 0, result.text());
    QVERIFY2(result.err.isEmpty(), result.text());
}

/// Where nobody answers: without a password nobody is asked.
void TestKeyringUse::lockctlTakesThePasswordOfAStoreFromTheKeyring()
{
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    QFETCH(QStringList, words);
    const QString name = u"locks@localhost:1 (ZooKeeper)"_s; // as the window keeps it
    const CtlRunner lockctl(u"zookeeper://locks@localhost:1/app"_s);
    CtlResult result = lockctl.run(words);
    QVERIFY2(result.exitCode == 77, result.text());
    const auto kept =
        wait([&](QObject *context, const Keyring::Done &done) { Keyring::store(name, kPassword, context, done); });
    QCOMPARE(kept.error, QString());
    result = lockctl.run(words);
    QVERIFY2(result.exitCode == 69 && result.err.contains("cannot be reached"), result.text());
    const auto gone = wait([&](QObject *context, const Keyring::Done &done) { Keyring::forget(name, context, done); });
    QCOMPARE(gone.error, QString());
#else
    QSKIP("It is built without ZooKeeper.");
#endif
}

void TestKeyringUse::lockctlWithoutAKeyringIsRefused()
{
    m_keyring.stop();
    const CtlResult result = CtlRunner(m_app.toString()).run({u"list"_s});
    QVERIFY2(result.exitCode == 77, result.text());
    QVERIFY2(result.err.contains("refuses this user or password"), result.text());
}

void TestKeyringUse::aPasswordThatIsGivenComesFirst()
{
    QCOMPARE(store(m_app, kPassword).error, QString());
    CtlRunner lockctl(m_app.toString());
    lockctl.set("LOCKSCOPE_PASSWORD", u"wrong"_s);
    const CtlResult result = lockctl.run({u"list"_s});
    QVERIFY2(result.exitCode == 77, result.text());
}

QTEST_GUILESS_MAIN(TestKeyringUse)
#include "tst_keyring.moc"
