import PinholeCrypto
import PinholeModel
import PinholeTestKit

/// Two engines wired by memory.
final class TLSPair {
    let client: TLSEngine
    let server: TLSEngine
    /// The bytes that have arrived at the server, and those that have arrived at the client.
    var toServer = ByteQueue()
    var toClient = ByteQueue()
    /// The bytes that the client has sent and that have not arrived, and those that the server has sent.
    var clientWire = ByteQueue()
    var serverWire = ByteQueue()
    /// Where the records begin that have arrived, and where the next one will, in each direction.
    private var clientRecords = RecordPlaces()
    private var serverRecords = RecordPlaces()
    private(set) var clientStep = TLSEngine.HandshakeStep.wantsInput
    private(set) var serverStep = TLSEngine.HandshakeStep.wantsInput

    init(client: TLSEngine, server: TLSEngine) {
        self.client = client
        self.server = server
    }

    /// Carries both handshakes as far as they go.
    ///
    /// - Parameters:
    ///   - chunk: The number of bytes that arrive at one time.
    ///   - serverLimit: The number of bytes that arrive at the server at most.
    ///   - clientLimit: The number of bytes that arrive at the client at most.
    ///   - step: The work after every step.
    func shake(
        chunk: Int = 4096,
        toServer serverLimit: Int = .max,
        toClient clientLimit: Int = .max,
        after step: () -> Void = {}
    ) {
        var serverRoom = serverLimit
        var clientRoom = clientLimit
        for _ in 0..<20_000 {
            if clientStep == .wantsInput { clientStep = client.handshake(&toClient, &clientWire) }
            if serverStep == .wantsInput { serverStep = server.handshake(&toServer, &serverWire) }
            step()
            let toServer = min(chunk, clientWire.count, serverRoom)
            let toClient = min(chunk, serverWire.count, clientRoom)
            serverRecords.note(clientWire.prefix(toServer))
            clientRecords.note(serverWire.prefix(toClient))
            clientWire.move(toServer, to: &self.toServer)
            serverWire.move(toClient, to: &self.toClient)
            serverRoom -= toServer
            clientRoom -= toClient
            if toServer == 0, toClient == 0 { return }
        }
    }

    /// The number of bytes after which the record ends that is arriving at `receiver`; `nil` before its head has arrived.
    func nextBoundary(of receiver: HandshakeWalk.Receiver) -> Int? {
        receiver == .client ? clientRecords.next : serverRecords.next
    }

    /// Continues the client's handshake alone.
    func stepClient() {
        if clientStep == .wantsInput { clientStep = client.handshake(&toClient, &clientWire) }
    }

    /// Continues the server's handshake alone.
    func stepServer() {
        if serverStep == .wantsInput { serverStep = server.handshake(&toServer, &serverWire) }
    }

    /// What the server reads of `bytes` that the client sends.
    func send(_ bytes: [UInt8]) throws -> [UInt8] {
        var plain = ByteQueue(bytes)
        try client.encrypt(&plain, count: plain.count, into: &toServer)
        return readByServer().bytes
    }

    func readByServer() -> (bytes: [UInt8], step: TLSEngine.ReadStep) {
        var plain = ByteQueue()
        let step = server.decrypt(&toServer, into: &plain, limit: 1 << 20, output: &toClient)
        return (plain.prefix(), step)
    }

    func readByClient() -> (bytes: [UInt8], step: TLSEngine.ReadStep) {
        var plain = ByteQueue()
        let step = client.decrypt(&toClient, into: &plain, limit: 1 << 20, output: &toServer)
        return (plain.prefix(), step)
    }

    var clientFailure: TLSFailure? { if case .failed(let failure) = clientStep { failure } else { nil } }
    var serverFailure: TLSFailure? { if case .failed(let failure) = serverStep { failure } else { nil } }
    var isDone: Bool { clientStep == .finished && serverStep == .finished }
}

/// The places where the records of a stream end (RFC 8446 §5.1).
private struct RecordPlaces {
    private var bytes: [UInt8] = []
    private var begin = 0

    /// The end of the record whose head has arrived last; `nil` if only a part of its head has.
    var next: Int? {
        guard bytes.count >= begin + 5 else { return nil }
        return begin + 5 + Int(bytes[begin + 3]) << 8 + Int(bytes[begin + 4])
    }

    mutating func note(_ more: [UInt8]) {
        bytes += more
        while let next, next <= bytes.count { begin = next }
    }
}
