# SPDX-License-Identifier: MIT
# kazoo's lock on ZooKeeper. README.md tells what a client has to do.
import os
import sys

from kazoo.client import KazooClient


def client():
    started = KazooClient(hosts=os.environ['CLIENT_HOST'])
    started.start()
    return started


def has(answer):
    return 'yes' if answer else 'no'


holder = client().Lock('/app/orders', 'host-a7')
other = client().Lock('/app/orders', 'host-b3')
assert holder.acquire()
assert not other.acquire(blocking=False)
print('held', flush=True)
sys.stdin.readline()
print('another takes it:', has(other.acquire(blocking=False)))
print('the holder is told:', has(not holder.is_acquired))
holder.release()
print('the other has it:', has(other.contenders() == ['host-b3']))
print('done', flush=True)
os._exit(0)  # its threads would wait for their sessions
