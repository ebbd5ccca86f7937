/// The help of `pinhole top`: each key and what it does.
enum TopHelp {
    private static let keys: [(title: String, rows: [(keys: String, text: String)])] = [
        (
            "List",
            [
                ("↑ ↓  j k", "select the next exchange, or the one before"),
                ("PgUp PgDn  Space", "a screen up or down"),
                ("Home End  g G", "the first exchange, or the last, and follow new traffic"),
                ("F", "follow new traffic, or stay here"),
                ("Enter", "show the exchange in full"),
                ("/", "filter the list (“pinhole flows filter” explains filters)"),
                ("Esc", "show everything again"),
                ("o", "choose the order; the same order again reverses it"),
                ("q", "quit"),
            ]
        ),
        (
            "Exchange",
            [
                ("Tab  1 2 3 4 5", "overview, request, response, TLS, messages"),
                ("↑ ↓ PgUp PgDn", "scroll"),
                ("J K", "the next exchange, or the one before"),
                ("/ n N", "search on the page; the next match, or the one before"),
                ("H", "the body as hexadecimal digits, or laid out"),
                ("+", "read more of a long body"),
                ("w", "write the body to a file"),
                ("q  Esc", "back to the list"),
            ]
        ),
        (
            "List and exchange",
            [
                ("m", "mark it, or remove the mark"),
                ("c", "write a comment"),
                ("r", "send the request again"),
                ("y Y", "copy it as a curl command: to the clipboard, or to a file"),
                ("x", "end an exchange that goes on"),
            ]
        ),
        (
            "Everywhere",
            [
                ("b", "held messages: Enter shows, a lets go on, e edits, d drops"),
                ("p", "pause the recording, or record again"),
                ("^R ^L", "read everything again; paint the screen again"),
                ("^Z ^C", "suspend; quit"),
            ]
        ),
    ]

    /// The help as lines.
    static var lines: [StyledLine] {
        keys.flatMap { title, rows in
            [StyledLine(title, .bold)]
                + rows.map { keys, text in
                    var line = StyledLine("  ")
                    line.add(keys.padded(to: 20), .of(.cyan))
                    line.add(text)
                    return line
                } + [StyledLine()]
        }
    }
}
