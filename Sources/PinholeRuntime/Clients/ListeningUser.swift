import PinholeFiles
import PinholeModel

/// Finds the user who owns a listening socket of this machine (proc_pid_net(5), /proc/net/tcp).
package enum ListeningUser {
    /// The number of the user who listens at an address.
    ///
    /// - Returns: The number; `nil` if nobody listens there.
    package static func number(at address: SocketAddress) -> UInt32? {
        let file = "/proc/net/tcp" + (address.address.isVersion6 ? "6" : "")
        return File.text(of: file).flatMap { number(at: address, in: $0) }
    }

    /// The number of the user who listens at an address, by the text of `/proc/net/tcp` or `/proc/net/tcp6`.
    static func number(at address: SocketAddress, in text: String) -> UInt32? {
        // Each group of four bytes is written as a number of this machine, which is little-endian.
        let bytes = address.address.bytes
        let groups = stride(from: 0, to: bytes.count, by: 4).flatMap {
            bytes[$0..<min($0 + 4, bytes.count)].reversed()
        }
        let wanted = (groups.map { hexadecimal(UInt16($0), 2) } + [":", hexadecimal(address.port, 4)])
            .joined()
        for line in text.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            // local address, remote address, state (0A: LISTEN), queues, timer, retransmissions, user
            guard fields.count > 7, fields[1] == wanted, fields[3] == "0A" else { continue }
            return UInt32(fields[7])
        }
        return nil
    }

    /// The ports at which programs of this machine listen on ::1, or on every address of IPv6.
    package static func portsOfLoopback6() -> [UInt16] {
        portsOfLoopback6(in: File.text(of: "/proc/net/tcp6") ?? "")
    }

    /// The ports at which programs listen on ::1 or on every address, by the text of `/proc/net/tcp6`.
    static func portsOfLoopback6(in text: String) -> [UInt16] {
        let zeros = String(repeating: "0", count: 32)
        let addresses = [zeros, zeros.dropLast(8) + "01000000"]
        let ports = text.split(separator: "\n").dropFirst().compactMap { line -> UInt16? in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "0A" else { return nil }
            let place = fields[1].split(separator: ":")
            guard place.count == 2, addresses.contains(String(place[0])) else { return nil }
            return UInt16(place[1], radix: 16)
        }
        return Set(ports).sorted()
    }

    private static func hexadecimal(_ number: UInt16, _ width: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
