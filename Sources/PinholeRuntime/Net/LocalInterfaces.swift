import CLinux
import Glibc
package import PinholeModel

/// The addresses of this machine.
package enum LocalInterfaces {
    /// The addresses of all interfaces.
    package static func addresses() -> [IPAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next })
            .compactMap { $0?.pointee.ifa_addr }
            .compactMap { SocketAddress(UnsafePointer($0))?.address }
    }
}
