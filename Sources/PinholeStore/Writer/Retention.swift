/// How much of the past a capture keeps.
package struct Retention: Sendable, Equatable {
    /// What is older is removed; `nil` keeps everything.
    package var maxAge: Duration?
    /// When the capture has grown beyond this many bytes, the oldest is removed; `nil` lets it grow.
    package var maxBytes: Int64?

    /// Creates a retention; without limits it keeps everything.
    package init(maxAge: Duration? = nil, maxBytes: Int64? = nil) {
        self.maxAge = maxAge
        self.maxBytes = maxBytes
    }
}
