/// Both ends of a TCP connection, as the one who made it has them.
struct ConnectionEnds: Hashable, Sendable {
    let local: SocketAddress
    let remote: SocketAddress
}
