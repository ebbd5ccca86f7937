/// Why the head of a stream is no message, beyond what the HTTP/2 engine refuses by itself.
///
/// It concerns one stream: the others go on.
package struct StreamHeadFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was expected and what came, in a sentence; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ detail: String) { self.detail = detail }

    /// The detail.
    package var description: String { detail }
}
