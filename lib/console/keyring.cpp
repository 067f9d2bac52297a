// SPDX-License-Identifier: MIT
#include "keyring.h"

#include <qt6keychain/keychain.h>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

const auto kService = u"Lockscope"_s;

/// Deletes itself when it is done.
template<typename Job>
Job *makeJob(const QString &name, QObject *context, Keyring::Done done)
{
    auto *job = new Job(kService);
    job->setInsecureFallback(false); // else it would write clear text where there is no keyring
    job->setKey(name);
    QObject::connect(job, &QKeychain::Job::finished, context, [job, done = std::move(done)] {
        Keyring::Answer answer;
        if (job->error() != QKeychain::NoError && job->error() != QKeychain::EntryNotFound)
            answer.error = job->errorString();
        if constexpr (std::is_same_v<Job, QKeychain::ReadPasswordJob>) {
            if (job->error() == QKeychain::NoError)
                answer.password = job->textData();
        }
        done(answer);
    });
    return job;
}

} // namespace

QString Keyring::nameOf(const ServerUrl &url)
{
    if (!url.socket.isEmpty())
        return url.user + u'@' + url.socket;
    return u"%1@%2:%3"_s.arg(url.user, url.host, QString::number(url.port));
}

void Keyring::read(const QString &name, QObject *context, Done done)
{
    makeJob<QKeychain::ReadPasswordJob>(name, context, std::move(done))->start();
}

void Keyring::store(const QString &name, const QString &password, QObject *context, Done done)
{
    auto *job = makeJob<QKeychain::WritePasswordJob>(name, context, std::move(done));
    job->setTextData(password);
    job->start();
}

void Keyring::forget(const QString &name, QObject *context, Done done)
{
    makeJob<QKeychain::DeletePasswordJob>(name, context, std::move(done))->start();
}

} // namespace lockscope
