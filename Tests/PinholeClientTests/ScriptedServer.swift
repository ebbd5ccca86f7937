import Foundation
import PinholeModel
import PinholeRuntime

/// A server in the clear that answers each head with bytes, or with silence, or by closing.
///
/// Sendable: the descriptor is constant.
final class ScriptedServer: Sendable {
    /// What follows a head.
    enum Reply: Sendable {
        case bytes(String)
        case bytesAndClose(String)
        case close
        case reset
        case silence
    }

    let port: UInt16
    private let descriptor: Int32

    /// Listens on a port of 127.0.0.1; `answer` gets each head and its number, counted over all connections.
    init(_ answer: @escaping @Sendable (String, Int) -> Reply) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw SystemFailure("could not listen", errno) }
        descriptor = listener
        port = UInt16(bigEndian: address.sin_port)
        let heads = Recorder<String>()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Thread.detachNewThread {
                    Self.serve(connection) { answer($0, heads.note($0)) }
                    Glibc.close(connection)
                }
            }
            Glibc.close(listener)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

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
