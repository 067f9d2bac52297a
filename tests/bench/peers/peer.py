# SPDX-License-Identifier: MIT
# The locks of redis-py, kazoo and etcd3 for Python: peer.py NAME ADDRESS. README.md tells what a peer answers.
import os
import sys
import threading
import time


class RedisPy:
    def __init__(self, address, name):
        import redis
        self.title = 'redis-py ' + redis.__version__
        self.lock = redis.Redis(unix_socket_path=address).lock(name, timeout=60)

    def take(self):
        assert self.lock.acquire()

    def give(self):
        self.lock.release()


class Kazoo:
    def __init__(self, address, name):
        import kazoo
        from kazoo.client import KazooClient
        self.title = 'kazoo ' + kazoo.__version__
        self.client = KazooClient(hosts=address)
        self.client.start()
        self.lock = self.client.Lock('/peer/' + name)

    def take(self):
        assert self.lock.acquire()

    def give(self):
        self.lock.release()


class Etcd3:
    def __init__(self, address, name):
        import etcd3
        self.title = 'etcd3 (Python) ' + etcd3.__version__
        # Each try makes a lease and leaves it: none may end while something is measured.
        self.lock = etcd3.client(host='unix', port=address).lock(name, ttl=3600)

    def take(self):
        assert self.lock.acquire()

    def give(self):
        assert self.lock.release()


def pair(lock, count):
    start = time.perf_counter()
    for _ in range(count):
        lock.take()
        lock.give()
    return (time.perf_counter() - start) / count * 1e6


def hand_over(holder, other, rest):
    holder.take()
    taken = []

    def wait():
        other.take()
        taken.append(time.perf_counter())
        other.give()

    waiter = threading.Thread(target=wait)
    waiter.start()
    time.sleep(rest / 1e3)
    start = time.perf_counter()
    holder.give()
    waiter.join()
    return (taken[0] - start) * 1e6


def contend(locks, seconds):
    end = time.perf_counter() + seconds
    grants = [[] for _ in locks]

    def work(lock, mine):
        while time.perf_counter() < end:
            lock.take()
            mine.append(time.perf_counter())
            lock.give()

    threads = [threading.Thread(target=work, args=each) for each in zip(locks, grants)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    grants = [[moment for moment in mine if moment <= end] for mine in grants]
    moments = sorted(moment for mine in grants for moment in mine)
    gaps = [after - before for before, after in zip(moments, moments[1:])]
    return [max(gaps, default=seconds) * 1e6] + [len(mine) for mine in grants]


def main():
    kind = {'redis-py': RedisPy, 'kazoo': Kazoo, 'etcd3': Etcd3}[sys.argv[1]]
    address = sys.argv[2]
    alone = kind(address, 'pair')
    two = [kind(address, 'handover') for _ in range(2)]
    many = []
    print(alone.title, flush=True)
    for line in sys.stdin:
        word, *numbers = line.split()
        numbers = [int(number) for number in numbers]
        if word == 'pair':
            answer = [pair(alone, numbers[0])]
        elif word == 'handover':
            answer = [hand_over(*two, numbers[0])]
        else:
            while len(many) < numbers[0]:
                many.append(kind(address, 'contended'))
            answer = contend(many[:numbers[0]], numbers[1])
        print(*answer, flush=True)


main()
os._exit(0)  # kazoo's threads would wait for their sessions
