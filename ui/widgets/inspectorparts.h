// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QAction;
class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockscope::ui {

class ElidedLabel;
enum class Mark;

/// What inspectors are made of: plain, wrapped text that can be selected.
QLabel *makeLabel(QWidget *parent);
/// For facts, laid out in `parent`: their names, and beside them what is so.
QGridLayout *makeFacts(QWidget *parent);
/// One more of them, for showFact().
QLabel *addFact(QGridLayout *facts, const QString &name);
/// Sets what is so; an empty text hides the fact with its name.
void showFact(QLabel *value, const QString &text);
/// Lets a word that is wider than an inspector break: a label itself breaks at spaces only.
QString breakable(const QString &text);

/// The frame of an inspector: a name with a mark, below it a summary and sections that scroll, and buttons.
class Inspector : public QWidget
{
    Q_OBJECT
protected:
    /// `hint` is read while nothing is shown.
    Inspector(const QString &hint, QWidget *parent);

    /// These add a section; the facts in a widget of their own, which may be hidden.
    QGridLayout *addFacts();
    QLabel *addTitle();
    QLabel *addText();
    /// SQL to be read and copied.
    QPlainTextEdit *addSql(const QString &name);
    /// After all sections. Each button is and says what its action is.
    void addButtons(const QList<QAction *> &actions);
    void setShown(bool isShown);
    void setMark(Mark mark);
    /// Also when the palette has changed: a mark is a picture in the colours of its time.
    virtual void showMark() = 0;
    void changeEvent(QEvent *event) override;

    QLabel *m_mark;
    ElidedLabel *m_name;
    QWidget *m_body;
    QVBoxLayout *m_sections; ///< of the body
    QLabel *m_summary;
    QList<QPushButton *> m_buttons;

private:
    QLabel *m_hint;
    QScrollArea *m_scroll;
};

} // namespace lockscope::ui
