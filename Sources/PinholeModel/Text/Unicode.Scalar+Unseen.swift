extension Unicode.Scalar {
    /// Whether the scalar is invisible or changes the look of the text around it.
    ///
    /// These are control characters, ends of lines, direction marks, and scalars without width. A variation selector
    /// does not count, because it chooses between two pictures of the same character.
    package var isUnseen: Bool {
        if value < 0x80 { return value < 0x20 || value == 0x7f }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return properties.isDefaultIgnorableCodePoint && !(0xfe00...0xfe0f).contains(value)
        }
    }
}
