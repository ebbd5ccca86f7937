/// The grammar of a chunk-size line (RFC 9112 §7.1 and §7.1.1).
enum ChunkLine {
    /// The value of a hexadecimal digit.
    static func digit(_ byte: UInt8) -> Int64? {
        switch byte {
        case 0x30...0x39: Int64(byte - 0x30)
        case 0x41...0x46: Int64(byte - 0x37)
        case 0x61...0x66: Int64(byte - 0x57)
        default: nil
        }
    }

    /// Reads a line without its line end; returns `nil` if it is malformed.
    ///
    /// The size has one to sixteen digits, without a sign or `0x`, and fits into 63 bits. White space is accepted only
    /// where the grammar of extensions has BWS.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - kind: The kind of message. In answers, white space may follow the size, and an extension may be any text, as
    ///     clients read it.
    /// - Returns: The size, and whether it alone is the line, so that the line can be sent on.
    static func size(
        _ line: ArraySlice<UInt8>,
        in kind: HTTP1Failure.Kind
    ) -> (size: Int64, isPlain: Bool, isSloppy: Bool)? {
        var size: Int64 = 0
        var rest = line
        while let byte = rest.first, let digit = digit(byte) {
            guard line.count - rest.count < 16, size <= Int64.max >> 4 else { return nil }
            size = size << 4 | digit
            rest.removeFirst()
        }
        guard rest.count < line.count else { return nil }
        if rest.isEmpty { return (size, true, false) }
        if areExtensions(rest) { return (size, false, false) }
        skipBlanks(&rest)
        guard kind == .response, rest.isEmpty || rest.first == 0x3b else { return nil }
        return (size, false, true)
    }

    /// Whether `rest` is `*( BWS ";" BWS name [ BWS "=" BWS value ] )`.
    private static func areExtensions(_ rest: ArraySlice<UInt8>) -> Bool {
        var rest = rest
        while !rest.isEmpty {
            skipBlanks(&rest)
            guard rest.popFirst() == 0x3b else { return false }
            skipBlanks(&rest)
            guard skipToken(&rest) else { return false }
            var value = rest
            skipBlanks(&value)
            guard value.first == 0x3d else { continue }
            value.removeFirst()
            skipBlanks(&value)
            guard value.first == 0x22 ? skipQuoted(&value) : skipToken(&value) else { return false }
            rest = value
        }
        return true
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        while let byte = rest.first, Grammar.isBlank(byte) { rest.removeFirst() }
    }

    private static func skipToken(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let before = rest.count
        while let byte = rest.first, Grammar.isToken(byte) { rest.removeFirst() }
        return rest.count < before
    }

    /// Skips a quoted-string (RFC 9110 §5.6.4).
    ///
    /// The caller has already refused control characters.
    private static func skipQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
        rest.removeFirst()
        while let byte = rest.popFirst() {
            if byte == 0x22 { return true }
            if byte == 0x5c, rest.popFirst() == nil { return false }
        }
        return false
    }
}
