// SPDX-License-Identifier: MIT
// node-redlock on one Redis. README.md tells what a client has to do.
const Redis = require('ioredis');
const Redlock = require('redlock');
const readline = require('readline');

const client = new Redis(process.env.CLIENT_SOCKET);
const locks = new Redlock([client], { retryCount: 0 });
const taken = (lock) => lock.then((value) => value, () => null);
const has = (answer) => (answer ? 'yes' : 'no');

// One value in 64 has the shape of redis-py's, for which it is taken then.
const isLikeOthers = (value) => /^.{12}1.{3}[89ab]/.test(value);

async function main() {
  let holder = await locks.lock('locks:account:322456', 60000);
  while (isLikeOthers(holder.value)) {
    await holder.unlock();
    holder = await locks.lock('locks:account:322456', 60000);
  }
  if (await taken(locks.lock('locks:account:322456', 60000))) throw new Error('two hold it');
  console.log('held');
  const lines = readline.createInterface({ input: process.stdin });
  await new Promise((resolve) => lines.once('line', resolve));
  const other = await taken(locks.lock('locks:account:322456', 60000));
  console.log('another takes it:', has(other));
  const isTold = await holder.unlock().then(() => false, () => true);
  console.log('the holder is told:', has(isTold));
  console.log('the other has it:', has((await client.get('locks:account:322456')) === other.value));
  console.log('done');
  process.exit(0);
}

main().catch((error) => { console.log(error); process.exit(1); });
