# SPDX-License-Identifier: MIT
# delayed_job: a worker runs a job, which says so and waits for a line; another worker gets it meanwhile.
require 'json'
require 'active_record'
require 'delayed_job_active_record'

$stdout.sync = true
given = JSON.parse(ENV['CLIENT_JSON'])
ActiveRecord::Base.establish_connection(adapter: 'mysql2', username: given['user'], database: given['database'],
                                        socket: given['socketPath'], host: given['host'], port: given['port'])
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do # as its generator writes the migration
  create_table :delayed_jobs do |table|
    table.integer :priority, default: 0, null: false
    table.integer :attempts, default: 0, null: false
    table.text :handler, null: false
    table.text :last_error
    table.datetime :run_at
    table.datetime :locked_at
    table.datetime :failed_at
    table.string :locked_by
    table.string :queue
    table.timestamps null: true
  end
end

class Waiting
  def perform
    puts 'taken'
    $stdin.gets
    other = Delayed::Worker.new
    other.name_prefix = 'other '
    puts Delayed::Job.reserve(other) ? 'granted' : 'busy'
  end
end

Delayed::Worker.logger = nil
Delayed::Job.enqueue(Waiting.new)
success, failure = Delayed::Worker.new(quiet: true).work_off(1)
puts success == 1 && failure.zero? && Delayed::Job.count.zero? ? 'unharmed' : 'harmed'
