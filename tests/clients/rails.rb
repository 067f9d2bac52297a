# SPDX-License-Identifier: MIT
# Rails' migrations, at one of them. README.md tells what a client has to do.
require 'active_record'

ActiveRecord::Base.establish_connection(
  adapter: 'mysql2', socket: ENV['CLIENT_SOCKET'], database: ENV['CLIENT_SCHEMA'], username: ENV['CLIENT_USER'],
  password: ENV['CLIENT_PASSWORD'], encoding: 'utf8mb4'
)
ActiveRecord::Migration.verbose = false
$stdout.sync = true
is_other = ARGV.first == 'other'

# At work until the line comes, then looks what other migrations get meanwhile.
at_work = Class.new(ActiveRecord::Migration[6.1]) do
  define_method(:up) do
    next if is_other

    puts 'held'
    $stdin.gets
    puts "another takes it: #{system('ruby', __FILE__, 'other', out: File::NULL) ? 'yes' : 'no'}"
  end
end

# Where Rails notes what it did: a class until 6.1, and two tables of the connection from 7.2 on.
notes = if ActiveRecord::VERSION::MAJOR < 7
          [ActiveRecord::SchemaMigration]
        else
          pool = ActiveRecord::Base.connection_pool
          [pool.schema_migration, pool.internal_metadata]
        end

begin
  ActiveRecord::Migrator.new(:up, [at_work.new('Invoices', 1)], *notes).migrate
rescue StandardError => e
  abort e.message if is_other
  # From 7.2 on it tells first that it could not give its lock back.
  is_told = [e, e.cause].compact.any? { |error| error.message.include?('gone away') }
  puts "the holder is told: #{is_told ? 'yes' : e.inspect}"
end
puts 'done'
