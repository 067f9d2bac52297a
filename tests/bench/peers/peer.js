// SPDX-License-Identifier: MIT
// The locks of npm's redlock, redis-semaphore and etcd3: peer.js NAME ADDRESS. README.md tells what a peer answers.
'use strict';

const { performance } = require('perf_hooks');
const readline = require('readline');

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const titleOf = (name) => `${name} ${require(`${name}/package.json`).version}`;

const kinds = {
  redlock: (address, name) => {
    const Redis = require('ioredis');
    const Redlock = require('redlock');
    const locks = new Redlock([new Redis(address)], { retryCount: -1 });
    let held;
    return {
      take: async () => { held = await locks.lock(`redlock:${name}`, 60000); },
      give: () => held.unlock(),
    };
  },
  'redis-semaphore': (address, name) => {
    const Redis = require('ioredis');
    const { Mutex } = require('redis-semaphore');
    const mutex = new Mutex(new Redis(address), name, { acquireTimeout: 600000 });
    return { take: () => mutex.acquire(), give: () => mutex.release() };
  },
  etcd3: (address, name) => {
    const { Etcd3 } = require('etcd3');
    const client = new Etcd3({ hosts: `unix:${address}` });
    let held;
    return {
      take: async () => { held = await client.lock(name).ttl(60).acquire(); },
      give: () => held.release(),
    };
  },
};

async function pair(lock, count) {
  const start = performance.now();
  for (let i = 0; i < count; ++i) {
    await lock.take();
    await lock.give();
  }
  return (performance.now() - start) / count * 1e3;
}

async function handOver(holder, other, rest) {
  await holder.take();
  const taken = other.take().then(() => performance.now());
  await sleep(rest);
  const start = performance.now();
  await holder.give();
  const time = (await taken - start) * 1e3;
  await other.give();
  return time;
}

async function contend(locks, seconds) {
  const end = performance.now() + seconds * 1e3;
  const grants = await Promise.all(locks.map(async (lock) => {
    const mine = [];
    while (performance.now() < end) {
      await lock.take();
      mine.push(performance.now());
      await lock.give();
    }
    return mine.filter((moment) => moment <= end);
  }));
  const moments = grants.flat().sort((a, b) => a - b);
  const longest = moments.slice(1).reduce((gap, moment, i) => Math.max(gap, moment - moments[i]), 0);
  return [longest * 1e3, ...grants.map((mine) => mine.length)];
}

async function main() {
  const [name, address] = process.argv.slice(2);
  const make = (resource) => kinds[name](address, resource);
  const alone = make('pair');
  const two = [make('handover'), make('handover')];
  const many = [];
  console.log(titleOf(name));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [word, ...numbers] = line.split(' ');
    const [first, second] = numbers.map(Number);
    if (word === 'pair') {
      console.log(await pair(alone, first));
    } else if (word === 'handover') {
      console.log(await handOver(...two, first));
    } else {
      while (many.length < first) many.push(make('contended'));
      console.log((await contend(many.slice(0, first), second)).join(' '));
    }
  }
  process.exit(0);
}

main().catch((error) => { console.error(error); process.exit(1); });
