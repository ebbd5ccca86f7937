import CLinux
import Glibc
package import PinholeModel

/// The addresses of this machine.
package enum LocalInterfaces {
    /// The addresses of all interfaces.
    package static func addresses() -> [IPAddress] { networks().map(\.address) }

    /// The networks of all interfaces.
    package static func networks() -> [LocalNetwork] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { entry in
            guard let entry = entry?.pointee, let own = entry.ifa_addr,
                let address = SocketAddress(UnsafePointer(own))?.address
            else { return nil }
            let mask = entry.ifa_netmask.flatMap { SocketAddress(UnsafePointer($0))?.address }
            return LocalNetwork(
                interface: String(cString: entry.ifa_name),
                address: address,
                prefix: (mask?.bytes ?? address.bytes.map { _ in 0xff }).reduce(0) { $0 + $1.nonzeroBitCount }
            )
        }
    }
}
