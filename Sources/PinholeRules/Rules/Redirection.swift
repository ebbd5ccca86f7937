package import PinholeFilter

/// Where a `redirect` rule sends the client.
package struct Redirection: Sendable, Equatable {
    /// 301, 302, 303, 307 or 308.
    package var status: Int
    /// The location.
    package var location: String
    /// What makes the location of the URL instead; `nil` for a fixed one.
    package var substitution: Substitution?

    /// The longest location that is made.
    private static let limit = 16 << 10

    /// Creates a redirection.
    package init(status: Int = 302, location: String, substitution: Substitution? = nil) {
        self.status = status
        self.location = location
        self.substitution = substitution
    }

    /// The location for a request of `url`; `nil` where the expression does not match, or makes no location of it.
    func location(for url: String) -> String? {
        guard let substitution else { return location }
        return substitution.expanding(firstIn: Array(url.utf8), limit: Self.limit)
            .flatMap { LocationText.written($0) }
    }
}
