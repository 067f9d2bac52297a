<?php
// SPDX-License-Identifier: MIT
// Symfony Lock on a database: takes a lock, says so, waits for a line, and goes on.
require 'Symfony/Component/Lock/autoload.php';

use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Lock;
use Symfony\Component\Lock\Store\PdoStore;

$store = new PdoStore(new PDO(getenv('CLIENT_PDO'), getenv('CLIENT_USER'), ''));
try {
    $store->createTable();
} catch (PDOException $exists) {
}
$lock = new Lock(new Key('invoices'), $store, 300, false);
if (!$lock->acquire())
    exit("busy\n");
echo "taken\n";
fgets(STDIN);
// Another process gets what was released, and whoever had it learns that it has lost it.
$other = new Lock(new Key('invoices'), $store, 300, false);
echo $other->acquire() ? "granted\n" : "busy\n";
echo $lock->isAcquired() ? "still\n" : "unharmed\n";
$other->release();
