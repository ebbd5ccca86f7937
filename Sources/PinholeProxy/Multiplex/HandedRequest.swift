package import PinholeWire

/// A request of HTTP/1 that was read before its messages are multiplexed; its body was not, if it has one.
package struct HandedRequest: Sendable, Equatable {
    /// Its head.
    package let head: RequestHead
    /// Whether it was sent to the server in vain, and is sent again.
    package let wasSent: Bool
}
