import PinholeCrypto
import PinholeModel
import PinholeTestKit

/// Two engines wired by memory.
final class TLSPair {
    let client: TLSEngine
    let server: TLSEngine
    var toServer = ByteQueue()
    var toClient = ByteQueue()
    private(set) var clientStep = TLSEngine.HandshakeStep.wantsInput
    private(set) var serverStep = TLSEngine.HandshakeStep.wantsInput

    init(client: TLSEngine, server: TLSEngine) {
        self.client = client
        self.server = server
    }

    /// Carries both handshakes as far as they go, `chunk` bytes at a time.
    func shake(chunk: Int = 4096) {
        var clientWire = ByteQueue()
        var serverWire = ByteQueue()
        for _ in 0..<20_000 {
            if clientStep == .wantsInput { clientStep = client.handshake(&toClient, &clientWire) }
            if serverStep == .wantsInput { serverStep = server.handshake(&toServer, &serverWire) }
            let moved = !clientWire.isEmpty || !serverWire.isEmpty
            clientWire.move(min(chunk, clientWire.count), to: &toServer)
            serverWire.move(min(chunk, serverWire.count), to: &toClient)
            if !moved { return }
        }
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
