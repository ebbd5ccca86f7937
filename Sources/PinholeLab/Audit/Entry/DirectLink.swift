import Glibc
import PinholeModel
import PinholeRuntime

/// A connection of a client, joined to one of the proxy: bytes and ends pass as they are.
///
/// The CONNECT and its answer pass only between the link and the proxy; the client sees nothing of them.
final class DirectLink: ReadinessHandler {
    /// An end of the link, with the bytes that wait to be sent to it.
    private final class End {
        private let socket: Socket
        private let token: EventLoop.Token
        var outbox = ByteQueue()
        var hasEnded = false
        var isToldTheEnd = false

        init(_ socket: consuming Socket, _ token: EventLoop.Token) {
            self.socket = socket
            self.token = token
        }

        func read(into queue: inout ByteQueue) -> Socket.ReadResult {
            socket.read(into: &queue, limit: DirectLink.readSize)
        }

        func write() throws(SystemFailure) { try socket.write(from: &outbox) }

        func tellTheEnd() {
            isToldTheEnd = true
            socket.shutdownWriting()
        }

        func close(isBroken: Bool, on loop: isolated EventLoop) {
            if isBroken { socket.resetOnClose() }
            loop.unregister(token, descriptor: socket.descriptor)
        }
    }

    private static let clientTag = 0
    private static let proxyTag = 1
    private static let readSize = 64 << 10
    /// The bytes that may wait for a slow end; beyond that, nothing more is read for it.
    private static let room = 256 << 10

    let number: Int
    private weak var hub: DirectHub?
    private let question: String
    private var client: End?
    private var proxy: End?
    /// The proxy's answer to the CONNECT, as far as it came.
    private var answer = ByteQueue()
    /// Whether the answer was read and the tunnel is open.
    private var isOpen = false

    init(number: Int, hub: DirectHub, asking authority: String) {
        self.number = number
        self.hub = hub
        question = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    /// Connects to the proxy and asks it.
    func begin(
        _ socket: consuming Socket,
        to address: SocketAddress,
        on loop: isolated EventLoop
    ) throws(SystemFailure) {
        let onward = try Socket.connecting(to: address)
        let onwardToken = try loop.register(onward.descriptor, self, tag: Self.proxyTag)
        let proxy = End(onward, onwardToken)
        proxy.outbox.append(question)
        self.proxy = proxy
        do throws(SystemFailure) {
            let token = try loop.register(socket.descriptor, self, tag: Self.clientTag)
            client = End(socket, token)
        } catch {
            end(isBroken: false, on: loop)
            throw error
        }
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        guard let client, let proxy else { return }
        do throws(SystemFailure) {
            var moved = true
            while moved {
                // The client's bytes wait until the tunnel is open.
                moved = isOpen ? try pass(from: proxy, to: client) : try readAnswer(of: proxy, for: client)
                if isOpen, try pass(from: client, to: proxy) { moved = true }
                try proxy.write()
                try client.write()
            }
        } catch {
            return end(isBroken: true, on: loop)
        }
        tell(the: proxy, endOf: client)
        tell(the: client, endOf: proxy)
        if client.isToldTheEnd, proxy.isToldTheEnd { end(isBroken: false, on: loop) }
    }

    /// Ends both connections.
    ///
    /// - Parameters:
    ///   - isBroken: Whether both ends are reset, because the link broke.
    ///   - loop: The loop.
    func end(isBroken: Bool, on loop: isolated EventLoop) {
        for end in [client.take(), proxy.take()].compactMap(\.self) {
            end.close(isBroken: isBroken, on: loop)
        }
        hub?.forget(self)
    }

    /// - Returns: Whether any bytes came.
    private func readAnswer(of proxy: End, for client: End) throws(SystemFailure) -> Bool {
        switch proxy.read(into: &answer) {
        case .wouldBlock: return false
        case .end: throw SystemFailure("the proxy closed the connection", ECONNRESET)
        case .failed(let code): throw SystemFailure("the proxy broke the connection", code)
        case .bytes: break
        }
        let bytes = answer.slice()
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return true }
        guard bytes.starts(with: "HTTP/1.1 200 ".utf8) else {
            throw SystemFailure("the proxy refused the tunnel", ECONNREFUSED)
        }
        answer.consume(end.upperBound - bytes.startIndex)
        answer.move(answer.count, to: &client.outbox)
        isOpen = true
        return true
    }

    /// - Returns: Whether any bytes came.
    private func pass(from source: End, to sink: End) throws(SystemFailure) -> Bool {
        guard !source.hasEnded, sink.outbox.count < Self.room else { return false }
        switch source.read(into: &sink.outbox) {
        case .bytes: return true
        case .wouldBlock: return false
        case .end:
            source.hasEnded = true
            return true
        case .failed(let code): throw SystemFailure("the connection is broken", code)
        }
    }

    private func tell(the end: End, endOf source: End) {
        guard source.hasEnded, end.outbox.isEmpty, !end.isToldTheEnd else { return }
        end.tellTheEnd()
    }
}
