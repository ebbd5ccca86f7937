import PinholeModel

/// A status or several: `404`, `4xx`, `400-499`.
struct StatusRange: Equatable {
    /// The first and the last.
    let range: ClosedRange<Int>

    /// Parses a range.
    init(_ text: String) throws(AddressFailure) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if text.count == 3, text.lowercased().hasSuffix("xx"), let hundreds = text.first?.wholeNumberValue {
            range = hundreds * 100...hundreds * 100 + 99
        } else if parts.count == 1, let status = parts[0], (100...999).contains(status) {
            range = status...status
        } else if parts.count == 2, let low = parts[0], let high = parts[1], 0 <= low, low <= high {
            range = low...high
        } else {
            throw AddressFailure(text, expected: "a status such as 404, 4xx or 400-499")
        }
    }
}
