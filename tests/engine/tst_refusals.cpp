// SPDX-License-Identifier: MIT
// The error contract of every public call: what it refuses, of which kind, in words that say what to do, and that a bad
// request sends nothing.
#include "enginetest.h"

#include "lockscope/lockhelpers.h"
#include "lockscope/once.h"
#include "lockscope/optimistic.h"

#include <QtCore/QFuture>
#include <QtTest/QTest>

#include <atomic>
#include <limits>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

namespace {

using MaybeError = std::optional<LockError>;
using Call = std::function<MaybeError(LockEngine &, const LockRequest &)>;

/// What is wrong with an error that reaches a caller; nothing when it has a kind, a sentence that says what to do, and
/// with the server's own words their number and statement.
QString flawOf(const LockError &error)
{
    const bool isServers = !error.serverText.isEmpty();
    if (error.message.isEmpty() || !error.message.endsWith(u'.') || error.message == error.serverText)
        return QStringLiteral("no sentence");
    if (isServers && !error.message.chopped(1).contains(QLatin1String(". ")))
        return QStringLiteral("not what to do");
    if (isServers && (error.code == 0 || error.statement.isEmpty()))
        return QStringLiteral("the server's words without number or statement");
    if (isServers && !error.toString().contains(QString::number(error.code)))
        return QStringLiteral("a text without the number");
    if (error.kind == Kind::Contention || error.kind == Kind::ServerFault)
        return QStringLiteral("a kind that says nothing");
    return {};
}

QString said(const MaybeError &error)
{
    return error ? QStringLiteral("kind %1: %2").arg(int(error->kind)).arg(error->toString()) : QStringLiteral("none");
}

MaybeError lockThrough(LockEngine &engine, const LockRequest &request)
{
    Lockable lockable(engine, request);
    try {
        lockable.lock();
        lockable.unlock();
    } catch (const LockFailure &failure) {
        return failure.error();
    }
    return std::nullopt;
}

/// Every call that takes a request.
const std::vector<std::pair<const char *, Call>> kWaysToLock{
    {"check", [](LockEngine &, const LockRequest &request) { return LockEngine::check(request); }},
    {"acquire", [](LockEngine &engine, const LockRequest &request) { return engine.acquire(request).error; }},
    {"acquireAsync",
     [](LockEngine &engine, const LockRequest &request) { return engine.acquireAsync(request).takeResult().error; }},
    {"acquireAll",
     [](LockEngine &engine, const LockRequest &request) {
         return acquireAll(engine, {"before", request.resource, "z"}, request).error;
     }},
    {"withLock",
     [](LockEngine &engine, const LockRequest &request) {
         return withLock(engine, request, [](LockHandle &) {}).error;
     }},
    {"Lockable::lock", lockThrough},
    {"acquireAny",
     [](LockEngine &engine, const LockRequest &request) {
         return engine.acquireAny({"before", request.resource}, request).error;
     }},
};

constexpr Duration kBeyond = MaxTtl + Duration(1);
constexpr Duration kAlmostForever = Forever - Duration(1);

/// Which calls use what is wrong.
enum class Where {
    Everywhere,
    NotAny, ///< acquireAny() sets it itself
    Wait    ///< and so does Lockable::try_lock()
};

struct BadRequest
{
    const char *name;
    std::function<void(LockRequest &)> make;
    const char *says;
    Where where = Where::Everywhere;
};

const std::vector<BadRequest> kBadRequests{
    {"no name", [](LockRequest &r) { r.resource = {}; }, "empty"},
    {"256 bytes", [](LockRequest &r) { r.resource = QByteArray(256, 'x'); }, "256 bytes"},
    {"NUL", [](LockRequest &r) { r.resource = QByteArray("a\0b", 3); }, "NUL"},
    {"a mode that is none", [](LockRequest &r) { r.mode = Mode(7); }, "mode", Where::NotAny},
    {"a TTL of zero", [](LockRequest &r) { r.ttl = Duration::zero(); }, "TTL"},
    {"a negative TTL", [](LockRequest &r) { r.ttl = Duration(-5); }, "TTL"},
    {"a TTL of 9 ms", [](LockRequest &r) { r.ttl = 9ms; }, "TTL"},
    {"a TTL beyond the cap", [](LockRequest &r) { r.ttl = kBeyond; }, "TTL"},
    {"a TTL of almost forever", [](LockRequest &r) { r.ttl = kAlmostForever; }, "TTL"},
    {"a negative wait", [](LockRequest &r) { r.wait = Duration(-1); }, "wait", Where::Wait},
    {"a wait beyond the cap", [](LockRequest &r) { r.wait = kBeyond; }, "wait", Where::Wait},
    {"a wait of almost forever", [](LockRequest &r) { r.wait = kAlmostForever; }, "wait", Where::Wait},
    {"a note of 1025 bytes", [](LockRequest &r) { r.note = QByteArray(1025, 'n'); }, "note"},
    {"a negative minimum", [](LockRequest &r) { r.holdAtLeast = Duration(-1); }, "minimum"},
    {"a minimum beyond the TTL", [](LockRequest &r) { r.holdAtLeast = r.ttl + Duration(1); }, "minimum"},
    {"a minimum of almost forever",
     [](LockRequest &r) {
         r.ttl = Forever;
         r.holdAtLeast = kAlmostForever;
     },
     "minimum"},
    {"a maximum of zero", [](LockRequest &r) { r.maxHold = Duration::zero(); }, "maximum"},
    {"a negative maximum", [](LockRequest &r) { r.maxHold = Duration(-1); }, "maximum"},
    {"a maximum of almost forever", [](LockRequest &r) { r.maxHold = kAlmostForever; }, "maximum"},
    {"stripes of a lease", [](LockRequest &r) { r.stripes = 4; }, "tripes", Where::NotAny},
    {"negative stripes",
     [](LockRequest &r) {
         r.mode = Mode::Pessimistic;
         r.stripes = -1;
     },
     "tripes", Where::NotAny},
    {"a row for 999 ms",
     [](LockRequest &r) {
         r.mode = Mode::Pessimistic;
         r.ttl = 999ms;
     },
     "1 s"},
    {"a row with a minimum",
     [](LockRequest &r) {
         r.mode = Mode::Pessimistic;
         r.holdAtLeast = 1s;
     },
     "unique"},
};

using Told = std::vector<std::pair<QByteArray, MaybeError>>;

/// What the calls are told that take no request, or one of their own.
Told otherCalls(LockEngine &engine, OptimisticStore &store, LockHandle &held)
{
    const auto work = [](LockHandle &) { return true; };
    Told told{
        {"commit", store.commit({"a"}).error},
        {"run", store.run("a", [](const Snapshot &) { return ColumnValues(); }).error},
        {"runAsync", store.runAsync("a", [](const Snapshot &) { return ColumnValues(); }).takeResult().error},
        {"acquireAny", engine.acquireAny({"a", "b"}, requestFor("a")).error},
        {"requestRelease", engine.requestRelease("held", QStringLiteral("now")).error},
        {"forceRelease",
         engine.forceRelease({HeldLease{"held", 1}}, QStringLiteral("ada"), QStringLiteral("stuck")).firstError},
        {"once", once(engine, {"job", "1"}, work).error},
        {"oneAtATime", oneAtATime(engine, {"job", "1"}, work).error},
    };
    if (!held.isHeld()) // a server that takes no writes tells all the same
        told.emplace_back("heldLeases", engine.heldLeases({"held"}).error);
    if (held.isHeld()) {
        const bool isRenewalRefused = held.renew(10s) == RenewOutcome::Failed;
        told.emplace_back("renew", isRenewalRefused ? held.lastError() : std::nullopt);
        const bool isReleaseRefused = held.release() == ReleaseOutcome::Failed;
        told.emplace_back("release", isReleaseRefused ? held.lastError() : std::nullopt);
    }
    return told;
}

/// Leaves `handle` as a move leaves it, for those who use it all the same.
LockHandle movedOut(LockHandle &handle)
{
    return std::move(handle);
}

} // namespace

class TestRefusals : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void everyErrorOfTheServerSaysWhatToDo();
    void badRequestsAreRefusedByEveryCallAndSendNothing_data();
    void badRequestsAreRefusedByEveryCallAndSendNothing();
    void namesOfAnyOtherBytesAreTaken_data();
    void namesOfAnyOtherBytesAreTaken();
    void emptyListsAndFunctionsAreRefused();
    void aConfigurationThatCannotBeIsRefused_data();
    void aConfigurationThatCannotBeIsRefused();
    void rowsThatAreKeptForEverAreNoError();
    void aHandleThatHoldsNothingSaysSo_data();
    void aHandleThatHoldsNothingSaysSo();
    void aHeldHandleRefusesWhatItCannotDo_data();
    void aHeldHandleRefusesWhatItCannotDo();
    void aStoreRefusesWhatItCannotDo_data();
    void aStoreRefusesWhatItCannotDo();
    void aStoreWhoseEngineHasEndedSaysSo();
    void serverUrlsAreRefusedInOneSentence_data();
    void serverUrlsAreRefusedInOneSentence();
    void whatTheServerRefusesIsWholeInEveryCall_data();
    void whatTheServerRefusesIsWholeInEveryCall();
};

void TestRefusals::everyErrorOfTheServerSaysWhatToDo()
{
    for (int code = 1; code < 6000; ++code) {
        const LockError error = lockErrorFor(code, QStringLiteral("its words"), "engine/acquire");
        const QString text = QStringLiteral("%1: %2").arg(code).arg(error.toString());
        QVERIFY2(error.message.endsWith(u'.'), qPrintable(text));
        QVERIFY2(error.message.chopped(1).contains(QLatin1String(". ")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("%1: its words").arg(code)), qPrintable(text));
        QCOMPARE(error.statement, QStringLiteral("engine/acquire"));
    }
}

void TestRefusals::badRequestsAreRefusedByEveryCallAndSendNothing_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < kBadRequests.size(); ++i)
        QTest::newRow(kBadRequests[i].name) << int(i);
}

void TestRefusals::badRequestsAreRefusedByEveryCallAndSendNothing()
{
    QFETCH(int, index);
    const BadRequest &bad = kBadRequests[std::size_t(index)];
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a");
    bad.make(request);
    m_observer->startLog();
    for (const auto &[name, call] : kWaysToLock) {
        if (bad.where != Where::Everywhere && name == QByteArray("acquireAny"))
            continue;
        const MaybeError error = call(engine, request);
        QVERIFY2(error, name);
        const QString text = QStringLiteral("%1: %2").arg(QLatin1String(name), said(error));
        QVERIFY2(error->kind == Kind::BadRequest, qPrintable(text));
        QVERIFY2(error->message.contains(QLatin1String(bad.says)), qPrintable(text));
        QVERIFY2(flawOf(*error).isEmpty(), qPrintable(flawOf(*error) + u' ' + text));
    }
    if (bad.where != Where::Wait)
        QVERIFY(!Lockable(engine, request).try_lock());
    QCOMPARE(m_observer->logged(), QStringList());
}

void TestRefusals::namesOfAnyOtherBytesAreTaken_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe");
    QTest::newRow("255 bytes") << QByteArray(255, '\xff');
    QTest::newRow("a line end") << QByteArray("\n");
    QTest::newRow("every byte but NUL") << [] {
        QByteArray all;
        for (int byte = 1; byte < 256; ++byte)
            all += char(byte);
        return all;
    }();
}

void TestRefusals::namesOfAnyOtherBytesAreTaken()
{
    QFETCH(QByteArray, name);
    LockEngine engine(configFor(*m_server));
    for (const auto &[way, call] : kWaysToLock) {
        const MaybeError error = call(engine, requestFor(name));
        QVERIFY2(!error, qPrintable(QLatin1String(way) + u' ' + said(error)));
    }
    OptimisticStore store(engine);
    QCOMPARE(store.read(name).outcome, ReadOutcome::Read);
}

void TestRefusals::emptyListsAndFunctionsAreRefused()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    m_observer->startLog();
    const MaybeError any = engine.acquireAny({}, requestFor("a")).error;
    const MaybeError with = withLock(engine, requestFor("a"), {}).error;
    const MaybeError run = store.run("a", {}).error;
    const MultiResult all = acquireAll(engine, {}, requestFor("a"));
    QCOMPARE(m_observer->logged(), QStringList());
    for (const MaybeError &error : {any, with, run}) {
        QVERIFY2(error && error->kind == Kind::BadRequest && error->message.contains(QLatin1String("empty")),
                 qPrintable(said(error)));
        QVERIFY2(flawOf(*error).isEmpty(), qPrintable(said(error)));
    }
    QCOMPARE(all.outcome, Outcome::Granted); // of nothing, nothing is missing
    QVERIFY(all.handles.empty());
}

void TestRefusals::aConfigurationThatCannotBeIsRefused_data()
{
    QTest::addColumn<EngineConfig>("config");
    QTest::addColumn<QString>("says");
    const EngineConfig good = configFor(*m_server);
    const auto row = [&](const char *name, const QString &says, const auto &make) {
        EngineConfig config = good;
        make(config);
        QTest::newRow(name) << config << says;
    };
    const QString connections = QStringLiteral("maxConnections");
    row("3 connections", connections, [](EngineConfig &c) { c.maxConnections = 3; });
    row("no connections", connections, [](EngineConfig &c) { c.maxConnections = 0; });
    row("fewer than none", connections, [](EngineConfig &c) { c.maxConnections = std::numeric_limits<int>::min(); });
    const QString kept = QStringLiteral("negative");
    row("idle rows", kept, [](EngineConfig &c) { c.idleRowsKept = Duration(-1); });
    row("events", kept, [](EngineConfig &c) { c.eventsKept = Duration(-1); });
    row("measurements", kept, [](EngineConfig &c) { c.latencyKept = Duration::min(); });
    row("what was done", kept, [](EngineConfig &c) { c.doneKept = Duration(-1); });
    row("no server", QStringLiteral("URL"), [](EngineConfig &c) { c.server = {}; });
    row("no user", QStringLiteral("no user"), [](EngineConfig &c) { c.server.user.clear(); });
    row("no schema", QStringLiteral("no schema"), [](EngineConfig &c) { c.server.schema.clear(); });
    row("a user that is an option", QStringLiteral("may not contain"),
        [](EngineConfig &c) { c.server.user = QStringLiteral("root;ssl-verify-server-cert=0"); });
    row("a socket that is no path", QStringLiteral("absolute"),
        [](EngineConfig &c) { c.server.socket = QStringLiteral("mysqld.sock"); });
}

void TestRefusals::aConfigurationThatCannotBeIsRefused()
{
    QFETCH(EngineConfig, config);
    QFETCH(QString, says);
    int counted = 0;
    config.onMeasured = [&counted](const Measurement &) { ++counted; };
    m_observer->startLog();
    {
        LockEngine engine(config);
        OptimisticStore store(engine);
        for (const MaybeError &error :
             {engine.connectToServer(), engine.acquire(requestFor("a")).error, engine.clean(), store.read("a").error,
              store.commit({"a"}).error, engine.acquireAny({"a", "b"}, requestFor("a")).error,
              engine.heldLeases({"a"}).error,
              engine.forceRelease({}, QStringLiteral("ada"), QStringLiteral("stuck")).firstError}) {
            QVERIFY(error);
            QVERIFY2(error->kind == Kind::BadRequest && error->message.contains(says), qPrintable(said(error)));
            QVERIFY2(flawOf(*error).isEmpty(), qPrintable(said(error)));
        }
    }
    QCOMPARE(m_observer->logged(), QStringList());
    QCOMPARE(counted, 0); // nothing was tried
}

void TestRefusals::rowsThatAreKeptForEverAreNoError()
{
    EngineConfig config = configFor(*m_server);
    config.idleRowsKept = config.eventsKept = config.latencyKept = Forever;
    LockEngine engine(config);
    QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
    const MaybeError error = engine.clean();
    QVERIFY2(!error, qPrintable(said(error)));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease").toInt(), 1);
}

void TestRefusals::aHandleThatHoldsNothingSaysSo_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<Mode>("mode");
    for (const char *state : {"made empty", "moved from", "released", "lost", "its engine has ended"}) {
        QTest::addRow("a lease, %s", state) << QString::fromLatin1(state) << Mode::Unique;
        QTest::addRow("a row, %s", state) << QString::fromLatin1(state) << Mode::Pessimistic;
    }
}

void TestRefusals::aHandleThatHoldsNothingSaysSo()
{
    QFETCH(QString, state);
    QFETCH(Mode, mode);
    auto engine = std::make_unique<LockEngine>(configFor(*m_server));
    std::atomic<bool> lost = false;
    LockRequest request = requestFor("a");
    request.mode = mode;
    if (state == QLatin1String("lost")) {
        request.ttl = 1s;
        request.autoRenew = false;
        request.onLost = [&](LossReason) { lost = true; };
    }
    LockHandle handle;
    LockHandle other;
    if (state != QLatin1String("made empty"))
        handle = std::move(engine->acquire(request).handle);
    if (state == QLatin1String("moved from"))
        other = movedOut(handle);
    if (state == QLatin1String("released"))
        QCOMPARE(handle.release(), ReleaseOutcome::Released);
    if (state == QLatin1String("lost"))
        QVERIFY(eventually([&] { return lost.load(); }));
    if (state == QLatin1String("its engine has ended"))
        engine.reset();

    bool ran = false;
    m_observer->startLog();
    QVERIFY(!handle.isHeld());
    QVERIFY(!handle);
    QCOMPARE(handle.remaining(), Duration::zero());
    QCOMPARE(handle.renew(10s), RenewOutcome::NotHeld);
    QCOMPARE(handle.renew(Duration(-1)), RenewOutcome::NotHeld);
    const MaybeError error = handle.inTransaction([&](QSqlDatabase &) { ran = true; });
    QCOMPARE(handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(m_observer->logged().filter(QStringLiteral("SAVEPOINT")), QStringList());
    QVERIFY(!ran);
    QVERIFY2(error && error->kind == Kind::LockLost, qPrintable(said(error)));
    QVERIFY2(flawOf(*error).isEmpty() && error->message.contains(QLatin1String("Take it again")),
             qPrintable(said(error)));
    if (state == QLatin1String("made empty") || state == QLatin1String("moved from")) {
        QCOMPARE(handle.resource(), QByteArray());
        QCOMPARE(handle.token(), quint64(0));
        QVERIFY(!handle.lastError());
    }
    QCOMPARE(other.isHeld(), state == QLatin1String("moved from"));
}

void TestRefusals::aHeldHandleRefusesWhatItCannotDo_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<qint64>("ttlUs");
    QTest::addColumn<bool>("isRefused");
    const auto add = [](const char *name, qint64 ttl, bool lease, bool row) {
        QTest::addRow("a lease, %s", name) << Mode::Unique << ttl << lease;
        QTest::addRow("a row, %s", name) << Mode::Pessimistic << ttl << row;
    };
    add("zero", 0, true, true);
    add("negative", -1, true, true);
    add("9 ms", 9'000, true, true);
    add("999 ms", 999'000, false, true);
    add("beyond the cap", kBeyond.count(), true, true);
    add("almost forever", kAlmostForever.count(), true, true);
    add("forever", Forever.count(), false, false);
}

void TestRefusals::aHeldHandleRefusesWhatItCannotDo()
{
    QFETCH(Mode, mode);
    QFETCH(qint64, ttlUs);
    QFETCH(bool, isRefused);
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, std::chrono::hours(1));
    request.mode = mode;
    auto held = engine.acquire(request);
    QCOMPARE(held.outcome, Outcome::Granted);
    m_observer->startLog();
    const auto renewed = held.handle.renew(Duration(ttlUs));
    const MaybeError refusal = held.handle.lastError();
    const MaybeError noFunction = held.handle.inTransaction({});
    bool ran = false;
    const MaybeError worked = held.handle.inTransaction([&](QSqlDatabase &) { ran = true; });
    const QStringList sent = m_observer->logged();
    QCOMPARE(renewed, isRefused ? RenewOutcome::Failed : RenewOutcome::Renewed);
    QVERIFY2(!isRefused || (refusal && refusal->kind == Kind::BadRequest && flawOf(*refusal).isEmpty()),
             qPrintable(said(refusal)));
    QVERIFY2(noFunction && noFunction->kind == Kind::BadRequest && flawOf(*noFunction).isEmpty(),
             qPrintable(said(noFunction)));
    QCOMPARE(ran, mode == Mode::Pessimistic);
    if (mode == Mode::Unique)
        QVERIFY2(worked && worked->kind == Kind::BadRequest && flawOf(*worked).isEmpty(), qPrintable(said(worked)));
    QCOMPARE(sent.filter(QStringLiteral("expires_at")).isEmpty(), isRefused || mode == Mode::Pessimistic);
    QCOMPARE(sent.filter(QStringLiteral(" wait_timeout")).isEmpty(), isRefused || mode == Mode::Unique);
    QVERIFY(held.handle.isHeld());
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
}

void TestRefusals::aStoreRefusesWhatItCannotDo_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::addColumn<QString>("says");
    QTest::newRow("no name") << QByteArray() << "empty";
    QTest::newRow("256 bytes") << QByteArray(256, 'x') << "256 bytes";
    QTest::newRow("NUL") << QByteArray("\0", 1) << "NUL";
}

void TestRefusals::aStoreRefusesWhatItCannotDo()
{
    QFETCH(QByteArray, resource);
    QFETCH(QString, says);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    m_observer->startLog();
    const MaybeError read = store.read(resource).error;
    const MaybeError commit = store.commit({resource}).error;
    const MaybeError run = store.run(resource, [](const Snapshot &) { return ColumnValues(); }).error;
    QCOMPARE(m_observer->logged(), QStringList());
    for (const MaybeError &error : {read, commit, run}) {
        QVERIFY2(error && error->kind == Kind::BadRequest && error->message.contains(says), qPrintable(said(error)));
        QVERIFY2(flawOf(*error).isEmpty(), qPrintable(said(error)));
    }
}

void TestRefusals::aStoreWhoseEngineHasEndedSaysSo()
{
    auto engine = std::make_unique<LockEngine>(configFor(*m_server));
    OptimisticStore store(*engine);
    const Snapshot snapshot = store.read("a").snapshot;
    engine.reset();
    m_observer->startLog();
    const MaybeError read = store.read("a").error;
    const MaybeError commit = store.commit(snapshot).error;
    const MaybeError run = store.run("a", [](const Snapshot &) { return ColumnValues(); }).error;
    QCOMPARE(m_observer->logged(), QStringList());
    for (const MaybeError &error : {read, commit, run})
        QVERIFY2(error && error->kind == Kind::BadRequest && error->message.contains(QLatin1String("ended")),
                 qPrintable(said(error)));
}

void TestRefusals::serverUrlsAreRefusedInOneSentence_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("says"); // empty: taken
    QTest::newRow("nothing") << QString() << "Not a server URL";
    QTest::newRow("no URL") << "root@localhost"
                            << "Not a server URL";
    QTest::newRow("another scheme") << "http://u@h/s"
                                    << "Not a server URL";
    QTest::newRow("a port that is none") << "mysql://u@h:99999/s"
                                         << "Not a server URL";
    QTest::newRow("a broken escape") << "mysql://u@h/s?socket=%zz"
                                     << "Not a server URL";
    QTest::newRow("a password") << "mysql://u:secret@h/s"
                                << "password";
    QTest::newRow("no user") << "mysql://h/s"
                             << "no user";
    QTest::newRow("no host") << "mysql://u@/s"
                             << "";
    QTest::newRow("no schema") << "mysql://u@h"
                               << "no schema";
    QTest::newRow("no schema, a slash") << "mysql://u@h/"
                                        << "no schema";
    QTest::newRow("two schemas") << "mysql://u@h/a/b"
                                 << "no schema";
    QTest::newRow("a schema of 65") << QString(QStringLiteral("mysql://u@h/") + QString(65, u's')) << "too long";
    QTest::newRow("a user of 129") << QString(QStringLiteral("mysql://") + QString(129, u'u') + QStringLiteral("@h/s"))
                                   << "too long";
    QTest::newRow("; in the user") << "mysql://u%3Bx@h/s"
                                   << "may not contain";
    QTest::newRow("= in the user") << "mysql://u%3Dx@h/s"
                                   << "may not contain";
    QTest::newRow("a brace in the user") << "mysql://%7B@h/s"
                                         << "may not contain";
    QTest::newRow("a brace in the host") << "mysql://u@h%7D/s"
                                         << "";
    QTest::newRow("a line's end in the user") << "mysql://u%0A@h/s"
                                              << "may not contain";
    QTest::newRow("a brace in the CA's path") << "mysql://u@h/s?ssl-ca=%2Fa%7Bb"
                                              << "may not contain";
    QTest::newRow("NUL in the user") << "mysql://u%00@h/s"
                                     << "may not contain";
    QTest::newRow("NUL in the schema") << "mysql://u@h/s%00"
                                       << "may not contain";
    QTest::newRow("; in the socket") << "mysql://u@localhost/s?socket=%2Fa%3Bb"
                                     << "may not contain";
    QTest::newRow("; in the CA's path") << "mysql://u@h/s?ssl-ca=%2Fa%3Bb"
                                        << "may not contain";
    QTest::newRow("a relative socket") << "mysql://u@localhost/s?socket=a"
                                       << "absolute";
    QTest::newRow("an option") << "mysql://u@h/s?compress=1"
                               << "compress";
    QTest::newRow("a good one") << "mysql://u@h:3307/s?ssl-ca=%2Fca.pem"
                                << "";
    QTest::newRow("any schema a server allows") << "mysql://u@h/%60%C3%A4%20%22"
                                                << "";
}

void TestRefusals::serverUrlsAreRefusedInOneSentence()
{
    QFETCH(QString, url);
    QFETCH(QString, says);
    ServerUrl parsed;
    parsed.host = QStringLiteral("as it was");
    QString error;
    const bool isTaken = ServerUrl::parse(url, &parsed, &error);
    if (says.isEmpty() && isTaken) {
        ServerUrl again;
        QVERIFY2(ServerUrl::parse(parsed.toString(), &again, &error), qPrintable(error));
        QCOMPARE(again, parsed);
        return;
    }
    QVERIFY(!isTaken);
    QVERIFY2(error.contains(says) && error.endsWith(u'.'), qPrintable(error));
    QVERIFY2(!error.contains(QLatin1String("secret")), qPrintable(error));
    QCOMPARE(parsed.host, QStringLiteral("as it was"));
}

void TestRefusals::whatTheServerRefusesIsWholeInEveryCall_data()
{
    QTest::addColumn<QString>("before"); // …; then the engine is made; then:
    QTest::addColumn<QString>("then");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("password");
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QString>("socket");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<bool>("connects");
    const QString none;
    const QString app = QStringLiteral("CREATE USER IF NOT EXISTS app@localhost IDENTIFIED BY 'secret'; "
                                       "GRANT SELECT, INSERT, UPDATE, DELETE ON lockscope.* TO app@localhost");
    QTest::newRow("wrong password") << app << none << "app"
                                    << "wrong" << none << none << Kind::AccessDenied << false;
    QTest::newRow("no such user") << none << none << "nobody"
                                  << "secret" << none << none << Kind::AccessDenied << false;
    QTest::newRow("no such schema") << none << none << "root" << none << "nowhere" << none << Kind::SchemaMissing
                                    << false;
    QTest::newRow("no tables") << "CREATE DATABASE IF NOT EXISTS emptyschema" << none << "root" << none << "emptyschema"
                               << none << Kind::SchemaMissing << false;
    QTest::newRow("no server") << none << none << "root" << none << none << "/nonexistent/socket" << Kind::Unavailable
                               << false;
    QTest::newRow("no privilege for the schema")
        << "CREATE USER IF NOT EXISTS poor@localhost IDENTIFIED BY 'secret'" << none << "poor"
        << "secret" << none << none << Kind::NoPermission << false;
    QTest::newRow("no privilege for the tables")
        << "CREATE USER IF NOT EXISTS reader@localhost IDENTIFIED BY 'secret'; "
           "GRANT SELECT ON lockscope.lock_meta TO reader@localhost"
        << none << "reader"
        << "secret" << none << none << Kind::NoPermission << true;
    QTest::newRow("a read-only server") << app << "SET GLOBAL read_only = 1"
                                        << "app"
                                        << "secret" << none << none << Kind::ReadOnlyServer << true;
}

void TestRefusals::whatTheServerRefusesIsWholeInEveryCall()
{
    QFETCH(QString, before);
    QFETCH(QString, then);
    QFETCH(QString, user);
    QFETCH(QString, password);
    QFETCH(QString, schema);
    QFETCH(QString, socket);
    QFETCH(Kind, kind);
    QFETCH(bool, connects);
    if (!before.isEmpty())
        m_observer->run(before.toUtf8());
    EngineConfig config = configFor(*m_server);
    config.server.user = user;
    config.password = password;
    if (!schema.isEmpty())
        config.server.schema = schema;
    if (!socket.isEmpty())
        config.server.socket = socket;
    config.measuresLatency = false;
    LockEngine engine(config);
    OptimisticStore store(engine);
    const auto undo = qScopeGuard([&] { m_observer->run("SET GLOBAL read_only = 0"); });
    LockHandle held;
    if (!then.isEmpty()) {
        LockRequest request = requestFor("held");
        request.autoRenew = false;
        held = std::move(engine.acquire(request).handle);
        QVERIFY(held.isHeld());
        m_observer->run(then.toUtf8());
    }

    Told told = otherCalls(engine, store, held);
    for (const auto &[name, call] : kWaysToLock) {
        for (const Mode mode : {Mode::Unique, Mode::Pessimistic}) {
            for (const Duration wait : {Duration::zero(), Duration(10s)}) {
                LockRequest request = requestFor("a", wait);
                request.mode = mode;
                MaybeError error = call(engine, request);
                if (name == QByteArray("check"))
                    QVERIFY2(!error, qPrintable(said(error)));
                else
                    told.emplace_back(name, std::move(error));
            }
        }
    }
    for (const auto &[name, error] : told)
        QVERIFY2(error, name.constData());
    told.emplace_back("connectToServer", engine.connectToServer());
    QCOMPARE(told.back().second.has_value(), !connects);
    told.emplace_back("clean", engine.clean()); // leaves alone what it may not touch
    told.emplace_back("read", store.read("a").error);
    QVERIFY(connects || (told.back().second && told[told.size() - 2].second));
    for (const auto &[name, error] : told) {
        if (!error)
            continue;
        const QString text = QLatin1String(name) + u' ' + said(error);
        QVERIFY2(error->kind == kind, qPrintable(text));
        QVERIFY2(flawOf(*error).isEmpty(), qPrintable(flawOf(*error) + u' ' + text));
        QVERIFY2(error->code != 0 || kind == Kind::SchemaMissing, qPrintable(text));
        QVERIFY2(!text.contains(QLatin1String("secret")), qPrintable(text));
    }
}

QTEST_GUILESS_MAIN(TestRefusals)
#include "tst_refusals.moc"
