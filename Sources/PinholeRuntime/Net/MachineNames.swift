import Glibc
package import PinholeModel

/// The names of this machine.
package enum MachineNames {
    /// The host name, and the name in multicast DNS (RFC 6762 §3); empty if the host name is no DNS name.
    package static func all() -> [Host] {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let names = name.contains(".") ? [name] : [name, name + ".local"]
        return names.compactMap { try? Host($0) }
    }
}
