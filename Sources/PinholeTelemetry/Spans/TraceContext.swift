import PinholeModel

/// The place of a request in the trace of its client (W3C Trace Context, the field `traceparent`).
struct TraceContext: Sendable, Equatable {
    /// The number of the trace, 16 bytes.
    let trace: [UInt8]
    /// The number of the client's span, 8 bytes.
    let parent: [UInt8]

    /// Reads the field of a request; `nil` if there is none, several, or one that breaks the rules.
    init?(_ fields: HeaderFields) {
        let values = fields.all("traceparent")
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        // A later version may have more parts behind the four.
        guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            parts[3].count == 2, let trace = Self.number(parts[1], bytes: 16),
            let parent = Self.number(parts[2], bytes: 8), Self.number(parts[0], bytes: 1, isZero: true) != nil
        else { return nil }
        self.trace = trace
        self.parent = parent
    }

    /// Returns a number of lower-case digits that is not 0.
    private static func number(_ text: Substring, bytes count: Int, isZero: Bool = false) -> [UInt8]? {
        guard text.utf8.count == count * 2, !text.contains(where: \.isUppercase),
            let bytes = Hexadecimal.decode(text), isZero || bytes.contains(where: { $0 != 0 })
        else { return nil }
        return bytes
    }
}
