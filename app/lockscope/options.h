// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/appearance.h"

#include "lockscope/serverurl.h"

#include <QtCore/QSize>
#include <QtCore/QStringList>

#include <optional>

namespace lockscope {

/// What the command line asks for.
struct Options
{
    std::optional<ui::Theme> theme;  ///< none: as it was chosen before
    std::optional<QString> language; ///< the same
    bool isPresenter = false;
    ServerUrl url;         ///< empty: the private server, or `store`
    QString store;         ///< the address of a Redis, a ZooKeeper or an etcd instead
    QString recording;     ///< a file instead of a server; empty: a server
    QString folder;        ///< of the private server's data; empty: the default one
    QString tourFolder;    ///< empty: no tour
    QString demoService;   ///< empty: not a demo service
    QSize size{1280, 800}; ///< of the tour's pictures
    bool isDemo = false;

    /// What was chosen before, except where the command line says otherwise.
    ui::Appearance appearance() const;
};

/// What main() does after reading the command line.
enum class Start { Run, ShowHelp, ShowVersion, Refuse };

/// Reads the arguments without the program's name. `*text` is the help, the version, or what is wrong.
Start readOptions(const QStringList &arguments, Options *options, QString *text);

} // namespace lockscope
