<?php
// SPDX-License-Identifier: MIT
// Laravel's cache lock in a database: takes a lock, says so, waits for a line, and goes on.
require 'Illuminate/Database/autoload.php';
require 'Illuminate/Cache/autoload.php';

use Illuminate\Cache\DatabaseLock;
use Illuminate\Database\MySqlConnection;

$connection = new MySqlConnection(new PDO(getenv('CLIENT_PDO'), getenv('CLIENT_USER'), ''));
$connection->statement('CREATE TABLE IF NOT EXISTS cache_locks (`key` VARCHAR(255) NOT NULL PRIMARY KEY, '
    . '`owner` VARCHAR(255) NOT NULL, `expiration` INT NOT NULL)'); // as its stub of a migration does
$lock = new DatabaseLock($connection, 'cache_locks', 'app_cache_invoices', 300);
if (!$lock->acquire())
    exit("busy\n");
echo "taken\n";
fgets(STDIN);
$other = new DatabaseLock($connection, 'cache_locks', 'app_cache_invoices', 300);
echo $other->acquire() ? "granted\n" : "busy\n";
echo $lock->release() ? "still\n" : "unharmed\n";
$other->release();
