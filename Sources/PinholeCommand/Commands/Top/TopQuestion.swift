import PinholeModel

/// A question whose answer the screen shows.
enum TopQuestion: Hashable, Sendable {
    /// The numbers of the list.
    case index(filter: String, sort: TopSort, isDescending: Bool)
    /// Rows of the list.
    case rows([Int64])
    /// An exchange or a flow in full, with its first messages.
    case record(Int64, messages: Int)
    /// The beginning of a body, without its content codings.
    case body(Int64, BodyOwner, limit: Int)
    /// The fault of a filter.
    case filter(String)
    /// The curl command of a request, for the clipboard or a file.
    case curl(Int64, file: String?)
    /// A whole body, for a file.
    case wholeBody(Int64, BodyOwner, file: String)
    /// A message that is held at a breakpoint.
    case held(Int64)

    /// The largest body that is read at one time.
    static let longestBody = 16 << 20
}
