/// The look of a character on a screen.
struct CellStyle: Equatable, Sendable {
    /// A colour or a weight of the terminal's palette; `nil` for its usual one.
    var colour: Style.Colour?
    var isBold = false
    /// Whether text and background are exchanged, as for a selected line.
    var isReversed = false

    /// The usual look.
    static let plain = CellStyle()
    /// The look of a heading.
    static let bold = CellStyle(isBold: true)
    /// The look of a remark.
    static let faint = CellStyle(colour: .faint)
    /// The look of a bar across the screen.
    static let bar = CellStyle(isReversed: true)

    /// The look in a colour.
    static func of(_ colour: Style.Colour) -> CellStyle { CellStyle(colour: colour) }

    /// The same look with text and background exchanged.
    var reversed: CellStyle {
        var style = self
        style.isReversed = true
        return style
    }
}
