/// Collects bytes and returns lines for the user, cut to a maximal length and without empty ones.
struct LogLines {
    private static let limit = 400
    private var begun: [UInt8] = []

    /// Adds bytes.
    ///
    /// - Parameter bytes: The received bytes.
    /// - Returns: The lines that are now complete.
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
    /// - Returns: The line; `nil` if it is empty.
    mutating func end() -> String? {
        defer { begun = [] }
        let line = begun.last == 0x0d ? begun.dropLast() : begun[...]
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
