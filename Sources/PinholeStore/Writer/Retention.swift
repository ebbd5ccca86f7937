/// The limits on the age and size of a capture.
package struct Retention: Sendable, Equatable {
    /// The age at which records are removed; `nil` keeps all.
    package var maxAge: Duration?
    /// The size of the capture in bytes beyond which the oldest records are removed; `nil` for no limit.
    package var maxBytes: Int64?

    /// Creates limits; without any, all records are kept.
    package init(maxAge: Duration? = nil, maxBytes: Int64? = nil) {
        self.maxAge = maxAge
        self.maxBytes = maxBytes
    }
}
