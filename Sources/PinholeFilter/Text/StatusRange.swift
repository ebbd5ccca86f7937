package import PinholeModel

/// A status or a range of them: `404`, `4xx`, `400-499`.
package struct StatusRange: Equatable {
    /// The range from the first to the last status.
    package let range: ClosedRange<Int64>

    /// Parses a range.
    ///
    /// - Throws: `AddressFailure` with the expected notation.
    package init(_ text: String) throws(AddressFailure) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            .map { Quantity.parse(String($0), .status) }
        if text.utf8.count == 3, text.lowercased().hasSuffix("xx"),
            let hundreds = Quantity.parse(String(text.prefix(1)), .status)
        {
            range = hundreds * 100...hundreds * 100 + 99
        } else if parts.count == 1, let status = parts[0], (100...999).contains(status) {
            range = status...status
        } else if parts.count == 2, let low = parts[0], let high = parts[1], low <= high {
            range = low...high
        } else {
            throw AddressFailure(text, expected: Quantity.expected(.status))
        }
    }
}
