// SPDX-License-Identifier: MIT
#include "labschema.h"

#include "console/serveraccess.h"
#include "labrun.h"
#include "labstock.h"
#include "privateserver/processref.h"
#include "session/runnames.h"
#include "session/schema.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QSysInfo>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowsPerInsert = 1000;

SessionTarget withoutSchema(SessionTarget target)
{
    target.url.schema.clear();
    return target;
}

std::optional<LockError> drop(Session &session, const QString &schema)
{
    return session.run("DROP DATABASE IF EXISTS " + quotedIdentifier(schema), "lab/drop").error;
}

/// Whose process is gone. Hosts may have one name, so this one is known by when it was started, too. Of another host's
/// runs only the user-level lock tells, and after a restart of the server it is free for a moment: they are left to
/// that host.
bool isDead(Session &session, const QString &schema)
{
    const Reply reply = session.run("lab/run_of", Params().table("table", schema, u"lab_run"_s));
    const QVariantList run = reply.set(-1).rows.value(0);
    if (run.value(0).toString().isEmpty())
        return false;
    return run.value(0).toString() == QSysInfo::machineHostName()
        && run.value(2).toByteArray() == QSysInfo::bootUniqueId() && !ProcessRef(run.value(1).toLongLong()).isAlive();
}

} // namespace

std::unique_ptr<LabSchema> LabSchema::make(const SessionTarget &server, const LabPlan &plan, LockError *error)
{
    auto control = Session::open(withoutSchema(server), error);
    if (!control)
        return nullptr;
    SessionTarget target = server;
    target.url.schema = labSchemaName(newRunName());
    std::unique_ptr<LabSchema> schema(new LabSchema(target));
    // Marked before it is there, so that nobody takes it for a dead one.
    const Reply mark = control->run("SELECT GET_LOCK('" + target.url.schema.toLatin1() + "', 0)", "lab/mark");
    auto failed = mark.error ? mark.error : installSchema(target);
    if (!failed)
        failed = schema->fill(plan);
    if (!failed)
        failed = control->run("USE " + quotedIdentifier(target.url.schema), "lab/mark").error;
    if (failed) {
        *error = *failed;
        return nullptr;
    }
    schema->m_control = std::move(control);
    return schema;
}

LabSchema::~LabSchema()
{
    LockError ignored;
    if (const auto session = Session::open(withoutSchema(m_target), &ignored))
        drop(*session, m_target.url.schema);
}

std::optional<LockError> LabSchema::fill(const LabPlan &plan)
{
    LockError error;
    const auto session = Session::open(m_target, &error);
    if (!session)
        return error;
    if (const Reply made = session->run("lab/tables", Params()); !made)
        return made.error;
    const auto self = Params()
                          .text("host", QSysInfo::machineHostName())
                          .number("pid", QCoreApplication::applicationPid())
                          .text("boot", QString::fromLatin1(QSysInfo::bootUniqueId()));
    if (const Reply marked = session->run("lab/mark", self); !marked)
        return marked.error;
    const qint64 amount = plan.job == LabJob::Sale ? plan.stock : Plenty;
    for (int first = 0; first < plan.resources; first += kRowsPerInsert) {
        QByteArray packet;
        for (int i = first; i < std::min(plan.resources, first + kRowsPerInsert); ++i) {
            const auto params = Params().bytes("resource", LabStock::resourceName(i)).number("amount", amount);
            packet += renderSql(sqlText(packet.isEmpty() ? "lab/fill" : "lab/fill_row", Family::MariaDb), params);
        }
        if (const Reply filled = session->run(packet, "lab/fill"); !filled)
            return filled.error;
    }
    return session->run("lab/fill_plain", Params()).error;
}

Session *LabSchema::control(LockError *error)
{
    if (m_control && !m_control->isGone())
        return m_control.get();
    m_control = Session::open(m_target, error);
    if (!m_control)
        return nullptr;
    const Reply mark = m_control->run("SELECT GET_LOCK('" + m_target.url.schema.toLatin1() + "', 10)", "lab/mark");
    if (mark.error)
        *error = *mark.error;
    return mark.error ? nullptr : m_control.get();
}

Reply LabSchema::connections()
{
    LockError error;
    Session *open = control(&error);
    return open ? open->run("lab/connections", Params().text("schema", m_target.url.schema)) : Reply{{}, error};
}

std::optional<LockError> cleanUpLab(const SessionTarget &target, int *removed)
{
    LockError error;
    const auto session = Session::open(withoutSchema(target), &error);
    if (!session)
        return error;
    if (auto refused = ServerAccess::toLookAt(session->info().ownName).refusalOfLab())
        return refused;
    const Reply runs = session->run("lab/runs", Params());
    if (!runs)
        return runs.error;
    for (const QVariantList &run : runs.set(-1).rows) {
        const QString schema = run.value(0).toString();
        if (run.value(1).toBool() || runOfLabSchema(schema).isEmpty() || !isDead(*session, schema))
            continue;
        if (auto failed = drop(*session, schema))
            return failed;
        if (removed)
            ++*removed;
    }
    return std::nullopt;
}

} // namespace lockscope
