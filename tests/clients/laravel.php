<?php
// SPDX-License-Identifier: MIT
// Laravel's Cache::lock() on the database store. README.md tells what a client has to do.
require 'Illuminate/Database/autoload.php';
require 'Illuminate/Cache/autoload.php';

use Illuminate\Cache\DatabaseStore;
use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\Schema\Blueprint;

$manager = new Manager;
$manager->addConnection([
    'driver' => 'mysql', 'unix_socket' => getenv('CLIENT_SOCKET'), 'database' => getenv('CLIENT_SCHEMA'),
    'username' => getenv('CLIENT_USER'), 'password' => getenv('CLIENT_PASSWORD'), 'charset' => 'utf8mb4',
    'collation' => 'utf8mb4_unicode_ci',
]);
// As `php artisan cache:table` has it.
$manager->getConnection()->getSchemaBuilder()->create('cache_locks', function (Blueprint $table) {
    $table->string('key')->primary();
    $table->string('owner');
    $table->integer('expiration');
});
$store = new DatabaseStore($manager->getConnection(), 'cache', 'app_cache_');
$lock = $store->lock('invoices', 300);
if (!$lock->get())
    exit("busy\n");
echo "held\n";
fgets(STDIN);
$other = $store->lock('invoices', 300);
echo 'another takes it: ', $other->get() ? 'yes' : 'no', "\n";
echo 'the holder still has it: ', $lock->release() ? 'yes' : 'no', "\n";
echo 'the other has it: ', $other->release() ? 'yes' : 'no', "\n";
echo "done\n";
