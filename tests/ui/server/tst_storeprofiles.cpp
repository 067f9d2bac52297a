// SPDX-License-Identifier: MIT
// A Redis, a ZooKeeper or an etcd as a server that a person knows: its address, its settings, plain text by choice.
#include "sources/storeaddress.h"
#include "strict.h"
#include "ui/server/connectiondialog.h"
#include "ui/server/furtherservers.h"
#include "ui/server/knownservers.h"
#include "ui/server/passworddialog.h"
#include "ui/server/serverchooser.h"
#include "ui/server/serverconnection.h"

#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

template<typename Field>
Field *field(const QWidget &dialog, const QString &label)
{
    for (const QLabel *found : dialog.findChildren<QLabel *>()) {
        if (found->text() == label)
            return qobject_cast<Field *>(found->buddy());
    }
    qFatal("No field %ls", qUtf16Printable(label));
}

template<typename Button>
Button *button(const QWidget &dialog, const QString &text)
{
    for (auto *found : dialog.findChildren<Button *>()) {
        if (found->text() == text)
            return found;
    }
    qFatal("No button %ls", qUtf16Printable(text));
}

ServerProfile store(const QString &name, const QString &url)
{
    ServerProfile profile = ServerProfile::unnamedStore(url);
    profile.name = name;
    return profile;
}

} // namespace

class TestStoreProfiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void anAddressSaysWhatItIs_data();
    void anAddressSaysWhatItIs();
    void settingsKeepThem();
    void theDialogTakesAnAddress();
    void plainTextIsAChoiceOfEachServer();
    void aTagOfProductionIsOfTheStoreByWhateverWay();
    void aTagOfProductionIsOfEachServerOfItsCluster_data();
    void aTagOfProductionIsOfEachServerOfItsCluster();
    void eachAddressIsOnOfferOnce();
    void aServerWithoutItsPasswordIsListedAndNotTried();
    void theUserOfAZooKeeperIsAskedForItsPassword();
};

void TestStoreProfiles::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"lockscope-test"_s);
    QCoreApplication::setApplicationName(u"tst_storeprofiles"_s);
}

void TestStoreProfiles::init()
{
    failOnWarnings(OffscreenWarning);
    QSettings().clear();
}

void TestStoreProfiles::anAddressSaysWhatItIs_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("keyringName");
    QTest::newRow("redis") << u"redis://ops@cache1:7000/2"_s << u"Redis"_s << u"cache1:7000"_s << u"ops"_s
                           << u"ops@cache1:7000 (Redis)"_s;
    QTest::newRow("a socket") << u"redis:///0?socket=%2Frun%2Fr.sock"_s << u"Redis"_s << u"/run/r.sock"_s << QString()
                              << u"@/run/r.sock (Redis)"_s;
    QTest::newRow("zookeeper") << u"zookeeper://h1,h2:2182/locks?tls=off"_s << u"ZooKeeper"_s << u"h1,h2:2182"_s
                               << QString() << u"@h1,h2:2182 (ZooKeeper)"_s;
    QTest::newRow("etcd") << u"etcd://ops@h1,h2"_s << u"etcd"_s << u"h1,h2"_s << u"ops"_s << u"ops@h1,h2 (etcd)"_s;
}

void TestStoreProfiles::anAddressSaysWhatItIs()
{
    QFETCH(const QString, url);
    QFETCH(const QString, keyringName);
    const ServerProfile profile = ServerProfile::unnamedStore(url);
    QTEST(profile.storeTitle(), "title");
    QTEST(profile.address(), "address");
    QTEST(profile.user(), "user");
    QCOMPARE(profile.keyringName(), keyringName);
    QCOMPARE(storeKeyringName(url), keyringName); // lockctl has it as it was typed
    QVERIFY(isSameStore(profile.store, url) && !profile.urlText().isEmpty());
}

void TestStoreProfiles::settingsKeepThem()
{
    ServerProfile wanted = store(u"Cache"_s, u"redis://ops@cache1/0"_s);
    wanted.tint = Tint::Violet;
    wanted.isProduction = true;
    KnownServers servers;
    servers.put(wanted, {});
    servers.put(store(u"Coordination"_s, u"zookeeper://h1,h2/locks?tls=off"_s), {});
    QCOMPARE(KnownServers().list(), servers.list());
    QCOMPARE(KnownServers().list().size(), 2);
}

void TestStoreProfiles::theDialogTakesAnAddress()
{
    ServerConnection connection;
    KnownServers servers;
    ConnectionDialog dialog(&connection, &servers);
    dialog.setProfile(ServerProfile());
    auto *save = button<QPushButton>(dialog, u"Sa&ve"_s);
    auto *kind = field<QComboBox>(dialog, u"Kin&d"_s);
    auto *address = field<QLineEdit>(dialog, u"Addr&ess"_s);
    QVERIFY(!address->isVisibleTo(&dialog));
    kind->setCurrentText(u"etcd"_s);
    QVERIFY(address->isVisibleTo(&dialog) && !field<QLineEdit>(dialog, u"Schem&a"_s)->isVisibleTo(&dialog));
    QCOMPARE(address->text(), u"etcd://"_s);
    QVERIFY(!save->isEnabled());
    kind->setCurrentText(u"Redis"_s);
    QCOMPARE(address->text(), u"redis://"_s);
    address->setText(u"redis://ops:secret@cache1"_s); // others could read it
    QVERIFY(!save->isEnabled());
    address->setText(u"redis://ops@cache1"_s);
    QVERIFY(save->isEnabled());
    save->click();
    QCOMPARE(servers.list().size(), 1);
    QCOMPARE(servers.list().first().name, u"cache1"_s);
    QCOMPARE(servers.list().first().store, u"redis://ops@cache1/0"_s);

    ConnectionDialog again(&connection, &servers);
    again.setProfile(servers.list().first());
    QCOMPARE(again.profile(), servers.list().first());
    QCOMPARE(field<QComboBox>(again, u"Kin&d"_s)->currentText(), u"Redis"_s);
}

void TestStoreProfiles::plainTextIsAChoiceOfEachServer()
{
    ServerConnection connection;
    KnownServers servers;
    ConnectionDialog dialog(&connection, &servers);
    dialog.setProfile(ServerProfile());
    auto *save = button<QPushButton>(dialog, u"Sa&ve"_s);
    auto *plain = button<QCheckBox>(dialog, u"Speak &plain text, without TLS"_s);
    field<QComboBox>(dialog, u"Kin&d"_s)->setCurrentText(u"ZooKeeper"_s);
    auto *address = field<QLineEdit>(dialog, u"Addr&ess"_s);
    address->setText(u"zookeeper://h1/locks"_s);
    QVERIFY(!plain->isChecked() && !save->isEnabled()); // another machine
    plain->click();
    QCOMPARE(address->text(), u"zookeeper://h1/locks?tls=off"_s);
    QVERIFY(save->isEnabled());
    plain->click();
    QCOMPARE(address->text(), u"zookeeper://h1/locks"_s);
    address->setText(u"zookeeper://h1/locks?tls=off"_s);
    QVERIFY(plain->isChecked());
}

void TestStoreProfiles::aTagOfProductionIsOfTheStoreByWhateverWay()
{
    ServerProfile tagged = store(u"Cache"_s, u"redis://ops@cache1/0"_s);
    tagged.isProduction = true;
    KnownServers servers;
    servers.put(tagged, {});
    QVERIFY(isTaggedAsProduction(ServerProfile::unnamedStore(u"redis://Cache1/7?tls=off"_s)));
    QVERIFY(!isTaggedAsProduction(ServerProfile::unnamedStore(u"redis://cache2"_s)));
    QVERIFY(!isTaggedAsProduction(ServerProfile::unnamedStore(u"etcd://cache1:6379"_s)));
}

void TestStoreProfiles::aTagOfProductionIsOfEachServerOfItsCluster_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<bool>("isTagged");
    QTest::newRow("one of them") << u"etcd://e1/"_s << true;
    QTest::newRow("another order") << u"etcd://ops@e2,e1,E3/locks?tls=off"_s << true;
    QTest::newRow("with the usual port") << u"etcd://E3:2379"_s << true;
    QTest::newRow("one of them and a stranger") << u"etcd://e9,e2"_s << true;
    QTest::newRow("another port") << u"etcd://e1:2380"_s << false;
    QTest::newRow("another host") << u"etcd://e4"_s << false;
    QTest::newRow("another kind") << u"zookeeper://e1:2379?tls=off"_s << false;
    QTest::newRow("an ensemble") << u"zookeeper://z2:2182?tls=off"_s << true;
    QTest::newRow("this machine by another name") << u"zookeeper://127.0.0.1?tls=off"_s << true;
}

void TestStoreProfiles::aTagOfProductionIsOfEachServerOfItsCluster()
{
    QFETCH(const QString, url);
    KnownServers servers;
    for (const QString &known : {u"etcd://e1,e2,e3/locks"_s, u"zookeeper://localhost,z2:2182/locks?tls=off"_s}) {
        ServerProfile tagged = store(known, known);
        tagged.isProduction = true;
        servers.put(tagged, {});
    }
    QTEST(isTaggedAsProduction(ServerProfile::unnamedStore(url)), "isTagged");
    QCOMPARE(isSameStore(url, u"etcd://e1,e2,e3/locks"_s), false); // its password is not theirs
}

void TestStoreProfiles::eachAddressIsOnOfferOnce()
{
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    chooser.servers()->put(store(u"Cache"_s, u"redis://cache1/0"_s), {});
    QCOMPARE(chooser.profileAt(u"redis://cache1"_s).name, u"Cache"_s);
    QCOMPARE(chooser.profileAt(u"redis://ops@cache1"_s).name, u"Cache"_s);
    QCOMPARE(chooser.profileAt(u"redis://ops@cache1"_s).user(), u"ops"_s);
    QVERIFY(chooser.profileAt(u"redis://ops:secret@cache1"_s).urlText().isEmpty());
    connection.open(chooser.profileAt(u"redis:///0?socket=%2Fnowhere%2Fr"_s), {});
    connection.open(chooser.profileAt(u"etcd:///x?socket=%2Fnowhere%2Fe"_s), {});
    QCOMPARE(chooser.offered().size(), 4); // and the private server
    QCOMPARE(connection.visited().size(), 2);
}

void TestStoreProfiles::aServerWithoutItsPasswordIsListedAndNotTried()
{
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    FurtherServers *further = connection.further();
    connection.open(chooser.profileAt(u"etcd:///x?socket=%2Fnowhere%2Fe"_s), {});
    const QString mysql = u"mysql://app@localhost/shop?socket=%2Fnowhere%2Fm"_s;
    chooser.restoreList({mysql, u"redis:///0?socket=%2Fnowhere%2Fr"_s});
    QTRY_COMPARE(further->all().size(), 2U);
    for (const auto &[number, server] : further->all()) {
        const bool isTried = server.profile.isStore();
        QCOMPARE(server.status.isFailing() && server.status.isPermanent(), !isTried); // nobody answers there either
    }
    const int number = further->add(chooser.profileAt(mysql), u"secret"_s);
    QCOMPARE(further->all().size(), 2U);
    QVERIFY(!further->find(number)->status.error);
}

/// ZooKeeper would let it in without, as another user.
void TestStoreProfiles::theUserOfAZooKeeperIsAskedForItsPassword()
{
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    chooser.open(chooser.profileAt(u"zookeeper://locks@localhost:1/app"_s));
    QTRY_VERIFY(window.findChild<PasswordDialog *>());
    QCOMPARE(window.findChild<PasswordDialog *>()->profile().user(), u"locks"_s);
}

QTEST_MAIN(TestStoreProfiles)
#include "tst_storeprofiles.moc"
