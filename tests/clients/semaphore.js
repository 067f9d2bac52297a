// SPDX-License-Identifier: MIT
// redis-semaphore's mutex. README.md tells what a client has to do.
const Redis = require('ioredis');
const { Mutex } = require('redis-semaphore');
const readline = require('readline');

const client = new Redis(process.env.CLIENT_SOCKET);
const has = (answer) => (answer ? 'yes' : 'no');
let isTold = () => {};
const told = new Promise((resolve) => { isTold = resolve; });

async function main() {
  const options = { lockTimeout: 60000, refreshInterval: 500 };
  const holder = new Mutex(client, 'orders', { ...options, onLockLost: () => isTold(true) });
  const other = new Mutex(client, 'orders', { ...options, refreshInterval: 0, acquireAttemptsLimit: 1 });
  await holder.acquire();
  if (await other.tryAcquire()) throw new Error('two hold it');
  console.log('held');
  const lines = readline.createInterface({ input: process.stdin });
  await new Promise((resolve) => lines.once('line', resolve));
  console.log('another takes it:', has(await other.tryAcquire()));
  console.log('the holder is told:', has(await told));
  console.log('the other has it:', has((await client.get('mutex:orders')) === other.identifier));
  console.log('done');
  process.exit(0);
}

main().catch((error) => { console.log(error); process.exit(1); });
