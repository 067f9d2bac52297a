#include "theme.h"

#include <QtGui/QFontDatabase>
#include <QtWidgets/QApplication>
#include <QtWidgets/QStyleFactory>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

struct Colors
{
    QRgb window, base, alternate, text, button, highlight, highlightedText, disabled, link, tip;
};

constexpr Colors kLight{0xfff4f5f6, 0xffffffff, 0xfff8f9fa, 0xff1b1e20, 0xffeceef0,
                        0xffcfe4f5, 0xff0e1c28, 0xff6b6f73, 0xff00588a, 0xffffffff};
constexpr Colors kDark{0xff2a2d31, 0xff1b1d20, 0xff202326, 0xffe8eaec, 0xff363a40,
                       0xff21425f, 0xffffffff, 0xff9aa0a6, 0xff7cc4f0, 0xff363a40};

QPalette makePalette(const Colors &colors)
{
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.base);
    palette.setColor(QPalette::AlternateBase, colors.alternate);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::Button, colors.button);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.text);
    palette.setColor(QPalette::Highlight, colors.highlight);
    palette.setColor(QPalette::HighlightedText, colors.highlightedText);
    palette.setColor(QPalette::Link, colors.link);
    palette.setColor(QPalette::LinkVisited, colors.link);
    palette.setColor(QPalette::ToolTipBase, colors.tip);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.disabled);
    const QColor button(colors.button);
    palette.setColor(QPalette::Light, button.lighter(125));
    palette.setColor(QPalette::Midlight, button.lighter(110));
    palette.setColor(QPalette::Mid, button.darker(130));
    palette.setColor(QPalette::Dark, button.darker(160));
    palette.setColor(QPalette::Shadow, Qt::black);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, colors.disabled);
    return palette;
}

QColor mixed(const QColor &a, const QColor &b, float partOfB)
{
    const auto mix = [partOfB](float from, float to) { return from + (to - from) * partOfB; };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

} // namespace

bool parseTheme(const QString &name, Theme *theme)
{
    if (name == "system"_L1)
        *theme = Theme::System;
    else if (name == "light"_L1)
        *theme = Theme::Light;
    else if (name == "dark"_L1)
        *theme = Theme::Dark;
    else
        return false;
    return true;
}

void applyTheme(Theme theme)
{
    if (theme == Theme::System)
        return;
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s)); // other styles may ignore a palette
    QApplication::setPalette(makePalette(theme == Theme::Dark ? kDark : kLight));
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Text).lightness() > palette.color(QPalette::Base).lightness();
}

QFont captionFont()
{
    return QApplication::font();
}

QFont headingFont()
{
    QFont font = QApplication::font();
    font.setBold(true);
    return font;
}

QFont headlineFont()
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * 1.4);
    return font;
}

QFont fixedFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

QColor mutedText(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.32F);
}

QColor lineColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.84F);
}

} // namespace lockscope::ui
