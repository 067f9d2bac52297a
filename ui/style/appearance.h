// SPDX-License-Identifier: MIT
#pragma once

#include "theme.h"

#include <QtCore/QStringList>

class QSettings;

namespace lockscope::ui {

/// How the window looks and which language it speaks. A plain value.
struct Appearance
{
    Theme theme = Theme::System;
    QString language;         ///< "en", "zh_CN"; empty: the desktop's
    bool isPresenter = false; ///< for a projector: type of twice the size, black and white
    bool isUtc = false;       ///< moments in UTC instead of this machine's zone

    bool operator==(const Appearance &) const = default;
    /// True when a window that looks like the other cannot follow: its words and sizes are set when it is made.
    bool needsOtherWindow(const Appearance &other) const
    {
        return language != other.language || isPresenter != other.isPresenter;
    }
};

Appearance loadAppearance(const QSettings &settings);
void saveAppearance(QSettings &settings, const Appearance &appearance);

/// The languages that the window speaks.
QStringList languages();
/// In its own words: "中文".
QString languageName(const QString &language);

/// Gives the application style, palette, type and language. Windows made before keep their words.
/// Thread: the GUI's.
void applyAppearance(const Appearance &appearance);

} // namespace lockscope::ui
