#include "options.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("lockscope::Options", text);
}

const QString kExamples =
    u"\n"
    "Examples:\n"
    "  lockscope                                     the window on a private server\n"
    "  lockscope --demo                              the same, with simulated services\n"
    "  lockscope --url mysql://ops@db1:3306/locks    another server, read-only; the password is\n"
    "                                                taken from LOCKSCOPE_PASSWORD\n"
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
        tr("Lockscope shows who holds locks on a MySQL or MariaDB server and who waits for them."));
    const QCommandLineOption help({u"h"_s, u"help"_s}, tr("Shows this help."));
    const QCommandLineOption version({u"v"_s, u"version"_s}, tr("Shows the version."));
    const QCommandLineOption url(u"url"_s, tr("Looks at this server: mysql://user@host:port/schema?socket=%2Fpath."),
                                 u"url"_s);
    const QCommandLineOption demo(u"demo"_s, tr("Starts simulated services on the private server."));
    const QCommandLineOption tour(
        u"tour"_s, tr("Renders every page from the live demo to pictures in <folder>, and ends."), u"folder"_s);
    const QCommandLineOption theme(u"theme"_s, tr("light, dark or system."), u"theme"_s, u"system"_s);
    const QCommandLineOption size(u"screenshot-size"_s, tr("Size of the tour's pictures."), u"WxH"_s, u"1280x800"_s);
    const QCommandLineOption folder(u"dir"_s, tr("Data folder of the private server."), u"folder"_s);
    QCommandLineOption service(u"demo-service"_s, {}, u"name"_s);
    service.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({help, version, url, demo, tour, theme, size, folder, service});
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
    options->isDemo = parser.isSet(demo) || parser.isSet(tour);
    options->tourFolder = parser.value(tour);
    options->folder = parser.value(folder);
    options->demoService = parser.value(service);
    const QString address = parser.isSet(url) ? parser.value(url) : qEnvironmentVariable("LOCKSCOPE_URL");
    if (!parser.positionalArguments().isEmpty())
        *text = tr("Not an option: %1. See lockscope --help.").arg(parser.positionalArguments().first());
    else if (!ui::parseTheme(parser.value(theme), &options->theme))
        *text = tr("--theme is light, dark or system.");
    else if (!readSize(parser.value(size), &options->size))
        *text = tr("--screenshot-size is width x height, for example 1280x800.");
    else if (parser.isSet(url) && options->isDemo)
        *text = tr("The demo runs on the private server only; leave out --url.");
    else if (!options->isDemo && !address.isEmpty())
        ServerUrl::parse(address, &options->url, text);
    return text->isEmpty() ? Start::Run : Start::Refuse;
}

} // namespace lockscope
