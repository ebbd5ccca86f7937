import CLinux
import Glibc

/// A connection of a Unix socket that transfers messages and descriptors (unix(7), SCM_RIGHTS).
final class LocalChannel: Sendable {
    /// A message and the descriptors that came with it.
    struct Message {
        let bytes: [UInt8]
        let descriptors: [Int32]
    }

    /// The size of `struct cmsghdr`, which is already aligned (CMSG_ALIGN) on 64-bit systems.
    private static let headerLength = 16
    private static let descriptorLimit = 8
    /// SCM_RIGHTS, which C declares in an enumeration without a name.
    private static let rights: Int32 = 1
    /// The kind of socket.
    ///
    /// Each message arrives whole, with its descriptors.
    private static let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)

    private let descriptor: Int32

    /// Takes over a connected socket.
    init(taking descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to the socket at `path`.
    convenience init(to path: String) throws(SystemFailure) {
        let descriptor = socket(AF_UNIX, Self.kind, 0)
        guard descriptor >= 0 else { throw SystemFailure("could not create a socket", errno) }
        self.init(taking: descriptor)
        let result = try Self.withAddress(path) { connect(descriptor, $0, $1) }
        guard result == 0 else { throw SystemFailure("could not connect to \(path)", errno) }
    }

    deinit { close(descriptor) }

    /// Listens at `path`, which must not exist yet.
    ///
    /// - Returns: The descriptor of the listening socket.
    static func listen(at path: String) throws(SystemFailure) -> Int32 {
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SystemFailure("could not create a socket", errno) }
        let result = try withAddress(path) { bind(descriptor, $0, $1) }
        guard result == 0, Glibc.listen(descriptor, 1) == 0 else {
            let failure = SystemFailure("could not listen at \(path)", errno)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Sends a message.
    ///
    /// - Returns: Whether the message was sent.
    func send(_ bytes: [UInt8], _ descriptors: [Int32] = []) -> Bool {
        var bytes = bytes
        var control = Self.control(descriptors)
        return Self.withMessage(&bytes, &control) { sendmsg(descriptor, &$0, Int32(MSG_NOSIGNAL)) } > 0
    }

    /// Waits for a message; `nil` if the other end was closed.
    func receive() -> Message? {
        var bytes = [UInt8](repeating: 0, count: 8192)
        var control = Self.control([Int32](repeating: 0, count: Self.descriptorLimit))
        var filled = 0
        var count = 0
        repeat {
            count = Self.withMessage(&bytes, &control) { message in
                let count = recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
                filled = Int(message.msg_controllen)
                return count
            }
        } while count < 0 && errno == EINTR
        guard count > 0 else { return nil }
        return Message(bytes: Array(bytes.prefix(count)), descriptors: Self.descriptors(in: control, filled))
    }

    private static func control(_ descriptors: [Int32]) -> [UInt8] {
        guard !descriptors.isEmpty else { return [] }
        let length = headerLength + descriptors.count * MemoryLayout<Int32>.size
        var control = [UInt8](repeating: 0, count: (length + 7) & ~7)
        control.withUnsafeMutableBytes { room in
            room.storeBytes(of: length, as: Int.self)
            room.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            room.storeBytes(of: rights, toByteOffset: 12, as: Int32.self)
            for (index, descriptor) in descriptors.enumerated() {
                room.storeBytes(of: descriptor, toByteOffset: headerLength + 4 * index, as: Int32.self)
            }
        }
        return control
    }

    private static func descriptors(in control: [UInt8], _ filled: Int) -> [Int32] {
        guard filled >= headerLength else { return [] }
        return control.withUnsafeBytes { room in
            let length = min(room.load(as: Int.self), filled)
            guard room.load(fromByteOffset: 8, as: Int32.self) == SOL_SOCKET,
                room.load(fromByteOffset: 12, as: Int32.self) == rights, length >= headerLength
            else { return [] }
            return (0..<((length - headerLength) / 4)).map {
                room.load(fromByteOffset: headerLength + 4 * $0, as: Int32.self)
            }
        }
    }

    private static func withMessage(
        _ bytes: inout [UInt8],
        _ control: inout [UInt8],
        _ body: (inout msghdr) -> Int
    ) -> Int {
        bytes.withUnsafeMutableBytes { data in
            control.withUnsafeMutableBytes { rights in
                var part = iovec(iov_base: data.baseAddress, iov_len: data.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = rights.isEmpty ? nil : rights.baseAddress
                    message.msg_controllen = rights.count
                    return body(&message)
                }
            }
        }
    }

    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemFailure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemFailure("could not use the socket \(path)", ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
