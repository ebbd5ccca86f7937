/// Takes bytes as they come, and hands out lines for people: of each the beginning, empty ones left out.
struct LogLines {
    private static let limit = 400
    private var begun: [UInt8] = []

    /// Takes bytes.
    ///
    /// - Parameter bytes: What came.
    /// - Returns: The lines that came to their end.
    mutating func take(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            guard byte == 0x0a else {
                if begun.count < Self.limit { begun.append(byte) }
                continue
            }
            if let line = end() { lines.append(line) }
        }
        return lines
    }

    /// Ends the last line.
    ///
    /// - Returns: What came of it; `nil` for nothing.
    mutating func end() -> String? {
        defer { begun = [] }
        let line = begun.last == 0x0d ? begun.dropLast() : begun[...]
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
