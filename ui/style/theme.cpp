// SPDX-License-Identifier: MIT
#include "theme.h"

#include <QtGui/QFontDatabase>
#include <QtWidgets/QApplication>
#include <QtWidgets/QProxyStyle>
#include <QtWidgets/QStyleFactory>
#include <QtWidgets/QStyleOption>

#include <cmath>
#include <cstdlib>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

struct Colors
{
    QRgb window, base, alternate, text, button, highlight, highlightedText, disabled, connection, tip;
};

constexpr Colors kLight{0xfff4f5f6, 0xffffffff, 0xfff8f9fa, 0xff1b1e20, 0xffeceef0,
                        0xffcfe4f5, 0xff0e1c28, 0xff63676b, 0xff00588a, 0xffffffff};
constexpr Colors kDark{0xff2a2d31, 0xff1b1d20, 0xff202326, 0xffe8eaec, 0xff363a40,
                       0xff21425f, 0xffffffff, 0xffa3a9af, 0xff7cc4f0, 0xff363a40};

constexpr Colors kBlackOnWhite{0xffffffff, 0xffffffff, 0xfff2f2f2, 0xff000000, 0xffe6e6e6,
                               0xffffe680, 0xff000000, 0xff505050, 0xff00398a, 0xffffffff};
constexpr Colors kWhiteOnBlack{0xff000000, 0xff000000, 0xff141414, 0xffffffff, 0xff2a2a2a,
                               0xff004a8f, 0xffffffff, 0xffb8b8b8, 0xff9fd8ff, 0xff202020};

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
    palette.setColor(QPalette::Link, colors.connection);
    palette.setColor(QPalette::LinkVisited, colors.connection);
    palette.setColor(QPalette::ToolTipBase, colors.tip);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.disabled);
    const QColor button(colors.button);
    palette.setColor(QPalette::Light, button.lighter(125));
    palette.setColor(QPalette::Midlight, button.lighter(110));
    palette.setColor(QPalette::Mid, button.darker(130));
    palette.setColor(QPalette::Dark, button.darker(160));
    palette.setColor(QPalette::Shadow, Qt::black);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colors.disabled);
    return palette;
}

QColor mixed(const QColor &a, const QColor &b, float partOfB)
{
    const auto mix = [partOfB](float from, float to) { return from + (to - from) * partOfB; };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

/// Fusion draws the outline of what can be ticked or written in darker than the window, which in the dark is not seen.
class OutlinedFusion : public QProxyStyle
{
public:
    OutlinedFusion()
        : QProxyStyle(QStyleFactory::create(u"Fusion"_s))
    {
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override
    {
        const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        const bool isField = frame && (element == PE_FrameLineEdit || element == PE_PanelLineEdit);
        const bool isBox = button && (element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton);
        if (isField && isDark(option->palette)) {
            const auto field = outlined(*frame);
            QProxyStyle::drawPrimitive(element, &field, painter, widget);
        } else if (isBox && isDark(option->palette)) {
            const auto box = outlined(*button);
            QProxyStyle::drawPrimitive(element, &box, painter, widget);
        } else {
            QProxyStyle::drawPrimitive(element, option, painter, widget);
        }
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override
    {
        const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        if (!spin || !isDark(option->palette)) {
            QProxyStyle::drawComplexControl(control, option, painter, widget);
            return;
        }
        const auto field = outlined(*spin);
        QProxyStyle::drawComplexControl(control, &field, painter, widget);
    }

private:
    /// The outline is made from the window's colour.
    template<typename Option>
    static Option outlined(Option option)
    {
        option.palette.setColor(QPalette::Window, option.palette.color(QPalette::PlaceholderText));
        return option;
    }
};

/// Whether text and background are as far apart as can be.
bool isHighContrast(const QPalette &palette)
{
    const int window = palette.color(QPalette::Window).lightness();
    const int text = palette.color(QPalette::WindowText).lightness();
    return std::abs(window - text) == 255;
}

} // namespace

bool parseTheme(const QString &name, Theme *theme)
{
    for (const Theme known : {Theme::System, Theme::Light, Theme::Dark}) {
        if (name != themeName(known))
            continue;
        *theme = known;
        return true;
    }
    return false;
}

QString themeName(Theme theme)
{
    return theme == Theme::Light ? u"light"_s : theme == Theme::Dark ? u"dark"_s : u"system"_s;
}

void applyTheme(Theme theme, bool isHighContrast)
{
    static const QString desktopStyle = QApplication::style()->name();
    static const bool isDesktopDark = isDark(QApplication::palette());
    if (theme == Theme::System && !isHighContrast) {
        QApplication::setStyle(QStyleFactory::create(desktopStyle));
        QApplication::setPalette(QPalette()); // the desktop's again
        return;
    }
    const bool wantsDark = theme == Theme::Dark || (theme == Theme::System && isDesktopDark);
    QApplication::setStyle(new OutlinedFusion); // other styles may ignore a palette
    QApplication::setPalette(
        makePalette(isHighContrast ? (wantsDark ? kWhiteOnBlack : kBlackOnWhite) : (wantsDark ? kDark : kLight)));
}

QPalette paperPalette()
{
    return makePalette(kLight);
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Text).lightness() > palette.color(QPalette::Base).lightness();
}

QFont usualFont()
{
    static const QFont usual = QApplication::font();
    return usual;
}

int forType(int pixels)
{
    return int(std::lround(pixels * QApplication::font().pointSizeF() / usualFont().pointSizeF()));
}

bool isLargeType()
{
    constexpr int usual = 100;
    return forType(usual) > usual * 3 / 2;
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
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window),
                 isHighContrast(palette) ? 0.1F : 0.32F);
}

QPalette listPalette(bool isStale)
{
    QPalette colors;
    if (isStale)
        colors.setColor(QPalette::Text, mutedText(QApplication::palette()));
    return colors;
}

QColor lineColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window),
                 isHighContrast(palette) ? 0.5F : 0.84F);
}

} // namespace lockscope::ui
