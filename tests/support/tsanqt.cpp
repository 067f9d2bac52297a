// SPDX-License-Identifier: MIT
// Part of every program in a ThreadSanitizer build, and of no other: tells the sanitizer what it cannot see because
// Debian's Qt is not instrumented, so that correct programs are reported clean without any suppression.
//
// The preset's options do the rest: ignore_noninstrumented_modules leaves out what Qt, GLib and libmariadb themselves
// read and write through intercepted functions (memcpy, free, …), for their locks are futexes, which the sanitizer does
// not see; die_after_fork=0 because tests fork a process that starts threads before it execs a server.

#include <QtCore/QCoreApplication>
#include <QtCore/QFutureInterface>
#include <QtCore/QObject>

#include <atomic>
#include <cstdarg>
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);

// Declared by Qt in a private header.
struct QSignalSpyCallbackSet
{
    using BeginCallback = void (*)(QObject *caller, int signalOrMethodIndex, void **argv);
    using EndCallback = void (*)(QObject *caller, int signalOrMethodIndex);
    BeginCallback signalBegin;
    BeginCallback slotBegin;
    EndCallback signalEnd;
    EndCallback slotEnd;
};
Q_CORE_EXPORT void qt_register_signal_spy_callbacks(QSignalSpyCallbackSet *callbacks);

namespace {

/// Stands for every event queue: what a thread did before it posted happened before any later delivery. One for all of
/// them, so a race between two slots can hide behind an unrelated event; everything else is still found.
char eventQueues;

/// Stands for the counts of all futures.
char futures;

void beforePosting()
{
    __tsan_release(&eventQueues);
}

std::atomic<int> signalsUnderWay = 0;
thread_local int ownSignalsUnderWay = 0;

/// A signal's arguments are copied behind its begin, so its end tells as well; an event that is quicker waits for it,
/// but not for long: a slot may be running there that waits for this thread.
bool beforeDelivery(void **)
{
    for (int i = 0; i < 1000 && signalsUnderWay > ownSignalsUnderWay; ++i)
        ::sched_yield();
    __tsan_acquire(&eventQueues);
    return false; // and Qt delivers it
}

void signalBegins(QObject *, int, void **)
{
    ++signalsUnderWay;
    ++ownSignalsUnderWay;
    beforePosting();
}

void signalEnds(QObject *, int)
{
    beforePosting();
    --ownSignalsUnderWay;
    --signalsUnderWay;
}

QSignalSpyCallbackSet signalCallbacks{signalBegins, nullptr, signalEnds, nullptr};

/// Stands for the counts of all functions that are posted to another thread.
char posted;

/// Ends in the thread that is through with it last: the poster, or the one that ran it.
class CountedSlot : public QtPrivate::QSlotObjectBase
{
public:
    explicit CountedSlot(QSlotObjectBase *real)
        : QSlotObjectBase(&impl)
        , m_real(real)
    {
    }

private:
    static void impl(int which, QSlotObjectBase *self, QObject *receiver, void **arguments, bool *)
    {
        auto *const counted = static_cast<CountedSlot *>(self);
        if (which == Call) {
            counted->m_real->call(receiver, arguments);
            __tsan_release(&posted);
        } else if (which == Destroy) {
            __tsan_acquire(&posted);
            counted->m_real->destroyIfLastRef();
            delete counted;
        }
    }

    QSlotObjectBase *const m_real;
};

void install()
{
    qt_register_signal_spy_callbacks(&signalCallbacks);
    QInternal::registerCallback(QInternal::EventNotifyCallback, beforeDelivery);
}
Q_COREAPP_STARTUP_FUNCTION(install)

template<typename Function>
Function next(const char *symbol)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, symbol));
}

} // namespace

// The other ways into an event queue. These definitions stand in front of Qt's own.
bool QMetaObject::invokeMethodImpl(QObject *object, QtPrivate::QSlotObjectBase *slot, Qt::ConnectionType type,
                                   void *ret)
{
    static const auto real = next<bool (*)(QObject *, QtPrivate::QSlotObjectBase *, Qt::ConnectionType, void *)>(
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
    auto *const counted = new CountedSlot(slot);
    beforePosting();
    return real(object, counted, type, ret);
}

void QObject::deleteLater()
{
    static const auto real = next<void (*)(QObject *)>("_ZN7QObject11deleteLaterEv");
    beforePosting();
    real(this);
}

/// Events that were never delivered end with their receiver, in its thread.
extern "C" Q_DECL_EXPORT void endOfQObject(QObject *object) __asm__("_ZN7QObjectD2Ev");
void endOfQObject(QObject *object)
{
    static const auto real = next<void (*)(QObject *)>("_ZN7QObjectD2Ev");
    __tsan_acquire(&eventQueues);
    real(object);
}

/// Who gives a future back last ends its result: the count is Qt's own.
bool QFutureInterfaceBase::derefT() const
{
    static const auto real = next<bool (*)(const QFutureInterfaceBase *)>("_ZNK20QFutureInterfaceBase6derefTEv");
    __tsan_release(&futures);
    const bool isUsed = real(this);
    __tsan_acquire(&futures);
    return isUsed;
}

/// QProcess starts its child by clone(CLONE_VM | CLONE_VFORK): the child then runs on the sanitizer's state of the
/// calling thread and leaves it damaged (GCC misses the thread's locks from then on, Clang aborts). A child with
/// memory of its own does the same work.
extern "C" Q_DECL_EXPORT int clone(int (*run)(void *), void *, int flags, void *argument, ...) noexcept
{
    va_list rest;
    va_start(rest, argument);
    auto *const pidfd = va_arg(rest, pid_t *);
    va_end(rest);
    const long pid = ::syscall(SYS_clone, flags & ~(CLONE_VM | CLONE_VFORK), nullptr, pidfd, nullptr, nullptr);
    if (pid == 0)
        ::_exit(run(argument));
    return static_cast<int>(pid);
}
