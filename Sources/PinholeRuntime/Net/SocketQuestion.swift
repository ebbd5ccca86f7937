import CLinux
import Glibc
import PinholeModel

/// A question to the kernel about the socket with both ends of a connection, and the parser of its answer.
///
/// The bytes are a `struct nlmsghdr` with a `struct inet_diag_req_v2`; the answer has a `struct inet_diag_msg`.
struct SocketQuestion {
    private static let headerSize = 16
    private static let answerSize = 16 + 72
    /// TCP_LISTEN.
    ///
    /// If no connection has the ends, the kernel returns the listener at the first end.
    private static let listening: UInt8 = 10

    /// The encoded question.
    let bytes: [UInt8]
    private let ends: ConnectionEnds
    private let sequence: UInt32

    init(_ ends: ConnectionEnds, sequence: UInt32) {
        self.ends = ends
        self.sequence = sequence
        let local = ends.local.address.unmapped
        let remote = ends.remote.address.unmapped
        var request: [UInt8] = [
            UInt8(local.isVersion6 ? AF_INET6 : AF_INET), UInt8(IPPROTO_TCP), 0, 0,
        ]
        request.append(native: UInt32.max)
        request.append(native: ends.local.port.bigEndian)
        request.append(native: ends.remote.port.bigEndian)
        for address in [local, remote] {
            request += address.bytes + [UInt8](repeating: 0, count: 16 - address.bytes.count)
        }
        request.append(native: ends.local.scope)
        // INET_DIAG_NOCOOKIE matches any socket with these ends.
        request.append(native: UInt64.max)
        var message: [UInt8] = []
        message.append(native: UInt32(Self.headerSize + request.count))
        message.append(native: UInt16(SOCK_DIAG_BY_FAMILY))
        message.append(native: UInt16(NLM_F_REQUEST))
        message.append(native: sequence)
        message.append(native: UInt32(0))
        bytes = message + request
    }

    /// Whether the answer belongs to this question.
    func isAnswered(by answer: [UInt8]) -> Bool { answer.native(UInt32.self, at: 8) == sequence }

    /// The owner of the socket; `nil` if there is no such socket, or the answer does not belong to this question.
    func owner(in answer: [UInt8]) -> SocketOwner? {
        guard let length = answer.native(UInt32.self, at: 0), Int(length) >= Self.answerSize,
            answer.count >= Self.answerSize, isAnswered(by: answer),
            answer.native(UInt16.self, at: 4) == UInt16(SOCK_DIAG_BY_FAMILY)
        else { return nil }
        let facts = answer.dropFirst(Self.headerSize)
        guard facts.first.map(Int32.init).map({ $0 == AF_INET || $0 == AF_INET6 }) == true,
            answer.native(UInt8.self, at: 17) != Self.listening,
            end(in: answer, port: 20, address: 24) == ends.local.bare,
            end(in: answer, port: 22, address: 40) == ends.remote.bare,
            let user = answer.native(UInt32.self, at: 80), let inode = answer.native(UInt32.self, at: 84),
            // A connection that no process holds any more has the inode 0.
            inode != 0
        else { return nil }
        return SocketOwner(inode: inode, user: user)
    }

    private func end(in answer: [UInt8], port: Int, address: Int) -> SocketAddress? {
        let isVersion6 = answer.native(UInt8.self, at: Self.headerSize) == UInt8(AF_INET6)
        guard let port = answer.native(UInt16.self, at: port),
            let found = IPAddress(bytes: Array(answer.dropFirst(address).prefix(isVersion6 ? 16 : 4)))
        else { return nil }
        return SocketAddress(found, port: UInt16(bigEndian: port)).bare
    }
}

extension SocketAddress {
    /// The same address without a zone, and as IPv4 if it is mapped.
    fileprivate var bare: SocketAddress { SocketAddress(address.unmapped, port: port) }
}

extension [UInt8] {
    fileprivate mutating func append(native value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
    }

    fileprivate func native<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
        guard count >= offset + MemoryLayout<Value>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }
}
