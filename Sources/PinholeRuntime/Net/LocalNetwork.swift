package import PinholeModel

/// A network that an interface of this machine is in.
package struct LocalNetwork: Sendable, Hashable {
    /// The name of the interface.
    package let interface: String
    /// The address of this machine in the network.
    package let address: IPAddress
    /// The number of bits that all addresses of the network share.
    package let prefix: Int

    /// The names with which the interfaces of containers begin: Docker, its own networks, Podman, CNI.
    private static let containers = ["docker", "br-", "podman", "cni"]

    /// Whether the programs in it are those of containers of this machine.
    package var isOfContainers: Bool { Self.containers.contains(where: interface.hasPrefix) }

    /// Returns whether an address is in the network.
    package func contains(_ other: IPAddress) -> Bool {
        other.bytes.count == address.bytes.count && masked(other.bytes) == masked(address.bytes)
    }

    /// The network in CIDR notation: `192.168.1.0/24`.
    package var description: String {
        IPAddress(bytes: masked(address.bytes)).map { "\($0)/\(prefix)" } ?? "\(address)"
    }

    private func masked(_ bytes: [UInt8]) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = max(0, min(8, prefix - 8 * index))
            return byte & UInt8(truncatingIfNeeded: 0xff00 >> kept)
        }
    }
}
