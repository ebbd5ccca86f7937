/// The reason why a stream's head is no message, if the HTTP/2 engine has accepted it.
///
/// The failure concerns one stream; the other streams continue.
package struct StreamHeadFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// A sentence with what was expected and what came; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ detail: String) { self.detail = detail }

    /// The detail.
    package var description: String { detail }
}
