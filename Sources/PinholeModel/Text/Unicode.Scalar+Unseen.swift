extension Unicode.Scalar {
    /// Whether a reader cannot see the scalar, or it changes how the text around it looks: control characters,
    /// ends of lines, marks of direction, and what has no width.
    ///
    /// A variation selector does not count: it chooses between two pictures of the same character.
    package var isUnseen: Bool {
        if value < 0x80 { return value < 0x20 || value == 0x7f }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return properties.isDefaultIgnorableCodePoint && !(0xfe00...0xfe0f).contains(value)
        }
    }
}
