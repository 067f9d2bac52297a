# SPDX-License-Identifier: MIT
# OpenStack's tooz on MySQL. README.md tells what a client has to do.
import os
import sys
import urllib.parse

from tooz import coordination


def lock():
    url = 'mysql://{CLIENT_USER}:{CLIENT_PASSWORD}@localhost/{CLIENT_SCHEMA}'.format(**os.environ)
    coordinator = coordination.get_coordinator(f'{url}?unix_socket={os.environ["CLIENT_SOCKET"]}', b'a7')
    coordinator.start()
    return coordinator.get_lock(b'invoices')


def has(answer):
    return 'yes' if answer else 'no'


holder = lock()
other = lock()
assert holder.acquire()
assert not other.acquire(blocking=False)
print('held', flush=True)
sys.stdin.readline()
print('another takes it:', has(other.acquire()))
try:
    print('the holder is told:', has(not holder.release()))
except coordination.ToozError as error:
    print('the holder is told:', 'yes' if 'gone away' in str(error) else error)
print('the other has it:', has(other.release()))
print('done')
