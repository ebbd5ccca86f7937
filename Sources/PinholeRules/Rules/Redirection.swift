package import PinholeFilter

/// The location to which a `redirect` rule sends the client.
package struct Redirection: Sendable, Equatable {
    /// The status: 301, 302, 303, 307 or 308.
    package var status: Int = 302
    /// The fixed location.
    package var location: String
    /// The substitution that makes the location from the URL; `nil` for the fixed one.
    package var substitution: Substitution?

    /// The longest location that is made.
    private static let limit = 16 << 10

    /// The location for a request to `url`; `nil` if the expression does not match or the result is no location.
    func location(for url: String) -> String? {
        guard let substitution else { return location }
        return substitution.expanding(firstIn: Array(url.utf8), limit: Self.limit)
            .flatMap { LocationText.written($0) }
    }
}
