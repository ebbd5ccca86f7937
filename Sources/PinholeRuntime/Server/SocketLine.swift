import PinholeModel

/// The socket of one side, and what epoll said about it since it was last read dry.
struct SocketLine: ~Copyable {
    let socket: Socket
    let token: EventLoop.Token
    var isReadable = false
    var hasEnded = false
    /// Whether the writing half is to be closed when the outbox is empty.
    var closesWhenWritten = false
    private var isHalfClosed = false

    init(socket: consuming Socket, token: EventLoop.Token) {
        self.socket = socket
        self.token = token
    }

    /// Takes note of what epoll says.
    mutating func note(_ readiness: Readiness) {
        if readiness.contains(.readable) { isReadable = true }
        if readiness.contains(.ended) { hasEnded = true }
    }

    /// Reads what is there, up to `limit` bytes, to the back of `inbox`.
    mutating func read(into inbox: inout ByteQueue, limit: Int) -> Socket.ReadResult {
        let result = socket.read(into: &inbox, limit: limit)
        if case .bytes(let count) = result {
            // A short read has emptied the socket; the next bytes bring a new edge.
            if count < limit, !hasEnded { isReadable = false }
        } else {
            isReadable = false
        }
        return result
    }

    /// Writes what it can; closes the writing half behind it where that was asked for.
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

/// A socket and its registration, on the way from one owner to the next.
struct SocketParts: ~Copyable {
    let socket: Socket
    let token: EventLoop.Token
}
