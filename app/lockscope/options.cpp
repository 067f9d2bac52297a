// SPDX-License-Identifier: MIT
#include "options.h"

#include "console/consoleurl.h"
#include "sources/storeaddress.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>
#include <QtCore/QSettings>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

const QString kExamples =
    u"\n"
    "Examples:\n"
    "  lockscope                                     the window on a private server\n"
    "  lockscope --demo                              the same, with simulated services\n"
    "  lockscope --url mysql://ops@db1:3306/locks    another server, read-only; the password is\n"
    "                                                taken from LOCKSCOPE_PASSWORD\n"
    "  lockscope --url redis://cache1:6379/0         a Redis; zookeeper:// and etcd:// as well\n"
    "  lockscope --recording night.lockscope         what was recorded, moment by moment\n"
    "  lockscope --tour /tmp/tour                    every page as a picture, without a display\n"_s;

bool readSize(const QString &text, QSize *size)
{
    const QStringList parts = text.split(u'x');
    bool isWidth = false;
    bool isHeight = false;
    const QSize read(parts.value(0).toInt(&isWidth), parts.value(1).toInt(&isHeight));
    if (parts.size() != 2 || !isWidth || !isHeight || read.width() < 320 || read.height() < 240 || read.width() > 8192
        || read.height() > 8192)
        return false;
    *size = read;
    return true;
}

} // namespace

Start readOptions(const QStringList &arguments, Options *options, QString *text)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Lockscope shows who holds locks on a server and who waits for them: MySQL, MariaDB, Redis, ZooKeeper, etcd."_s);
    const QCommandLineOption help({u"h"_s, u"help"_s}, u"Shows this help."_s);
    const QCommandLineOption version({u"v"_s, u"version"_s}, u"Shows the version."_s);
    const QCommandLineOption url(u"url"_s,
                                 u"Looks at this server: mysql://user@host:port/schema?socket=%2Fpath, "
                                 "redis://…, zookeeper://… or etcd://…"_s,
                                 u"url"_s);
    const QCommandLineOption recording(u"recording"_s, u"Opens what `lockctl record` or a window has recorded."_s,
                                       u"file"_s);
    const QCommandLineOption demo(u"demo"_s, u"Starts simulated services on the private server."_s);
    const QCommandLineOption tour(
        u"tour"_s, u"Renders every page from the live demo to pictures in <folder>, and ends."_s, u"folder"_s);
    const QCommandLineOption theme(u"theme"_s, u"light, dark or system."_s, u"theme"_s);
    const QCommandLineOption language(u"language"_s, u"en or zh_CN; else as chosen in the window, or the desktop's."_s,
                                      u"language"_s);
    const QCommandLineOption presenter(u"presenter"_s, u"Type of twice the size, black and white: for a projector."_s);
    const QCommandLineOption size(u"screenshot-size"_s, u"Size of the tour's pictures."_s, u"WxH"_s, u"1280x800"_s);
    const QCommandLineOption folder(u"dir"_s, u"Data folder of the private server."_s, u"folder"_s);
    QCommandLineOption service(u"demo-service"_s, {}, u"name"_s);
    service.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({help, version, url, recording, demo, tour, theme, language, presenter, size, folder, service});
    if (!parser.parse(QStringList(QCoreApplication::applicationName()) + arguments)) {
        *text = parser.errorText();
        return Start::Refuse;
    }
    if (parser.isSet(help)) {
        *text = parser.helpText() + kExamples;
        return Start::ShowHelp;
    }
    if (parser.isSet(version)) {
        *text = u"lockscope "_s + QCoreApplication::applicationVersion();
        return Start::ShowVersion;
    }
    options->isPresenter = parser.isSet(presenter);
    if (parser.isSet(language))
        options->language = parser.value(language);
    options->isDemo = parser.isSet(demo) || parser.isSet(tour);
    options->tourFolder = parser.value(tour);
    options->folder = parser.value(folder);
    options->recording = parser.value(recording);
    options->demoService = parser.value(service);
    const QString address = parser.isSet(url) ? parser.value(url) : qEnvironmentVariable("LOCKSCOPE_URL");
    if (!parser.positionalArguments().isEmpty())
        *text = u"Not an option: %1. See lockscope --help."_s.arg(parser.positionalArguments().first());
    else if (parser.isSet(theme) && !ui::parseTheme(parser.value(theme), &options->theme.emplace()))
        *text = u"--theme is light, dark or system."_s;
    else if (parser.isSet(language) && !ui::languages().contains(parser.value(language)))
        *text = u"--language is one of: %1."_s.arg(ui::languages().join(u", "));
    else if (!readSize(parser.value(size), &options->size))
        *text = u"--screenshot-size is width x height, for example 1280x800."_s;
    else if (parser.isSet(url) && options->isDemo)
        *text = u"The demo runs on the private server only; leave out --url."_s;
    else if (!options->isDemo && isStore(address)) {
        options->store = address;
        *text = wrongStore(address);
    } else if (!options->isDemo && !address.isEmpty())
        parseConsoleUrl(address, &options->url, text);
    return text->isEmpty() ? Start::Run : Start::Refuse;
}

ui::Appearance Options::appearance() const
{
    const QSettings settings;
    ui::Appearance appearance = tourFolder.isEmpty() ? ui::loadAppearance(settings) : ui::Appearance();
    appearance.theme = theme.value_or(appearance.theme);
    appearance.language = language.value_or(appearance.language);
    appearance.isPresenter = isPresenter || appearance.isPresenter;
    return appearance;
}

} // namespace lockscope
