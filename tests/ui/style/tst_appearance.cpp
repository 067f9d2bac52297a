// SPDX-License-Identifier: MIT
// Languages, themes and the presenter's type: all can be chosen at run time, and every text of the window is
// translated.
#include "strict.h"
#include "ui/pages/lab/labtext.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/style/statemark.h"
#include "ui/style/tint.h"
#include "ui/window/mainwindow.h"
#include "ui/window/windowactions.h"

#include <QtCore/QDir>
#include <QtCore/QProcess>
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>

#include <algorithm>
#include <cmath>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestAppearance : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void serversThatAreSeenTogetherHaveDifferentColours();
    void init() { failOnWarnings(); }
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyAppearance({Theme::Light, u"en"_s, false}); }

    void everyTextIsTranslated_data();
    void everyTextIsTranslated();
    void placeholdersSurviveTranslation();
    void theLanguageIsSwitchedAtRunTime();
    void numbersAgreeWithTheirNouns();
    void presenterModeDoublesTheTypeAndItsRoom();
    void presenterModeIsBlackAndWhite_data();
    void presenterModeIsBlackAndWhite();
    void wordsStandOutFromTheirBackground_data();
    void wordsStandOutFromTheirBackground();
    void whatIsChosenIsKept();
    void damagedSettingsMeanTheUsual();
    void theMenuAsksForAnotherWindow();
};

void TestAppearance::everyTextIsTranslated_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("Chinese") << u"zh_CN"_s << QStringList();
    QTest::newRow("English plurals") << u"en"_s << QStringList{u"-pluralonly"_s};
}

void TestAppearance::everyTextIsTranslated()
{
    QFETCH(QString, language);
    QFETCH(QStringList, options);
    const QTemporaryDir folder;
    const QString name = u"lockscope_%1.ts"_s.arg(language);
    const QString copy = folder.filePath(name);
    QVERIFY(QFile::copy(QStringLiteral(LOCKSCOPE_TRANSLATIONS) + u'/' + name, copy));
    const auto read = [&copy] {
        QFile file(copy);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = read();
    QVERIFY(!before.contains("type=\"unfinished\""));
    QProcess lupdate;
    lupdate.setProcessChannelMode(QProcess::MergedChannels);
    lupdate.start(QStringLiteral(LOCKSCOPE_LUPDATE),
                  options
                      + QStringList{u"-silent"_s, u"-no-obsolete"_s, u"-locations"_s, u"none"_s,
                                    QStringLiteral(LOCKSCOPE_UI), u"-ts"_s, copy});
    QVERIFY(lupdate.waitForFinished(120'000));
    QVERIFY2(lupdate.exitCode() == 0, lupdate.readAll().constData());
    QVERIFY2(!read().contains("type=\"unfinished\""), "a text is new: run the target `words`, and translate it");
    QVERIFY2(read().count("<message") == before.count("<message"), "a text is gone: run the target `words`");
}

/// A lost %1 would leave a sentence without its subject.
void TestAppearance::placeholdersSurviveTranslation()
{
    QFile file(QStringLiteral(LOCKSCOPE_TRANSLATIONS "/lockscope_zh_CN.ts"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString all = QString::fromUtf8(file.readAll());
    static const QRegularExpression message(u"<source>(.*?)</source>.*?<translation>(.*?)</translation>"_s,
                                            QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression placeholder(u"%L?[0-9n]"_s);
    const auto placeholders = [](const QString &text) {
        QStringList found;
        for (const auto &match : placeholder.globalMatch(text))
            found += match.captured();
        found.sort();
        return found;
    };
    int count = 0;
    for (const auto &match : message.globalMatch(all)) {
        ++count;
        QVERIFY2(placeholders(match.captured(1)) == placeholders(match.captured(2)), qPrintable(match.captured(1)));
    }
    QVERIFY(count > 500);
}

void TestAppearance::theLanguageIsSwitchedAtRunTime()
{
    applyAppearance({Theme::Light, u"zh_CN"_s, false});
    ServerConnection connection;
    {
        const MainWindow window(&connection);
        QVERIFY(window.menuBar()->actions().first()->text().contains(u"服务器"_s));
        QVERIFY(LabText::way(LabWay::Pessimistic).contains(u"悲观"_s));
    }
    applyAppearance({Theme::Light, u"en"_s, false});
    const MainWindow window(&connection);
    QCOMPARE(window.menuBar()->actions().first()->text(), u"&Server"_s);
    QCOMPARE(LabText::way(LabWay::Pessimistic), u"Pessimistic"_s);
}

void TestAppearance::numbersAgreeWithTheirNouns()
{
    applyAppearance({Theme::Light, u"en"_s, false});
    const auto text = [](int count) {
        return QCoreApplication::translate("lockscope::ui::LaneText", "Its write overwrote %n change(s) by others.",
                                           nullptr, count);
    };
    QCOMPARE(text(1), u"Its write overwrote 1 change by others."_s);
    QCOMPARE(text(2), u"Its write overwrote 2 changes by others."_s);
}

void TestAppearance::presenterModeDoublesTheTypeAndItsRoom()
{
    applyAppearance({Theme::Light, u"en"_s, false});
    const qreal usual = QApplication::font().pointSizeF();
    QCOMPARE(forType(100), 100);
    applyAppearance({Theme::Light, u"en"_s, true});
    QCOMPARE(QApplication::font().pointSizeF(), 2 * usual);
    QCOMPARE(forType(100), 200);
    QVERIFY(headlineFont().pointSizeF() > 2 * usual);
}

void TestAppearance::presenterModeIsBlackAndWhite_data()
{
    QTest::addColumn<Theme>("theme");
    QTest::addColumn<QColor>("window");
    QTest::newRow("light") << Theme::Light << QColor(Qt::white);
    QTest::newRow("dark") << Theme::Dark << QColor(Qt::black);
}

void TestAppearance::presenterModeIsBlackAndWhite()
{
    QFETCH(Theme, theme);
    QFETCH(QColor, window);
    applyAppearance({theme, u"en"_s, true});
    QCOMPARE(QApplication::palette().color(QPalette::Window), window);
    QCOMPARE(isDark(QApplication::palette()), theme == Theme::Dark);
}

void TestAppearance::wordsStandOutFromTheirBackground_data()
{
    QTest::addColumn<Theme>("theme");
    QTest::addColumn<bool>("isPresenter");
    QTest::newRow("light") << Theme::Light << false;
    QTest::newRow("dark") << Theme::Dark << false;
    QTest::newRow("black on white") << Theme::Light << true;
    QTest::newRow("white on black") << Theme::Dark << true;
}

/// As WCAG counts it, 4.5:1 for every pair of colours in which there are words, marks that a word is written in among
/// them.
void TestAppearance::wordsStandOutFromTheirBackground()
{
    QFETCH(Theme, theme);
    QFETCH(bool, isPresenter);
    applyAppearance({theme, u"en"_s, isPresenter});
    const QPalette palette = QApplication::palette();
    const auto brightness = [](const QColor &color) {
        const auto linear = [](float channel) {
            const double part = double(channel);
            return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    };
    const auto check = [&](const QString &what, const QColor &word, QPalette::ColorRole background) {
        const QColor behind = palette.color(background);
        const auto [low, high] = std::minmax({brightness(word), brightness(behind)});
        const double contrast = (high + 0.05) / (low + 0.05);
        QVERIFY2(contrast >= 4.5, qPrintable(u"%1 %2 on %3: %4"_s.arg(what, word.name(), behind.name()).arg(contrast)));
    };
    for (const auto background : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button}) {
        check(u"text"_s, palette.color(QPalette::Text), background);
        check(u"what is disabled"_s, palette.color(QPalette::Disabled, QPalette::ButtonText), background);
        check(u"a placeholder"_s, palette.color(QPalette::PlaceholderText), background);
        check(u"a link"_s, palette.color(QPalette::Link), background);
        if (background == QPalette::Button)
            continue;
        check(u"what matters less"_s, mutedText(palette), background);
        for (int mark = 0; mark <= int(Mark::Idle); ++mark)
            check(u"mark %1"_s.arg(mark), markColor(Mark(mark), palette), background);
    }
    check(u"what is chosen"_s, palette.color(QPalette::HighlightedText), QPalette::Highlight);
    check(u"what is chosen and disabled"_s, palette.color(QPalette::Disabled, QPalette::HighlightedText),
          QPalette::Highlight);
    check(u"a tip"_s, palette.color(QPalette::ToolTipText), QPalette::ToolTipBase);
}

void TestAppearance::whatIsChosenIsKept()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    const Appearance wanted{Theme::Dark, u"zh_CN"_s, true, true};
    saveAppearance(settings, wanted);
    QCOMPARE(loadAppearance(settings), wanted);
}

void TestAppearance::damagedSettingsMeanTheUsual()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    settings.setValue(u"appearance/theme"_s, u"purple"_s);
    settings.setValue(u"appearance/language"_s, u"../../etc"_s);
    settings.setValue(u"appearance/presenter"_s, u"maybe"_s);
    const Appearance read = loadAppearance(settings);
    QCOMPARE(read.theme, Theme::System);
    QCOMPARE(read.language, QString());
}

void TestAppearance::theMenuAsksForAnotherWindow()
{
    ServerConnection connection;
    MainWindow window(&connection);
    window.setAppearance({Theme::Light, u"en"_s, false});
    QSignalSpy chosen(&window, &MainWindow::appearanceChosen);
    const auto *actions = window.findChild<WindowActions *>();
    actions->languages.last()->trigger();
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.last().first().value<Appearance>().language, u"zh_CN"_s);
    actions->presenter->trigger();
    QVERIFY(chosen.last().first().value<Appearance>().isPresenter);
    actions->themes.last()->trigger();
    QCOMPARE(chosen.last().first().value<Appearance>().theme, Theme::Dark);
    actions->utc->trigger();
    QVERIFY(chosen.last().first().value<Appearance>().isUtc);
    QVERIFY(!Appearance({Theme::Dark, {}, false, true}).needsOtherWindow({}));
}

void TestAppearance::serversThatAreSeenTogetherHaveDifferentColours()
{
    using List = QList<Tint>;
    QCOMPARE(Tints::distinct({}), List());
    QCOMPARE(Tints::distinct({Tint::None, Tint::Blue, Tint::None}), (List{Tint::Orange, Tint::Blue, Tint::Red}));
    QCOMPARE(Tints::distinct({Tint::Red, Tint::Red}), (List{Tint::Red, Tint::Red})); // as they were chosen
    const List many = Tints::distinct(List(7, Tint::None));
    QCOMPARE(many.mid(0, 5), Tints::all().mid(1));
    QCOMPARE(many.mid(5), (List{Tint::None, Tint::None}));
}

QTEST_MAIN(TestAppearance)
#include "tst_appearance.moc"
