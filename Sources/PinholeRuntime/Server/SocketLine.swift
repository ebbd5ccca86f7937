import PinholeModel

/// The socket of one side, and the events of epoll since the socket was last emptied.
struct SocketLine: ~Copyable {
    let socket: Socket
    let token: EventLoop.Token
    var isReadable = false
    var hasEnded = false
    /// Whether the writing half is closed as soon as the outbox is empty.
    var closesWhenWritten = false
    private var isHalfClosed = false

    init(socket: consuming Socket, token: EventLoop.Token) {
        self.socket = socket
        self.token = token
    }

    /// Notes the events of epoll.
    mutating func note(_ readiness: Readiness) {
        if readiness.contains(.readable) { isReadable = true }
        if readiness.contains(.ended) { hasEnded = true }
    }

    /// Reads available data, up to `limit` bytes, and appends it to `inbox`.
    mutating func read(into inbox: inout ByteQueue, limit: Int) -> Socket.ReadResult {
        let result = socket.read(into: &inbox, limit: limit)
        if case .bytes(let count) = result {
            // A short read has emptied the socket; the next bytes cause a new edge.
            if count < limit, !hasEnded { isReadable = false }
        } else {
            isReadable = false
        }
        return result
    }

    /// Writes as much as possible.
    ///
    /// After the last byte it closes the writing half, if that was requested.
    mutating func flush(_ outbox: inout ByteQueue) throws(SystemFailure) {
        try socket.write(from: &outbox)
        guard outbox.isEmpty, closesWhenWritten, !isHalfClosed else { return }
        isHalfClosed = true
        socket.shutdownWriting()
    }

    consuming func dismantle() -> SocketParts {
        SocketParts(socket: socket, token: token)
    }
}

/// A socket and its registration, for the next owner.
struct SocketParts: ~Copyable {
    let socket: Socket
    let token: EventLoop.Token
}
