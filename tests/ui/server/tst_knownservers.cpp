// SPDX-License-Identifier: MIT
// Each window has its own view of the one list of servers.
#include "ui/server/knownservers.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

ServerProfile profileOf(const QString &name)
{
    ServerProfile profile;
    profile.name = name;
    profile.url.user = u"app"_s;
    profile.url.host = name;
    profile.url.port = 3306;
    profile.url.schema = u"lockscope"_s;
    return profile;
}

ServerProfile kept(const QString &name)
{
    const KnownServers servers;
    for (const ServerProfile &profile : servers.list()) {
        if (profile.name == name)
            return profile;
    }
    return {};
}

/// By this name. True: whether it is guarded changed.
bool answer(ServerProfile *profile, const QString &ownName)
{
    hearOwnName(profile, ownName);
    return recognize(profile);
}

} // namespace

class TestKnownServers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { QSettings().clear(); }

    void aWindowKeepsWhatAnotherOneAdds();
    void aTagOfAnotherWindowStays();
    void aTagIsTakenOffByWhoeverSeesIt();
    void aProductionServerIsKnownByAnotherWayToIt();
    void whatAServerCallsItselfIsOfItsAddress();
    void anEntryThatNeverAnsweredHidesNoOwnName();
    void anotherWayIsMarkedOnceTheServerAnsweredThere();
};

void TestKnownServers::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"lockscope-test"_s);
    QCoreApplication::setApplicationName(u"tst_knownservers"_s);
}

void TestKnownServers::aWindowKeepsWhatAnotherOneAdds()
{
    KnownServers one;
    KnownServers other;
    one.put(profileOf(u"db1"_s), {});
    other.put(profileOf(u"db2"_s), {});
    QCOMPARE(KnownServers().list().size(), 2);
    one.remove(u"db2"_s);
    QCOMPARE(KnownServers().list().size(), 1);
    ServerProfile profile = profileOf(u"db1"_s);
    profile.waitsOff = {WaitSource::Statements};
    other.keepWaitsOff(profile);
    QCOMPARE(kept(u"db1"_s).waitsOff, profile.waitsOff);
}

void TestKnownServers::aTagOfAnotherWindowStays()
{
    ServerProfile profile = profileOf(u"db1"_s);
    KnownServers().put(profile, {});
    KnownServers one;
    KnownServers other;
    profile.isProduction = true;
    one.put(profile, {});
    other.put(profileOf(u"db2"_s), {});
    QVERIFY(kept(u"db1"_s).isProduction);
    KnownServers third;
    profile.isProduction = false;
    third.put(profile, {}); // seen with the tag, and taken off
    QVERIFY(!kept(u"db1"_s).isProduction);

    profile.isProduction = true;
    KnownServers().put(profile, {});
    profile.isProduction = false;
    profile.tint = Tint::Red;
    third.put(profile, {}); // seen without it: only the colour was chosen
    QVERIFY(kept(u"db1"_s).isProduction);
    QCOMPARE(kept(u"db1"_s).tint, Tint::Red);
}

void TestKnownServers::aTagIsTakenOffByWhoeverSeesIt()
{
    ServerProfile profile = profileOf(u"db1"_s);
    profile.isProduction = true;
    KnownServers servers;
    servers.put(profile, {});
    QVERIFY(kept(u"db1"_s).isProduction);
    profile.isProduction = false;
    servers.put(profile, {});
    QVERIFY(!kept(u"db1"_s).isProduction);
}

void TestKnownServers::aProductionServerIsKnownByAnotherWayToIt()
{
    ServerProfile direct = profileOf(u"db1"_s);
    direct.isProduction = true;
    KnownServers servers;
    servers.put(direct, {});
    QVERIFY(!answer(&direct, u"db1:3306 4c2f"_s)); // is guarded already
    ServerProfile tunnel = profileOf(u"tunnel"_s);
    tunnel.url.port = 3307;
    QVERIFY(!answer(&tunnel, {})); // an older server, or none that answered
    QVERIFY(!tunnel.isGuarded());
    QVERIFY(answer(&tunnel, u"db1:3306 4c2f"_s));
    QVERIFY(tunnel.isGuarded());
    QVERIFY(!tunnel.isProduction);                 // which is of the server that it leads to today
    QVERIFY(!answer(&tunnel, u"db1:3306 4c2f"_s)); // said once
    QVERIFY(answer(&tunnel, u"db9:3306 aa"_s));
    QVERIFY(!tunnel.isGuarded());
    ServerProfile other = profileOf(u"db2"_s);
    QVERIFY(!answer(&other, u"db2:3306 77aa"_s));
    QVERIFY(!other.isGuarded());
    QCOMPARE(KnownServers().list().size(), 1); // nobody is added by that
}

/// By whatever user and schema it was reached.
void TestKnownServers::whatAServerCallsItselfIsOfItsAddress()
{
    ServerProfile profile = profileOf(u"db1"_s);
    KnownServers servers;
    servers.put(profile, {});
    servers.put(profileOf(u"db2"_s), {});
    ServerProfile asOther = profile;
    asOther.name = u"as root"_s;
    asOther.url.user = u"root"_s;
    asOther.url.schema = u"shop"_s;
    QVERIFY(hearOwnName(&asOther, u"db1:3306 4c2f"_s));
    QVERIFY(!hearOwnName(&asOther, u"db1:3306 4c2f"_s)); // is no news
    QCOMPARE(kept(u"db1"_s).ownName, u"db1:3306 4c2f"_s);
    QCOMPARE(kept(u"db2"_s).ownName, QString());
    profile.tint = Tint::Red;
    servers.put(profile, {}); // from a form, which does not know it
    QCOMPARE(kept(u"db1"_s).ownName, u"db1:3306 4c2f"_s);
    servers.put(asOther, {}); // a second entry of the same place
    QCOMPARE(kept(u"as root"_s).ownName, u"db1:3306 4c2f"_s);
    profile.url.host = u"db3"_s;
    servers.put(profile, {});
    QCOMPARE(kept(u"db1"_s).ownName, QString());
}

/// An entry that another version wrote does not know it.
void TestKnownServers::anEntryThatNeverAnsweredHidesNoOwnName()
{
    ServerProfile answered = profileOf(u"db1"_s);
    answered.ownName = u"db1:3306 4c2f"_s;
    ServerProfile silent = answered;
    silent.name = u"as root"_s;
    silent.ownName.clear();
    QSettings settings;
    saveProfiles(settings, {answered, silent});
    KnownServers().put(profileOf(u"db1"_s), {});
    QCOMPARE(kept(u"db1"_s).ownName, answered.ownName);
}

/// Before it is connected to.
void TestKnownServers::anotherWayIsMarkedOnceTheServerAnsweredThere()
{
    ServerProfile direct = profileOf(u"db1"_s);
    direct.isProduction = true;
    direct.ownName = u"db1:3306 4c2f"_s;
    ServerProfile tunnel = profileOf(u"tunnel"_s);
    QSettings settings;
    saveProfiles(settings, {direct, tunnel});
    settings.sync();
    QVERIFY(isTaggedAsProduction(direct));
    QVERIFY(!isTaggedAsProduction(tunnel));
    tunnel.ownName = direct.ownName;
    QVERIFY(isTaggedAsProduction(tunnel));
}

QTEST_GUILESS_MAIN(TestKnownServers)
#include "tst_knownservers.moc"
