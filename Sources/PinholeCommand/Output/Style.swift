import Glibc
import PinholeModel

/// Colours on a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` forbids them.
///
/// Only names of the terminal's own palette are used, and neither black nor white: they are readable on a light
/// background and on a dark one.
struct Style: Sendable {
    /// A colour or a weight, by its code.
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

    /// The style without colours.
    static let plain = Style(isColourful: false)

    static func forDescriptor(_ descriptor: Int32) -> Style {
        let noColour = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        return Style(isColourful: !noColour && Terminal.hasEscapes(descriptor))
    }

    /// The sequence that clears a terminal, for output that replaces the output before; empty without escapes.
    var clearing: String { isColourful ? "\u{1b}[H\u{1b}[2J" : "" }

    /// Returns `text` in `colour`.
    func paint(_ text: String, _ colour: Colour) -> String {
        isColourful ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// Returns the parts of a painted text, each with its colour; `nil` for the usual one.
    static func parts(of text: some StringProtocol) -> [(text: Substring, colour: Colour?)] {
        let parts = Substring(text).split(separator: "\u{1b}[", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            guard index > 0, let end = part.firstIndex(of: "m") else { return (part, nil) }
            return (part[part.index(after: end)...], Colour(rawValue: String(part[..<end])))
        }
    }

    /// Returns the colour of an exchange: the colour of its status, or red for a failure that the status does not show.
    static func colour(of record: ExchangeRecord) -> Colour {
        let status = record.status ?? 0
        guard !record.isBroken, !record.isFailed || status >= 400 else { return .red }
        return record.status.map(colour(ofStatus:)) ?? .faint
    }

    /// Returns the colour of a flow.
    static func colour(of record: FlowRecord) -> Colour { record.isFailed ? .red : .blue }

    /// Returns the colour of an HTTP status.
    static func colour(ofStatus status: Int) -> Colour {
        switch status {
        case ..<300: .green
        case ..<400: .cyan
        case ..<500: .yellow
        default: .red
        }
    }
}
