import Glibc
import PinholeModel
import PinholeProxy

/// The client's end of a tunnel: a socket, or an HTTP/2 stream on another driver's socket.
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

    /// Whether there may be data to read.
    var isReadable: Bool {
        if let stream { return stream.isReadable }
        switch socket {
        case .some(let line): return line.isReadable
        case .none: return false
        }
    }

    /// The place of the client's connection; `nil` for a stream.
    var place: Place? {
        switch socket {
        case .some(let line): line.socket.place
        case .none: nil
        }
    }

    /// Whether a client that had closed its sending half has closed the other half, too, and reads nothing any more.
    ///
    /// A half-closed connection and one whose client is gone look alike until data is sent. Then a reset
    /// shows that the client is gone.
    var isGone: Bool {
        switch socket {
        case .some(let line): line.hasEnded && line.socket.takeError() != 0
        case .none: false
        }
    }

    /// Notes the events of epoll.
    mutating func note(_ readiness: Readiness) { socket?.note(readiness) }

    /// Reads available data, up to `limit` bytes, and appends it to `inbox`.
    mutating func read(
        into inbox: inout ByteQueue,
        limit: Int,
        on loop: isolated EventLoop
    ) -> Socket.ReadResult {
        guard let stream else { return socket?.read(into: &inbox, limit: limit) ?? .wouldBlock }
        return stream.read(into: &inbox, limit: limit, on: loop)
    }

    /// The kind of the connection's end for an error number.
    static func end(after code: Int32) -> CloseKind {
        code == ECANCELED ? .cancelled : .reset(String(cString: strerror(code)))
    }

    /// Writes as much as possible.
    ///
    /// After the last byte it closes the writing half, if that was requested.
    mutating func flush(_ outbox: inout ByteQueue, on loop: isolated EventLoop) throws(SystemFailure) {
        guard let stream else {
            try socket?.flush(&outbox)
            return
        }
        try stream.flush(&outbox, on: loop)
    }

    /// Closes the writing half as soon as the outbox is empty.
    mutating func closeWhenWritten() {
        socket?.closesWhenWritten = true
        stream?.closesWhenWritten = true
    }

    /// Makes the close a reset.
    ///
    /// An unfinished stream is reset in any case.
    mutating func resetOnClose() { socket?.socket.resetOnClose() }

    /// Tells the client of a stream that its CONNECT succeeded.
    func accept(on loop: isolated EventLoop) { stream?.accept(on: loop) }

    /// Tells the client of a stream why its tunnel was refused.
    func refuse(_ answer: Answer, on loop: isolated EventLoop) { stream?.refuse(answer, on: loop) }

    /// Closes the line.
    mutating func close(on loop: isolated EventLoop) {
        stream?.close(on: loop)
        guard let line = socket.take() else { return }
        loop.unregister(line.token, descriptor: line.socket.descriptor)
    }
}
