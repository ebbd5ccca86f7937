import Foundation
import PinholeModel
import PinholeRuntime
import PinholeTestKit

/// A server in the clear that answers each head with bytes, or with silence, or by closing.
final class ScriptedServer: Sendable {
    /// What follows a head.
    enum Reply: Sendable {
        case bytes(String)
        case bytesAndClose(String)
        case close
        case reset
        case silence
    }

    private let listener: LoopbackListener

    /// Listens on a port of 127.0.0.1; `answer` gets each head and its number, counted over all connections.
    init(_ answer: @escaping @Sendable (String, Int) -> Reply) throws {
        let listener = try LoopbackListener()
        self.listener = listener
        let heads = Recorder<String>()
        Thread.detachNewThread {
            while let connection = listener.accept() {
                Thread.detachNewThread {
                    Self.serve(connection) { answer($0, heads.note($0)) }
                    Glibc.close(connection)
                }
            }
        }
    }

    deinit { listener.stop() }

    var port: UInt16 { listener.port }

    private static func serve(_ connection: Int32, _ answer: (String) -> Reply) {
        while let head = readHead(connection) {
            switch answer(head) {
            case .bytes(let text): send(text, connection)
            case .bytesAndClose(let text): return send(text, connection)
            case .close: return
            case .reset:
                var value = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
                return
            case .silence: continue
            }
        }
    }

    private static func send(_ text: String, _ connection: Int32) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Bytes up to an empty line; of TLS, what comes first.
    private static func readHead(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
            if bytes.first == 0x16 || bytes.suffix(4) == [13, 10, 13, 10] {
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}
