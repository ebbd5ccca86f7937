import PinholeModel
import PinholeRuntime
import PinholeWire

/// A connection through a relay; it lives on the relay's loop.
final class RelayPipe: ReadinessHandler, DialerOwner {
    /// The first byte of a ClientHello (RFC 8446 §5.1).
    private static let handshakeRecord: UInt8 = 22

    private let tampering: Tampering
    private let journal: LabJournal
    /// The ports of the server if a proxy comes before it; empty without a proxy.
    private let ports: [UInt16]
    private let client: RelayEnd
    /// The number of the connection.
    let number: Int
    private var server: RelayEnd?
    private var dialer: Dialer?
    private var hasGreeted = false
    /// Whether the client's first request to the proxy was read.
    private var hasAsked = false
    /// Whether the client asks a proxy for a tunnel.
    private var isAsking = false
    /// The record that is still to be inserted into the bytes of the server; `nil` if there is none.
    private var probe: TLSProbe?
    /// Whether everything was closed.
    private(set) var isOver = false

    init(
        taking socket: consuming Socket,
        _ tampering: Tampering,
        _ journal: LabJournal,
        ports: [UInt16],
        number: Int
    ) {
        client = RelayEnd(taking: socket)
        self.number = number
        probe = tampering == .injectsProbes ? TLSProbe.allCases[number % TLSProbe.allCases.count] : nil
        self.tampering = tampering
        self.journal = journal
        self.ports = ports
    }

    func begin(to server: SocketAddress, on loop: isolated EventLoop) {
        client.begin(self, on: loop)
        let authority = Authority(host: .address(server.address), port: server.port)
        let dialer = Dialer(authority, limits: Limits(), now: loop.now, owner: self)
        self.dialer = dialer
        dialer.begin(.success([server.address]), on: loop)
    }

    func mayConnect(to address: SocketAddress) -> Bool { true }

    func dialed(_ end: Dialer.End, on loop: isolated EventLoop) {
        dialer = nil
        guard case .connected(let descriptor, _, _) = end else { return close(on: loop) }
        let server = RelayEnd(taking: Socket(taking: descriptor))
        server.begin(self, on: loop)
        self.server = server
        pump(on: loop)
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        pump(on: loop)
    }

    func close(on loop: isolated EventLoop) {
        isOver = true
        dialer?.cancel(on: loop)
        client.close(on: loop)
        server?.close(on: loop)
    }

    private func pump(on loop: isolated EventLoop) {
        // Until the server is connected, the client's bytes wait in its socket.
        guard let server, !isOver else { return }
        client.read()
        server.read()
        if !hasGreeted { ask(server) }
        if !hasGreeted, !isAsking { greet(on: loop) }
        guard hasGreeted || isAsking, !isOver else { return }
        guard hasGreeted else { return closeIfDone(server, on: loop) }
        if tampering == .injectsProbes { inject(into: server) }
        // The server's bytes wait until the end of their first record is known.
        if probe == nil || server.hasEnded { client.write(from: server, pieces: tampering.pieceSize) }
        server.write(from: client)
        closeIfDone(server, on: loop)
    }

    private func closeIfDone(_ server: RelayEnd, on loop: isolated EventLoop) {
        if client.isBroken || server.isBroken || client.isDone && server.isDone { close(on: loop) }
    }

    /// Inserts the probe after the first record of the server.
    private func inject(into server: RelayEnd) {
        if client.inbox.slice(1).first == TLSProbe.heartbeatType { journal.note(TLSProbe.answered) }
        let sent = server.inbox.prefix()
        guard let probe, let length = TLSProbe.length(ofRecordIn: sent) else { return }
        self.probe = nil
        server.inbox = ByteQueue(sent.prefix(length) + probe.record + sent.dropFirst(length))
    }

    /// Lets a CONNECT and its answer pass first if the next hop is a proxy, since the tunnel has to be open.
    private func ask(_ proxy: RelayEnd) {
        let bytes = client.inbox.slice()
        guard !ports.isEmpty, !bytes.isEmpty || hasAsked else { return }
        if !hasAsked {
            hasAsked = true
            let line = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
            // Connections of the client to other servers are left alone.
            hasGreeted = !ports.contains { line.contains(":\($0)") }
            isAsking = line.hasPrefix("CONNECT ")
        }
        guard !hasGreeted, isAsking, bytes.first != Self.handshakeRecord else {
            isAsking = false
            return
        }
        proxy.write(from: client)
        client.write(from: proxy)
    }

    /// Tampers with the ClientHello once it is there.
    private func greet(on loop: isolated EventLoop) {
        switch ClientHello.peek(client.inbox.slice()) {
        case .needsMore:
            if client.hasEnded { close(on: loop) }
            return
        case .notTLS, .malformed:
            journal.note("something else than TLS")
            if tampering == .dropsHandshake() { return close(on: loop) }
        case .clientHello(let hello):
            let newest = hello.versions.max() ?? 0x0303
            journal.note("\(LabJournal.hello)\(String(newest, radix: 16))")
            switch tampering {
            case .hidesExtension(let type):
                client.inbox = ByteQueue(Tampering.hiding(type, in: client.inbox.prefix()))
            case .dropsHandshake(let name) where name == nil || name == hello.serverName:
                return close(on: loop)
            case .dropsHandshake, .injectsProbes, .fragments: break
            }
        }
        hasGreeted = true
    }
}

/// An end of a pipe: its socket, and the bytes that were read from it.
private final class RelayEnd {
    /// The bytes that were read and have not been handed on.
    var inbox = ByteQueue()
    /// Whether no more bytes come from this end.
    private(set) var hasEnded = false
    /// Whether no more bytes are sent to this end.
    private(set) var isDone = false
    /// Whether the connection broke.
    private(set) var isBroken = false
    private var socket: Socket?
    private var token: EventLoop.Token?

    private static let readSize = 64 << 10

    init(taking socket: consuming Socket) {
        socket.setNoDelay()
        self.socket = consume socket
    }

    func begin(_ pipe: RelayPipe, on loop: isolated EventLoop) {
        guard let descriptor = socket?.descriptor else { return }
        token = try? loop.register(descriptor, pipe, tag: 0)
        isBroken = token == nil
    }

    /// Reads the bytes that are there.
    func read() {
        while !hasEnded, !isBroken {
            switch socket?.read(into: &inbox, limit: Self.readSize) {
            case .bytes: continue
            case .end: hasEnded = true
            case .failed, nil: isBroken = true
            case .wouldBlock: return
            }
        }
    }

    /// Hands on the bytes that came from the other end, and then its end.
    ///
    /// - Parameters:
    ///   - other: The other end.
    ///   - size: The largest size of a piece; `nil` for any.
    func write(from other: RelayEnd, pieces size: Int? = nil) {
        guard !isDone else { return }
        do throws(SystemFailure) {
            while !other.inbox.isEmpty {
                var piece = ByteQueue(other.inbox.prefix(size ?? other.inbox.count))
                let count = piece.count
                try socket?.write(from: &piece)
                other.inbox.consume(count - piece.count)
                // The loop reports when there is room for the rest.
                guard piece.isEmpty else { return }
            }
        } catch {
            isBroken = true
        }
        guard other.hasEnded else { return }
        isDone = true
        socket?.shutdownWriting()
    }

    func close(on loop: isolated EventLoop) {
        guard let socket = socket.take(), let token = token.take() else { return }
        loop.unregister(token, descriptor: socket.descriptor)
    }
}
