import Glibc
import Testing

/// A client's connection that stays open for as long as the value lives.
package final class LoopbackConnection: Sendable {
    private let descriptor: Int32

    /// Connects with a port of 127.0.0.1.
    package init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// Sends a text.
    package func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// Sends a text, and returns an answer of as many bytes, or what came of it before the peer's end.
    package func exchange(_ text: String) throws -> String {
        try send(text)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: text.utf8.count)
        while answer.count < text.utf8.count,
            case let count = recv(descriptor, &buffer, buffer.count - answer.count, 0), count > 0
        { answer += buffer.prefix(count) }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Reads up to the end of the peer's bytes, and returns their number.
    package func countOfRest() -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var total = 0
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { total += count }
        return total
    }
}
