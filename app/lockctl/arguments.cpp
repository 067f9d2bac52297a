// SPDX-License-Identifier: MIT
#include "arguments.h"

#include "console/durationtext.h"

#include <QtCore/QStringDecoder>

#include <charconv>

namespace lockscope::ctl {

namespace {

constexpr auto kDurationHint = "a whole number with ms, s, m or h (400ms, 30s, 5m, 2h)";

CLI::Option *addParsed(CLI::App &app, const std::string &name, Duration &duration, const std::string &help,
                       std::optional<Duration> (*parse)(std::string_view), const std::string &expected)
{
    auto *option = app.add_option_function<std::string>(
        name,
        [&duration, parse, name, expected](const std::string &text) {
            const auto parsed = parse(text);
            if (!parsed)
                throw CLI::ValidationError(name, "\"" + text + "\" is not " + expected);
            duration = *parsed;
        },
        help);
    return option->type_name("DURATION");
}

} // namespace

std::string checkResource(const std::string &resource)
{
    if (resource.empty())
        return "a resource has at least one byte";
    if (resource.size() > MaxResourceBytes)
        return "a resource has at most " + std::to_string(MaxResourceBytes) + " bytes, this one has "
            + std::to_string(resource.size());
    if (!isUtf8(resource)) // behind the -- of a command
        return "it is not UTF-8";
    return {};
}

bool isUtf8(const std::string &text)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder.decode(QByteArrayView(text));
    return !decoder.hasError();
}

CLI::Option *addResource(CLI::App &app, std::string &resource)
{
    const CLI::Validator check([](std::string &text) { return checkResource(text); }, std::string(),
                               std::string("resource"));
    return app.add_option("RESOURCE", resource, "The name that is locked: 1-255 bytes, compared byte for byte")
        ->required()
        ->type_name("")
        ->check(check);
}

CLI::Option *addDuration(CLI::App &app, const std::string &name, Duration &duration, const std::string &help)
{
    return addParsed(app, name, duration, help, parseDuration, kDurationHint);
}

CLI::Option *addDurationOrForever(CLI::App &app, const std::string &name, Duration &duration, const std::string &help)
{
    return addParsed(app, name, duration, help, parseDurationOrForever, std::string(kDurationHint) + " or forever");
}

CLI::Validator given()
{
    return {[](const std::string &text) { return std::string(text.empty() ? "it is empty" : ""); }, std::string(),
            std::string("given")};
}

CLI::Validator decimal(quint64 least)
{
    const auto check = [least](const std::string &text) -> std::string {
        quint64 number = 0;
        const char *end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, number);
        const bool isPadded = text.size() > 1 && text.front() == '0';
        const bool isRight = error == std::errc() && rest == end && !isPadded && number >= least;
        return isRight ? "" : "\"" + text + "\" is not a whole number like 12";
    };
    return CLI::Validator([check](std::string &text) { return check(text); }, std::string(), std::string("decimal"));
}

CLI::Option *addServerName(CLI::App &app, std::string &name)
{
    return app
        .add_option(
            "--server", name,
            "Only if this is the server's name: db1, db1:3307 where the port is not 3306, or the path of its socket")
        ->type_name("NAME");
}

CLI::Option *addToken(CLI::App &app, quint64 &token)
{
    return app.add_option("--token", token, "The token of the lease to release, as `list` shows it")
        ->type_name("N")
        ->check(decimal());
}

CLI::Option *addReason(CLI::App &app, std::string &reason, const std::string &help)
{
    const auto check = [](const std::string &text) -> std::string {
        const QString words = QString::fromStdString(text);
        if (words.trimmed().isEmpty())
            return "a reason is needed; it is passed on, or kept with the event";
        if (words.size() > MaxReasonCharacters)
            return "the reason has at most " + std::to_string(MaxReasonCharacters) + " characters";
        return {};
    };
    return app.add_option("--reason", reason, help)
        ->required()
        ->type_name("TEXT")
        ->check(
            CLI::Validator([check](std::string &text) { return check(text); }, std::string(), std::string("reason")));
}

CLI::App *addCommand(CLI::App &app, const std::string &name, const std::string &purpose, const std::string &example)
{
    auto *command = app.add_subcommand(name, purpose);
    command->fallthrough();
    command->footer(
        "Options for every command (--url, --password-file, --defaults-file): see lockctl --help.\nExample:\n  "
        + example);
    return command;
}

} // namespace lockscope::ctl
