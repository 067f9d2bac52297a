// SPDX-License-Identifier: MIT
#pragma once

#include "labplan.h"
#include "session/session.h"

namespace lockscope {

/// The schema of one run. Lives as long as this object, and is marked by a user-level lock of its name: one without
/// belongs to a run that died, and whoever comes next removes it. Private to lib/lab. Thread: its maker's.
class LabSchema
{
public:
    /// Each resource's amount, of jobs that sell nothing out.
    static constexpr qint64 Plenty = 1'000'000'000;

    /// Null and `*error` set when it cannot be made.
    static std::unique_ptr<LabSchema> make(const SessionTarget &server, const LabPlan &plan, LockError *error);
    ~LabSchema();
    LabSchema(const LabSchema &) = delete;
    LabSchema &operator=(const LabSchema &) = delete;

    /// The server with this schema.
    const SessionTarget &target() const { return m_target; }
    /// The run's own connection; opened again, and marked again, after the server was away. Null while it is.
    Session *control(LockError *error);
    /// The run's connections but this one, by their numbers.
    Reply connections();

private:
    explicit LabSchema(SessionTarget target)
        : m_target(std::move(target))
    {
    }
    std::optional<LockError> fill(const LabPlan &plan);

    SessionTarget m_target;
    std::unique_ptr<Session> m_control;
};

} // namespace lockscope
