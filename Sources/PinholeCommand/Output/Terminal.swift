import Glibc

/// Facts about the terminal.
enum Terminal {
    /// Returns the number of columns; `nil` if the descriptor is not a terminal.
    static func width(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Returns the number of columns in which a text is laid out; `nil` if the descriptor is not a terminal.
    ///
    /// A terminal that does not say its size has 80 columns, as for other programs.
    static func layoutWidth(_ descriptor: Int32) -> Int? {
        isatty(descriptor) == 1 ? width(descriptor) ?? 80 : nil
    }

    /// Whether a descriptor is a terminal that knows escape sequences; a dumb one shows them as text.
    static func hasEscapes(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    }
}
