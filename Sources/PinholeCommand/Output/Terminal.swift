import Glibc

/// Facts about the terminal.
enum Terminal {
    /// The number of columns; `nil` where the descriptor is no terminal.
    static func width(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
