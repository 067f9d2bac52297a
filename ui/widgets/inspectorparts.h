// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

class QAction;
class QGridLayout;
class QIcon;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QWidget;

namespace lockscope::ui {

/// What inspectors are made of: plain, wrapped text that can be selected.
QLabel *makeLabel(QWidget *parent);
/// The same, as the title of what is below.
QLabel *makeTitle(QWidget *parent);
/// For facts: their names, and beside them what is so. Laid out in `parent` unless that is none.
QGridLayout *makeFacts(QWidget *parent = nullptr);
/// One more of them; what is so is to be set. Both belong to `parent`.
QLabel *addFact(QGridLayout *facts, const QString &name, QWidget *parent);
/// SQL to be read and copied, so many lines of it.
QPlainTextEdit *makeSqlBox(int lines, QWidget *parent);
/// The button is and says what the action is.
void showAsButton(QPushButton *button, QAction *action);
/// Up and down only, on the background of what is around it.
QScrollArea *makeScroll(QWidget *body, QWidget *parent);
/// As high as the label's type.
void setMark(QLabel *label, const QIcon &icon);
/// Lets a word that is wider than an inspector break: a label itself breaks at spaces only.
QString breakable(const QString &text);

} // namespace lockscope::ui
