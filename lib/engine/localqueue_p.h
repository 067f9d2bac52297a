#pragma once

#include "waitcontrol_p.h"

#include <QtCore/QByteArray>

#include <array>
#include <map>
#include <memory>
#include <mutex>

namespace lockscope::detail {

/// The waiting requests of this process, per resource, in the order in which the server grants. Only the first of a
/// resource blocks on the server; the others wait here, so that one process uses one blocked connection per resource.
/// Their place among other processes is their ticket's and does not change by this.
/// Thread: any.
class LOCKSCOPE_EXPORT LocalQueue
{
public:
    /// One waiting request's place; leaves the queue when it goes.
    class LOCKSCOPE_EXPORT Place
    {
    public:
        Place(LocalQueue &queue, QByteArray resource, std::shared_ptr<WaitControl> control);
        ~Place();
        Place(const Place &) = delete;
        Place &operator=(const Place &) = delete;

        /// Held from before a ticket is drawn until `setTicket`: so tickets enter this queue in their order.
        std::unique_lock<std::mutex> joining();
        /// Takes a place, or another one: by the ticket's number; with 0, who became the heir at once and so has none,
        /// behind all that are here. One whose ticket makes it the heir later keeps its place: it is still before
        /// those.
        void setTicket(quint64 ticket);
        /// Has taken a place and not left it.
        bool isIn() const { return m_isIn; }
        /// True when no earlier request of this process waits for the resource. True also for one that has no place
        /// yet: it must not sleep, for nobody would wake it.
        bool isFirst() const;

    private:
        friend class LocalQueue;
        void leave();

        LocalQueue &m_queue;
        const QByteArray m_resource;
        const std::shared_ptr<WaitControl> m_control;
        bool m_isIn = false;               // written by the request's own thread
        std::pair<quint64, quint64> m_key; // ticket, then arrival
    };

private:
    using Waiting = std::map<std::pair<quint64, quint64>, Place *>;

    std::array<std::mutex, 64> m_joining; // by resource
    mutable std::mutex m_mutex;           // protects the members below
    std::map<QByteArray, Waiting> m_byResource;
    quint64 m_arrivals = 0;
};

} // namespace lockscope::detail
