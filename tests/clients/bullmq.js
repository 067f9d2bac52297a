// SPDX-License-Identifier: MIT
// A job of BullMQ, whose lock is not released. README.md tells what a client has to do.
const { Queue, Worker } = require('bullmq');
const readline = require('readline');

const connection = { path: process.env.CLIENT_SOCKET, maxRetriesPerRequest: null };
let isOver = () => {};
const over = new Promise((resolve) => { isOver = resolve; });
let runs = 0;

async function main() {
  const queue = new Queue('mail', { connection });
  const worker = new Worker('mail', async () => {
    ++runs;
    console.log('held');
    await over;
  }, { connection });
  const completed = new Promise((resolve) => worker.once('completed', resolve));
  await queue.add('letter', {});
  const lines = readline.createInterface({ input: process.stdin });
  await new Promise((resolve) => lines.once('line', resolve));
  isOver();
  await completed;
  console.log('the job ran:', runs === 1 ? 'once' : 'again');
  console.log('done');
  process.exit(0);
}

main().catch((error) => { console.log(error); process.exit(1); });
