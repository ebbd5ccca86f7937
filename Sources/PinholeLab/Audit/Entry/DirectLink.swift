import Glibc
import PinholeModel
import PinholeRuntime

/// A connection of a client, joined to one of the proxy: bytes and ends pass as they are.
///
/// The CONNECT and its answer pass only between the link and the proxy; the client sees nothing of them. If a protocol
/// with STARTTLS precedes, the link speaks it with the client, and connects to the proxy when the client asks for TLS.
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
    /// The content type of a record with a handshake (RFC 8446 §5.1).
    private static let handshakeRecord: UInt8 = 22
    private static let readSize = 64 << 10
    /// The bytes that may wait for a slow end; beyond that, nothing more is read for it.
    private static let room = 256 << 10
    /// The most messages of a client before TLS; clients that come to TLS send a few.
    private static let mostMessages = 100

    let number: Int
    private weak var hub: DirectHub?
    private let target: DirectEntry.Target
    private var client: End?
    private var proxy: End?
    /// The client's bytes before TLS, as far as they are no whole message.
    private var spoken = ByteQueue()
    /// The number of the client's messages before TLS.
    private var messages = 0
    /// Whether the client sent something that TLS would protect.
    private var isUnprotected = false
    /// The proxy's answer to the CONNECT, as far as it came.
    private var answer = ByteQueue()
    /// Whether the answer was read and the tunnel is open.
    private var isOpen = false

    init(number: Int, hub: DirectHub, leadingTo target: DirectEntry.Target) {
        self.number = number
        self.hub = hub
        self.target = target
    }

    /// Greets the client, or connects to the proxy if nothing precedes TLS.
    func begin(_ socket: consuming Socket, on loop: isolated EventLoop) throws(SystemFailure) {
        let token = try loop.register(socket.descriptor, self, tag: Self.clientTag)
        let client = End(socket, token)
        self.client = client
        guard let startTLS = target.startTLS else { return try connect(on: loop) }
        // Other signals of the client replace this one, if any come.
        target.tell(.aborted(nil))
        client.outbox.append(startTLS.greeting)
    }

    /// Connects to the proxy and asks it.
    private func connect(on loop: isolated EventLoop) throws(SystemFailure) {
        do throws(SystemFailure) {
            let onward = try Socket.connecting(to: target.proxy)
            let token = try loop.register(onward.descriptor, self, tag: Self.proxyTag)
            let proxy = End(onward, token)
            proxy.outbox.append(
                "CONNECT \(target.authority) HTTP/1.1\r\nHost: \(target.authority)\r\n\r\n"
            )
            self.proxy = proxy
        } catch {
            end(isBroken: false, on: loop)
            throw error
        }
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        guard let client else { return }
        do throws(SystemFailure) {
            if proxy == nil, let startTLS = target.startTLS { try converse(with: client, startTLS, on: loop) }
            guard let proxy else { return }
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
        guard let proxy else { return }
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

    /// Answers the messages of the client until it asks for TLS, or the connection ends.
    private func converse(
        with client: End,
        _ startTLS: StartTLS,
        on loop: isolated EventLoop
    ) throws(SystemFailure) {
        try client.write()
        while proxy == nil, self.client != nil, client.outbox.count < Self.room {
            guard try !answer(client, startTLS, on: loop), proxy == nil else { continue }
            guard spoken.count <= StartTLS.longestMessage else { return end(isBroken: false, on: loop) }
            switch client.read(into: &spoken) {
            case .bytes: break
            case .wouldBlock: return
            case .end: return end(isBroken: false, on: loop)
            case .failed(let code): throw SystemFailure("the connection is broken", code)
            }
        }
    }

    /// - Returns: Whether a whole message was there.
    private func answer(
        _ client: End,
        _ startTLS: StartTLS,
        on loop: isolated EventLoop
    ) throws(SystemFailure) -> Bool {
        let bytes = spoken.slice()
        // A client that begins with a TLS record does without STARTTLS.
        guard bytes.first != Self.handshakeRecord else {
            try connect(on: loop)
            return false
        }
        guard let length = startTLS.messageLength(in: bytes) else { return false }
        let message = bytes.prefix(length)
        let answer = startTLS.answer(to: message)
        messages += 1
        if case .refuses = answer, !isUnprotected {
            isUnprotected = true
            target.tell(.unprotected(command: startTLS.command(of: message)))
        }
        spoken.consume(length)
        switch answer {
        case .goesOn(let text), .refuses(let text): client.outbox.append(text)
        case .startsTLS(let text):
            client.outbox.append(text)
            try connect(on: loop)
        case .closes(let text): client.outbox.append(text)
        }
        try client.write()
        let closes = if case .closes = answer { true } else { messages >= Self.mostMessages && proxy == nil }
        if closes { end(isBroken: false, on: loop) }
        return true
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
        spoken.move(spoken.count, to: &proxy.outbox)
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
