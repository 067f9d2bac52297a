// SPDX-License-Identifier: MIT
#pragma once

#include "waitcontrol_p.h"

#include <QtCore/QByteArray>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace lockscope::detail {

/// The waiting requests of this process, per resource, in the order in which the server grants. Only the first of a
/// resource blocks on the server; the others wait here, so that one process uses one blocked connection per resource.
/// Their place among other processes is that of their arrival and does not change by this.
/// Thread: any.
class LocalQueue
{
public:
    /// One waiting request's place; leaves the queue when it goes.
    class Place
    {
    public:
        Place(LocalQueue &queue, QByteArray resource, std::shared_ptr<WaitControl> control);
        ~Place();
        Place(const Place &) = delete;
        Place &operator=(const Place &) = delete;

        /// Held from before the server's queue is joined until `enter`: so requests come here in their order.
        std::unique_lock<std::mutex> joining();
        /// Takes a place by the number of its arrival, or another one.
        void enter(quint64 arrival, const QByteArray &name);
        bool isIn() const { return m_isIn; }
        /// True when no earlier request of this process waits for the resource. True also for one that has no place
        /// yet: it must not sleep, for nobody would wake it.
        bool isFirst() const;
        /// The name of the one right before this one; empty when there is none.
        QByteArray nameBefore() const;
        /// Calls those others waiting for the resource that the row just read concerns.
        void callConcerned(const std::function<bool(const QByteArray &name)> &isConcerned);

    private:
        friend class LocalQueue;
        void leave();

        LocalQueue &m_queue;
        const QByteArray m_resource;
        const std::shared_ptr<WaitControl> m_control;
        bool m_isIn = false;               // written by the request's own thread
        std::pair<quint64, quint64> m_key; // number, then arrival here
        QByteArray m_name;                 // guarded by the queue's mutex
    };

    /// Calls all of this process, and ends what they wait for on the server.
    void callAll();
    bool isAnybodyThere() const;

private:
    using Waiting = std::map<std::pair<quint64, quint64>, Place *>;

    std::array<std::mutex, 64> m_joining; // by resource
    mutable std::mutex m_mutex;           // protects the members below
    std::map<QByteArray, Waiting> m_byResource;
    quint64 m_arrivals = 0;
};

} // namespace lockscope::detail
