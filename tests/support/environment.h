// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QtGlobal>

#include <utility>

namespace lockscope::test {

/// Variables of the environment, until the end of the scope. Thread: none that reads the environment may run.
class Environment
{
public:
    Environment() = default;
    ~Environment() { restore(); }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

    void set(const char *name, const QByteArray &value)
    {
        m_before.append({name, qgetenv(name)});
        qputenv(name, value);
    }
    void restore()
    {
        for (const auto &[name, value] : std::exchange(m_before, {}))
            value.isNull() ? qunsetenv(name) : qputenv(name, value);
    }

private:
    QList<std::pair<const char *, QByteArray>> m_before;
};

} // namespace lockscope::test
