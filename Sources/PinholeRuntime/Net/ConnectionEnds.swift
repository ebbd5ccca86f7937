/// Both ends of a TCP connection, as its client sees them.
struct ConnectionEnds: Hashable, Sendable {
    let local: SocketAddress
    let remote: SocketAddress
}
