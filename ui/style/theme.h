// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>
#include <QtGui/QFont>
#include <QtGui/QPalette>

namespace lockscope::ui {

enum class Theme { System, Light, Dark };

/// "system", "light", "dark"; false for anything else.
bool parseTheme(const QString &name, Theme *theme);
QString themeName(Theme theme);

/// Gives the application the theme's style and palette. System is what the desktop set; with `isHighContrast` black on
/// white, or white on black where the theme is dark.
void applyTheme(Theme theme, bool isHighContrast = false);

/// That of the light theme, whatever is set: for what is printed.
QPalette paperPalette();

/// Dark when text is lighter than its background; Qt 6.4 knows no colour scheme.
bool isDark(const QPalette &palette);

/// The three sizes of type: body is the application's font.
QFont captionFont();
QFont headingFont(); ///< body, bold
QFont headlineFont();
QFont fixedFont();

/// Text that matters less: between text and background, still ≥ 4.5:1.
QColor mutedText(const QPalette &palette);
/// Of a list: muted text while it shows how it was, not how it is.
QPalette listPalette(bool isStale);
/// Lines and frames.
QColor lineColor(const QPalette &palette);

/// The application's font as it was before anybody changed it.
QFont usualFont();
/// A length that suits the usual type, for the type that is set now: words need the same room in either.
int forType(int pixels);
/// As on a projector, where a picture needs the room more than what it is chosen by.
bool isLargeType();

/// Steps of space, in logical pixels.
inline constexpr int kSpaceInGroup = 4;
inline constexpr int kSpace = 8;
inline constexpr int kSpaceSection = 16;
/// Nothing is stretched past reading width.
inline constexpr int kInspectorMaxWidth = 480;
inline constexpr int kFormMaxWidth = 640;

} // namespace lockscope::ui
