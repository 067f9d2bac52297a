// SPDX-License-Identifier: MIT
#include "appearance.h"

#include "displaytimezone.h"

#include <QtCore/QLibraryInfo>
#include <QtCore/QLocale>
#include <QtCore/QSettings>
#include <QtCore/QTranslator>
#include <QtWidgets/QApplication>

#include <memory>
#include <vector>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

const auto kThemeKey = u"appearance/theme"_s;
const auto kLanguageKey = u"appearance/language"_s;
const auto kPresenterKey = u"appearance/presenter"_s;
const auto kUtcKey = u"appearance/utc"_s;

constexpr int kPresenterType = 2; ///< times the usual size

/// The language for what was asked for: the nearest that there is.
QString spoken(const QString &wanted)
{
    const QLocale locale = wanted.isEmpty() ? QLocale::system() : QLocale(wanted);
    return locale.language() == QLocale::Chinese ? u"zh_CN"_s : u"en"_s;
}

void applyLanguage(const QString &wanted)
{
    static std::vector<std::unique_ptr<QTranslator>> installed;
    for (const auto &translator : installed)
        QCoreApplication::removeTranslator(translator.get());
    installed.clear();
    const QString language = spoken(wanted);
    QLocale::setDefault(wanted.isEmpty() ? QLocale::system() : QLocale(wanted));
    const auto install = [&language](const QString &file, const QString &folder) {
        auto translator = std::make_unique<QTranslator>();
        if (!translator->load(file + language, folder))
            return;
        QCoreApplication::installTranslator(translator.get());
        installed.push_back(std::move(translator));
    };
    install(u"qtbase_"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)); // the toolkit's own dialogs
    install(u"lockscope_"_s, u":/i18n"_s);
}

} // namespace

Appearance loadAppearance(const QSettings &settings)
{
    Appearance appearance;
    parseTheme(settings.value(kThemeKey).toString(), &appearance.theme);
    appearance.language = settings.value(kLanguageKey).toString();
    if (!languages().contains(appearance.language))
        appearance.language.clear();
    appearance.isPresenter = settings.value(kPresenterKey).toBool();
    appearance.isUtc = settings.value(kUtcKey).toBool();
    return appearance;
}

void saveAppearance(QSettings &settings, const Appearance &appearance)
{
    settings.setValue(kThemeKey, themeName(appearance.theme));
    settings.setValue(kLanguageKey, appearance.language);
    settings.setValue(kPresenterKey, appearance.isPresenter);
    settings.setValue(kUtcKey, appearance.isUtc);
}

QStringList languages()
{
    return {u"en"_s, u"zh_CN"_s};
}

QString languageName(const QString &language)
{
    return language == "zh_CN"_L1 ? u"中文"_s : u"English"_s;
}

void applyAppearance(const Appearance &appearance)
{
    QFont font = usualFont();
    if (appearance.isPresenter)
        font.setPointSizeF(font.pointSizeF() * kPresenterType);
    QApplication::setFont(font);
    applyTheme(appearance.theme, appearance.isPresenter);
    applyLanguage(appearance.language);
    DisplayTimeZone::instance()->setUtc(appearance.isUtc);
}

} // namespace lockscope::ui
