# SPDX-License-Identifier: MIT
# A worker of delayed_job at its job. README.md tells what a client has to do.
require 'active_record'
require 'delayed_job'
require 'delayed_job_active_record'
require 'erb'
require 'rubygems'

ActiveRecord::Base.establish_connection(
  adapter: 'mysql2', socket: ENV['CLIENT_SOCKET'], database: ENV['CLIENT_SCHEMA'], username: ENV['CLIENT_USER'],
  password: ENV['CLIENT_PASSWORD'], encoding: 'utf8mb4'
)
ActiveRecord::Migration.verbose = false
folder = Gem::Specification.find_by_name('delayed_job_active_record').gem_dir
template = File.read("#{folder}/lib/generators/delayed_job/templates/migration.rb")
migration_version = '[6.1]'
eval(ERB.new(template).result(binding)) # what its generator writes into an application
CreateDelayedJobs.migrate(:up)
Delayed::Worker.logger = nil

# At work until the line comes, then looks what another worker gets meanwhile.
Invoice = Struct.new(:number) do
  def perform
    $runs += 1
    return if $runs > 1

    puts 'held'
    $stdin.gets
    puts "another takes it: #{worker('other').work_off.first == 1 ? 'yes' : 'no'}"
  end
end

def worker(name)
  Delayed::Worker.new(quiet: true).tap { |worker| worker.name = name }
end

$stdout.sync = true
$runs = 0
Delayed::Job.enqueue(Invoice.new(7))
done, failed = worker('host:a7 pid:12').work_off
puts "the holder: #{done} done, #{failed} failed"
puts "jobs left: #{Delayed::Job.count}"
puts 'done'
