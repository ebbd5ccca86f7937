import Glibc

/// Colour, where it is wanted: on a terminal, and without `NO_COLOR` (no-color.org).
struct Style: Sendable {
    /// What a colour stands for.
    enum Colour: String, Sendable {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case cyan = "36"
        case faint = "2"
        case bold = "1"
    }

    /// Whether colours are written.
    let isColourful: Bool

    /// No colours.
    static let plain = Style(isColourful: false)

    /// The style for a descriptor.
    static func forDescriptor(_ descriptor: Int32) -> Style {
        let noColour = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? false
        return Style(isColourful: !noColour && !isDumb && isatty(descriptor) == 1)
    }

    /// `text` in `colour`.
    func paint(_ text: String, _ colour: Colour) -> String {
        isColourful ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// The colour of a status.
    static func colour(ofStatus status: Int) -> Colour {
        switch status {
        case ..<300: .green
        case ..<400: .cyan
        case ..<500: .yellow
        default: .red
        }
    }
}
