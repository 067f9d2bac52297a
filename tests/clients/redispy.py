# SPDX-License-Identifier: MIT
# redis-py's lock. README.md tells what a client has to do.
import os
import sys

import redis


def has(answer):
    return 'yes' if answer else 'no'


client = redis.Redis(unix_socket_path=os.environ['CLIENT_SOCKET'])
holder = client.lock('orders-lock', timeout=60)
other = client.lock('orders-lock', timeout=60)
assert holder.acquire()
assert not other.acquire(blocking=False)
print('held', flush=True)
sys.stdin.readline()
print('another takes it:', has(other.acquire(blocking=False)))
try:
    holder.release()
    print('the holder is told: no')
except redis.exceptions.LockNotOwnedError:
    print('the holder is told: yes')
print('the other has it:', has(other.owned()))
print('done')
