import Glibc
import PinholeModel
import PinholeProxy

/// The client's end of a tunnel: a socket, or a stream of HTTP/2 on another driver's socket.
struct ClientLine: ~Copyable {
    private var socket: SocketLine?
    private let stream: StreamLine?

    init(_ socket: consuming SocketLine) {
        self.socket = consume socket
        stream = nil
    }

    init(_ stream: StreamLine) {
        socket = nil
        self.stream = stream
    }

    /// Whether something may be there to read.
    var isReadable: Bool {
        if let stream { return stream.isReadable }
        switch socket {
        case .some(let line): return line.isReadable
        case .none: return false
        }
    }

    /// Whether a client that had closed its half has closed the other one, too, so that it reads nothing any more.
    ///
    /// A half that is closed and a client that is gone look alike until something is sent: a reset answers that.
    var isGone: Bool {
        switch socket {
        case .some(let line): line.hasEnded && line.socket.takeError() != 0
        case .none: false
        }
    }

    /// Takes note of what epoll says.
    mutating func note(_ readiness: Readiness) { socket?.note(readiness) }

    /// Reads what is there, up to `limit` bytes, to the back of `inbox`.
    mutating func read(
        into inbox: inout ByteQueue,
        limit: Int,
        on loop: isolated EventLoop
    ) -> Socket.ReadResult {
        guard let stream else { return socket?.read(into: &inbox, limit: limit) ?? .wouldBlock }
        return stream.read(into: &inbox, limit: limit, on: loop)
    }

    /// How the client's end broke, by the error number that came of it.
    static func end(after code: Int32) -> CloseKind {
        code == ECANCELED ? .cancelled : .reset(String(cString: strerror(code)))
    }

    /// Writes what it can; closes the writing half behind it where that was asked for.
    mutating func flush(_ outbox: inout ByteQueue, on loop: isolated EventLoop) throws(SystemFailure) {
        guard let stream else {
            try socket?.flush(&outbox)
            return
        }
        try stream.flush(&outbox, on: loop)
    }

    /// Lets the writing half be closed when the outbox is empty.
    mutating func closeWhenWritten() {
        socket?.closesWhenWritten = true
        stream?.closesWhenWritten = true
    }

    /// Lets the close be a reset; a stream that was not finished is reset anyway.
    mutating func resetOnClose() { socket?.socket.resetOnClose() }

    /// Tells the client of a stream that its CONNECT succeeded.
    func accept(on loop: isolated EventLoop) { stream?.accept(on: loop) }

    /// Tells the client of a stream why it gets no tunnel.
    func refuse(_ answer: Answer, on loop: isolated EventLoop) { stream?.refuse(answer, on: loop) }

    /// Hands it to another driver.
    mutating func transfer(
        to driver: any ReadinessHandler & TurnHandler,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        stream?.reader = driver
        if let token = socket?.token { loop.transfer(token, to: driver, tag: tag) }
        // What came in the meantime may have brought its edge already.
        socket?.isReadable = true
        stream?.isReadable = true
    }

    /// Closes it.
    mutating func close(on loop: isolated EventLoop) {
        stream?.close(on: loop)
        guard let line = socket.take() else { return }
        loop.unregister(line.token, descriptor: line.socket.descriptor)
    }
}
