/// An order of a list of exchanges and flows.
package struct TrafficSort: Sendable, Equatable {
    /// What a list is sorted by, with the name that filters have for it, where they have one.
    package enum Key: String, Sendable, CaseIterable {
        /// The number in the list, which is the order of arrival.
        case id
        /// The number of the flow.
        case flow
        /// When it began.
        case time
        /// The method.
        case method
        /// The status of the response.
        case status
        /// HTTP/1, HTTP/2, then WebSockets.
        case `protocol`
        /// `http` or `https`.
        case scheme
        /// The host that was asked for.
        case host
        /// The port that was asked for.
        case port
        /// The path with the query.
        case path
        /// The URL; of a flow the host and port that were asked for.
        case url
        /// The media type of the response, without parameters.
        case type
        /// The length of both bodies, as they were sent; of a flow all bytes.
        case size
        /// The length of the request's body, as it was sent; of a flow the client's bytes.
        case requestSize = "request.size"
        /// The length of the response's body, as it was sent; of a flow the server's bytes.
        case responseSize = "response.size"
        /// From the beginning to the end.
        case duration
        /// From the first byte of the request to the first of the response.
        case firstByte = "firstbyte"
        /// Time in the queue.
        case blocked
        /// Name resolution.
        case resolve
        /// Until the TCP connection stood.
        case connect
        /// The TLS handshake with the server.
        case tlsTime = "tls.time"
        /// How it ended.
        case outcome
        /// The client's address and port.
        case client
        /// The name of the program that made the connection.
        case process
        /// The user who logged in to the proxy.
        case proxyUser = "proxy.user"
        /// What somebody said of it.
        case comment
        /// Whether somebody marked it; what is not marked has none.
        case marked
    }

    /// What it is sorted by.
    package var key: Key
    /// Whether the greatest comes first.
    package var isDescending: Bool

    /// Sorts by a key.
    ///
    /// Where two are equal their numbers decide, in the same direction; what has none comes last, in both.
    ///
    /// - Parameters:
    ///   - key: What it is sorted by.
    ///   - isDescending: Whether the greatest comes first.
    package init(_ key: Key, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }
}

extension TrafficSort.Key {
    /// Whether heads have to be read for it, which takes longer than the columns of a table.
    package var asksForHeads: Bool { self == .type || self == .protocol }
}
