import Glibc
package import PinholeModel

/// The addresses of this machine that connections to servers are made from: one of IPv4, one of IPv6, or one of both.
///
/// With one alone, servers are reached by its family only.
package struct SourceAddresses: Sendable, Equatable, CustomStringConvertible {
    /// The addresses; empty where the system chooses.
    package let all: [IPAddress]

    /// Lets the system choose.
    package init() { all = [] }

    /// Chooses.
    ///
    /// - Parameter addresses: The addresses.
    /// - Throws: ``AddressFailure`` where two are of one family.
    package init(_ addresses: [IPAddress]) throws(AddressFailure) {
        guard Set(addresses.map(\.isVersion6)).count == addresses.count else {
            throw AddressFailure(
                addresses.map(\.description).joined(separator: ", "),
                expected: "at most one IPv4 address and one IPv6 address"
            )
        }
        all = addresses
    }

    /// Reads one.
    ///
    /// - Parameter text: An address, without brackets and port.
    /// - Returns: The address.
    /// - Throws: ``AddressFailure`` where it is none, or one that stands for all.
    package static func address(_ text: String) throws(AddressFailure) -> IPAddress {
        guard let address = IPAddress(text), !address.isUnspecified, !address.isMulticast else {
            throw AddressFailure(text, expected: "an address of this machine")
        }
        return address.unmapped
    }

    /// Fails where the system lets nobody connect from one of them, as it is not this machine's.
    ///
    /// - Throws: ``SystemFailure`` with what it says.
    package func check() throws(SystemFailure) {
        for address in all {
            let socket = try Socket(family: SocketAddress(address, port: 0).family)
            try socket.bind(from: address)
        }
    }

    /// What a connection to `address` comes from; `nil` where the system chooses.
    func source(for address: IPAddress) -> IPAddress? { all.first { $0.isVersion6 == address.isVersion6 } }

    /// Whether connections to `address` can be made.
    func reaches(_ address: IPAddress) -> Bool { all.isEmpty || source(for: address) != nil }

    /// The addresses, for people.
    package var description: String { all.map(\.description).joined(separator: ", ") }
}
