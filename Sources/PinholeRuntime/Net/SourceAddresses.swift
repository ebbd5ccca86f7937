package import PinholeModel

/// The source addresses of connections to servers: one IPv4 address, one IPv6 address, or both.
///
/// With only one address, servers are reached only through its family.
package struct SourceAddresses: Sendable, Equatable, CustomStringConvertible {
    /// The addresses; empty if the system chooses.
    package let all: [IPAddress]

    /// Creates an empty list, so that the system chooses.
    package init() { all = [] }

    /// Creates a list.
    ///
    /// - Throws: ``AddressFailure`` when two addresses have the same family.
    package init(_ addresses: [IPAddress]) throws(AddressFailure) {
        guard Set(addresses.map(\.isVersion6)).count == addresses.count else {
            throw AddressFailure(
                addresses.map(\.description).joined(separator: ", "),
                expected: "at most one IPv4 address and one IPv6 address"
            )
        }
        all = addresses
    }

    /// Reads an address.
    ///
    /// - Parameter text: An address, without brackets and port.
    /// - Returns: The address.
    /// - Throws: ``AddressFailure`` when the text is no address, or an unspecified or multicast address.
    package static func address(_ text: String) throws(AddressFailure) -> IPAddress {
        guard let address = IPAddress(text), !address.isUnspecified, !address.isMulticast else {
            throw AddressFailure(text, expected: "an address of this machine")
        }
        return address.unmapped
    }

    /// Throws if connections cannot come from one of the addresses because it is not this machine's.
    ///
    /// - Throws: ``SystemFailure`` with the system's reason.
    package func check() throws(SystemFailure) {
        for address in all {
            let socket = try Socket(family: SocketAddress(address, port: 0).family)
            try socket.bind(from: address)
        }
    }

    /// The source address of a connection to `address`; `nil` if the system chooses.
    func source(for address: IPAddress) -> IPAddress? { all.first { $0.isVersion6 == address.isVersion6 } }

    /// Whether a connection to `address` is possible.
    func reaches(_ address: IPAddress) -> Bool { all.isEmpty || source(for: address) != nil }

    /// The addresses as text.
    package var description: String { all.map(\.description).joined(separator: ", ") }
}
