import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTestKit

/// Why a connection gave no more.
enum ConnectionFailure: Error, Equatable, CustomStringConvertible {
    /// The peer ended it.
    case ended
    /// The peer reset it, or it broke otherwise.
    case broken(Int32)
    /// Nothing came in time.
    case timedOut
    /// The bytes that might be sent were sent, so it was reset by us.
    case budgetSpent
    /// TLS failed.
    case tls(String)
    /// What came is not what the test can read.
    case unreadable(String)

    var description: String {
        switch self {
        case .ended: "the peer ended the connection"
        case .broken(let code): "the connection broke: \(String(cString: strerror(code)))"
        case .timedOut: "nothing came in time"
        case .budgetSpent: "the budget is spent"
        case .tls(let detail): "TLS failed: \(detail)"
        case .unreadable(let detail): "unreadable: \(detail)"
        }
    }
}

/// A TCP connection that blocks, in the clear or over TLS, with full control over its bytes.
///
/// For one thread alone; see ``blocking(_:)``.
final class Connection {
    /// Until a test gives up; nothing waits so long that goes well.
    static let patience = Patience.seconds

    var engine: TLSEngine?
    /// What came from the socket.
    var inbox = ByteQueue()
    /// What came, decrypted.
    var plain = ByteQueue()
    /// How many bytes may be sent before the connection is reset; `nil` for all.
    var sendBudget: Int?
    /// How many bytes were sent.
    private(set) var sentCount = 0
    private var descriptor: Int32

    /// Takes over a connected descriptor.
    init(taking descriptor: Int32) {
        self.descriptor = descriptor
        limitPatience(to: Self.patience)
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to a port of 127.0.0.1.
    convenience init(to port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ConnectionFailure.broken(errno) }
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            Foundation.close(descriptor)
            throw ConnectionFailure.broken(code)
        }
        self.init(taking: descriptor)
    }

    deinit { close() }

    /// The address on the other side; `nil` where there is none any more.
    var peerAddress: String? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return String(cString: inet_ntoa(address.sin_addr))
    }

    /// The port on this side.
    var localPort: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &size)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sets how many seconds to wait for the peer.
    func limitPatience(to seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    // MARK: Sending

    /// Sends `text`, encrypted where TLS is spoken.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends `bytes`, encrypted where TLS is spoken.
    func send(_ bytes: [UInt8]) throws {
        guard let engine else { return try sendRaw(bytes) }
        var plain = ByteQueue(bytes)
        var output = ByteQueue()
        while !plain.isEmpty { try engine.encrypt(&plain, count: min(plain.count, 16 << 10), into: &output) }
        try sendRaw(output.prefix())
    }

    /// Sends `bytes` as they are.
    func sendRaw(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        if let sendBudget, sentCount + rest.count >= sendBudget { rest = rest.prefix(sendBudget - sentCount) }
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw ConnectionFailure.broken(errno) }
            sentCount += count
            rest = rest.dropFirst(count)
        }
        guard let sendBudget, sentCount >= sendBudget else { return }
        reset()
        throw ConnectionFailure.budgetSpent
    }

    // MARK: Receiving

    /// Waits for bytes; `nil` at the end.
    func receive(_ limit: Int = 128 << 10) throws -> Int? {
        guard let engine else { return try receiveRaw(into: &plain, limit) }
        while true {
            var output = ByteQueue()
            let before = plain.count
            let step = engine.decrypt(&inbox, into: &plain, limit: plain.count + limit, output: &output)
            if !output.isEmpty { try sendRaw(output.prefix()) }
            if plain.count > before { return plain.count - before }
            switch step {
            case .closed: return nil
            case .failed(let failure): throw ConnectionFailure.tls(failure.detail)
            case .limited: return 0
            case .wantsInput:
                guard try receiveRaw(into: &inbox, limit) != nil else { throw ConnectionFailure.ended }
            }
        }
    }

    func receiveRaw(into queue: inout ByteQueue, _ limit: Int = 128 << 10) throws -> Int? {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                queue.append(buffer[..<count])
                return count
            }
            if count == 0 { return nil }
            switch errno {
            case EINTR: continue
            case EAGAIN: throw ConnectionFailure.timedOut
            default: throw ConnectionFailure.broken(errno)
            }
        }
    }

    /// Exactly `count` bytes.
    func read(_ count: Int) throws -> [UInt8] {
        while plain.count < count {
            guard try receive() != nil else { throw ConnectionFailure.ended }
        }
        let bytes = plain.prefix(count)
        plain.consume(count)
        return bytes
    }

    /// The bytes up to and including the first `end`.
    func read(through end: String) throws -> [UInt8] {
        let mark = Array(end.utf8)
        while true {
            let bytes = plain.prefix()
            if let index = bytes.firstIndex(of: mark) {
                plain.consume(index + mark.count)
                return Array(bytes[..<(index + mark.count)])
            }
            guard try receive() != nil else { throw ConnectionFailure.ended }
        }
    }

    /// Everything up to the end of the stream, however it ends.
    func readToEnd() throws -> [UInt8] {
        do {
            while try receive() != nil {}
        } catch ConnectionFailure.timedOut {
            throw ConnectionFailure.timedOut
        } catch is ConnectionFailure {
            // A reset ends the stream as well.
        }
        let bytes = plain.prefix()
        plain.removeAll()
        return bytes
    }

    // MARK: Ending

    /// Says that nothing more is sent, in TLS too.
    func finishSending() {
        if let engine {
            var output = ByteQueue()
            engine.close(into: &output)
            try? sendRaw(output.prefix())
        }
        vanish()
    }

    /// Sends FIN without a word in TLS, and stays to take what still comes.
    func vanish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends with RST.
    func reset() {
        guard descriptor >= 0 else { return }
        var setting = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Ends without a word.
    func close() {
        guard descriptor >= 0 else { return }
        Foundation.close(descriptor)
        descriptor = -1
    }
}

/// The address of a port on 127.0.0.1.
func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}

extension [UInt8] {
    /// Where `mark` begins first.
    fileprivate func firstIndex(of mark: [UInt8]) -> Int? {
        guard let first = mark.first, count >= mark.count else { return nil }
        return (0...(count - mark.count)).first {
            self[$0] == first && self[$0..<($0 + mark.count)] == mark[...]
        }
    }
}
