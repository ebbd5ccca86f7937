import CLinux
import Glibc
package import PinholeModel

/// An IP address and a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The IP address of the host.
    package let address: IPAddress
    /// The TCP port; 0 lets the kernel choose one.
    package let port: UInt16
    /// The zone of a link-local IPv6 address; 0 if there is none.
    package let scope: UInt32

    /// Creates an address.
    package init(_ address: IPAddress, port: UInt16, scope: UInt32 = 0) {
        self.address = address
        self.port = port
        self.scope = scope
    }

    /// Reads an address that the system filled in.
    init?(_ storage: UnsafePointer<sockaddr>) {
        switch Int32(storage.pointee.sa_family) {
        case AF_INET:
            let plain = UnsafeRawPointer(storage).loadUnaligned(as: sockaddr_in.self)
            guard let address = IPAddress(bytes: withUnsafeBytes(of: plain.sin_addr) { Array($0) }) else {
                return nil
            }
            self.init(address, port: UInt16(bigEndian: plain.sin_port))
        case AF_INET6:
            let plain = UnsafeRawPointer(storage).loadUnaligned(as: sockaddr_in6.self)
            guard let address = IPAddress(bytes: withUnsafeBytes(of: plain.sin6_addr) { Array($0) }) else {
                return nil
            }
            self.init(address, port: UInt16(bigEndian: plain.sin6_port), scope: plain.sin6_scope_id)
        default:
            return nil
        }
    }

    /// The address as text: `a.b.c.d:port` or `[v6]:port`.
    package var description: String { "\(Host.address(address).uriText):\(port)" }

    var family: Int32 { address.isVersion6 ? AF_INET6 : AF_INET }

    /// Passes the address to a system call.
    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if address.isVersion6 {
            var plain = sockaddr_in6()
            plain.sin6_family = sa_family_t(AF_INET6)
            plain.sin6_port = port.bigEndian
            plain.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &plain.sin6_addr) { $0.copyBytes(from: address.bytes) }
            return Self.lend(&plain, body)
        }
        var plain = sockaddr_in()
        plain.sin_family = sa_family_t(AF_INET)
        plain.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &plain.sin_addr) { $0.copyBytes(from: address.bytes) }
        return Self.lend(&plain, body)
    }

    private static func lend<Address, Result>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
