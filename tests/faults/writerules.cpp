// SPDX-License-Identifier: MIT
#include "checker.h"

#include <set>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

/// Accepted writes of one resource.
class Writes
{
public:
    Writes(const History &history, int number, const Resource &resource, std::vector<Finding> *findings)
        : m_history(history)
        , m_number(number)
        , m_resource(resource)
        , m_findings(findings)
    {
    }

    void check()
    {
        const Stored *before = nullptr;
        for (const Stored &write : m_resource.journal) {
            checkCall(write);
            checkAfter(before, write);
            before = &write;
        }
        for (const std::size_t place : m_resource.requests)
            checkKept(m_history.requests[place]);
    }

private:
    void find(const QString &rule, const Stored &write, const QString &text)
    {
        m_findings->push_back({rule,
                               u"resource %1: the write of %2.%3 (token %4, sum %5) %6"_s.arg(m_number)
                                   .arg(write.process)
                                   .arg(write.request)
                                   .arg(write.token)
                                   .arg(write.sum)
                                   .arg(text)});
    }

    void checkCall(const Stored &write)
    {
        const Request *request = m_history.find(write.process, write.request);
        if (!request || request->writeAt == Never || request->resource != m_number)
            find(u"phantom write"_s, write, u"was never asked for"_s);
        else if (request->write == Answer::No)
            find(u"phantom write"_s, write, u"was told to be refused"_s);
        if (!m_stored.insert({write.process, write.request}).second)
            find(u"phantom write"_s, write, u"was accepted before"_s);
    }

    void checkAfter(const Stored *before, const Stored &write)
    {
        if (before && write.token < before->token)
            find(u"stale write"_s, write, u"was accepted after one with token %1"_s.arg(before->token));
        const qint64 expected = (before ? before->sum : 0) + 1;
        if (write.sum != expected)
            find(u"lost update"_s, write,
                 u"was made without having seen the one before it: the sum should be %1"_s.arg(expected));
    }

    void checkKept(const Request &request)
    {
        if (request.write == Answer::Yes && !m_stored.contains({request.process, request.number})) {
            m_findings->push_back({u"lost write"_s,
                                   u"resource %1: the write of %2 (token %3), invoked %4, was acknowledged and is not "
                                   "there"_s.arg(m_number)
                                       .arg(request.name())
                                       .arg(request.token)
                                       .arg(moment(m_history, request.writeAt))});
        }
    }

    const History &m_history;
    const int m_number;
    const Resource &m_resource;
    std::vector<Finding> *m_findings;
    std::set<std::pair<int, qint64>> m_stored;
};

} // namespace

void checkWrites(const History &history, std::vector<Finding> *findings)
{
    for (const auto &[number, resource] : history.resources)
        Writes(history, number, resource, findings).check();
}

} // namespace lockscope::faults
