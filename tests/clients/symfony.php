<?php
// SPDX-License-Identifier: MIT
// Symfony Lock on a database. README.md tells what a client has to do.
require 'Symfony/Component/Lock/autoload.php';

use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\PdoStore;

$place = 'mysql:unix_socket=' . getenv('CLIENT_SOCKET') . ';dbname=' . getenv('CLIENT_SCHEMA');
$store = new PdoStore($place, ['db_username' => getenv('CLIENT_USER'), 'db_password' => getenv('CLIENT_PASSWORD')]);
$store->createTable();
$locks = new LockFactory($store);
$lock = $locks->createLock('invoices', 300);
if (!$lock->acquire())
    exit("busy\n");
echo "held\n";
fgets(STDIN);
$other = $locks->createLock('invoices', 300);
echo 'another takes it: ', $other->acquire() ? 'yes' : 'no', "\n";
try {
    $lock->refresh();
    echo "the holder still has it: yes\n";
} catch (LockConflictedException $lost) {
    echo "the holder still has it: no\n";
}
$lock->release(); // must not take the other's away
echo 'the other has it: ', $other->isAcquired() ? 'yes' : 'no', "\n";
$other->release();
echo "done\n";
