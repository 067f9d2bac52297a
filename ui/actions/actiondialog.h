// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/serverprofile.h"

#include <QtCore/QElapsedTimer>
#include <QtWidgets/QDialog>

#include <optional>

class QFormLayout;
class QHBoxLayout;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace lockscope::ui {

class MessageBar;
class MutedLabel;
class ServerConnection;

/// What every dialog has that changes a server: what is so, exactly what would be sent, a reason, and a button that is
/// a verb. The reason has the focus; Return in a field presses nothing, it goes to the button; a production server is
/// named in red.
class ActionDialog : public QDialog
{
    Q_OBJECT
public:
    QLineEdit *reasonEdit() const { return m_reason; }
    /// Hidden where no name is asked for.
    QLineEdit *nameEdit() const { return m_name; }
    QPushButton *actButton() const { return m_act; }
    QPushButton *cancelButton() const { return m_cancel; }

protected:
    /// `connection` is not owned and must outlive the dialog. `lines` is the height of the statement.
    ActionDialog(ServerConnection *connection, int lines, const QString &statementHint, QWidget *parent);

    struct Line
    {
        QLabel *icon = nullptr;
        QLabel *text = nullptr;
    };
    /// A text with an icon beside them, below those before.
    Line addLine(const QIcon &icon = {});
    void setIcon(const Line &line, const QIcon &icon);
    /// As it is read. The default button is not between the fields, where a space meant for one would press it.
    void setTabOrderOf(const QList<QWidget *> &choices);
    /// The name of `server` is to be typed, below what the form has by now.
    void askForName(const ServerProfile &server);
    /// It is typed, or not asked for.
    bool isNamed() const;
    /// What asks for it.
    QString nameWish() const;
    /// A reason is given, and not too long a one.
    bool hasReason() const;
    void setHeadline(const QString &text, const QString &tip);
    /// Which one of the list is meant, where it is not the window's own.
    void setServer(int server);
    /// Something was sent and is not answered yet.
    virtual bool isInFlight() const = 0;
    void setStatement(const QByteArray &statement);
    /// What it comes to is shown, and everything that is sent once a person unfolds it. Nothing: it is not chosen yet.
    void setGuardedStatement(const QByteArray &command, const QByteArray &statement);
    /// After all that is shown. Over: nothing is left to be sent; what would be asked for goes, and the room for it.
    void setOver(bool isOver);
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    static QLabel *makeLabel(QWidget *parent);

    ServerConnection *m_connection;
    MessageBar *m_message;
    QVBoxLayout *m_words; ///< below the headline
    QFormLayout *m_form;
    QPlainTextEdit *m_statement;
    QToolButton *m_guard; ///< unfolds what is sent with the statement; hidden where that is all
    QPushButton *m_copy;
    QLineEdit *m_reason;
    QLineEdit *m_name;
    QPushButton *m_retarget; ///< takes what is there now as the target; hidden
    QPushButton *m_cancel;
    QPushButton *m_act;

private:
    bool isMouseOnButton() const;
    /// Not every platform marks the repeats of a key that is held down: each may be a release and a press at the same
    /// moment.
    bool isRepeat(const QKeyEvent &event) const;
    void noteRelease(const QKeyEvent &event);
    void focusEmptyField();
    void showProduction();
    /// Wrapped words need more height when a message joins them; the dialog grows up to the screen and never squeezes.
    void fitHeight();
    void setupWords();
    void setupForm();
    void setupButtons();
    void showStatement();

    const int m_lines;
    int m_server = 0;
    std::optional<ServerProfile> m_named; ///< whose name is to be typed
    QByteArray m_command;                 ///< empty: all is shown
    QByteArray m_sent;
    bool m_isReturnDown = false;
    QElapsedTimer m_sinceReturn; ///< was let go; not running: never
    quint64 m_returnLetGo = 0;   ///< as the window system counts; 0: it does not tell
    MutedLabel *m_hint;
    QScrollArea *m_scroll;
    QWidget *m_body;
    QWidget *m_fields;
    QHBoxLayout *m_buttons;
    QLabel *m_headline;
    QLabel *m_production;
};

} // namespace lockscope::ui
