package import PinholeModel

/// The DNS names and IP addresses that an authority may sign certificates for (RFC 5280 §4.2.1.10).
package struct NameConstraints: Hashable, Sendable {
    /// A range of IP addresses: `10.0.0.0/8`.
    package struct Network: Hashable, Sendable, CustomStringConvertible {
        /// The first address of the range.
        package let address: IPAddress
        /// The mask: a 1 for each bit that must be the same, with as many bytes as the address.
        package let mask: [UInt8]

        /// Whether `other` is in the range; `false` for an address of the other IP version.
        package func contains(_ other: IPAddress) -> Bool {
            other.bytes.count == mask.count
                && zip(mask, zip(address.bytes, other.bytes)).allSatisfy { ($1.0 ^ $1.1) & $0 == 0 }
        }

        /// The address and the mask: `10.0.0.0/8`, or with the mask written out if it is no prefix.
        package var description: String {
            let length = mask.reduce(0) { $0 + $1.nonzeroBitCount }
            if mask == Self.mask(bits: length, bytes: mask.count) { return "\(address)/\(length)" }
            return "\(address)/" + (IPAddress(bytes: mask)?.description ?? "")
        }

        static func mask(bits: Int, bytes: Int) -> [UInt8] {
            (0..<bytes).map { ~UInt8(truncatingIfNeeded: 0xff >> min(8, max(0, bits - 8 * $0))) }
        }
    }

    /// The permitted names, each with everything below it; empty if names are not limited.
    package var permittedNames: [String] = []
    /// The excluded names, each with everything below it.
    package var excludedNames: [String] = []
    /// The permitted addresses; empty if addresses are not limited.
    package var permittedNetworks: [Network] = []
    /// The excluded addresses.
    package var excludedNetworks: [Network] = []

    /// Creates constraints that limit nothing.
    package init() {}

    /// Creates constraints that permit only `domains`.
    ///
    /// - Parameter domains: Names (`example.com`, also written `*.example.com`; both include everything
    ///   below), addresses, or ranges (`10.0.0.0/8`); at least one.
    /// - Throws: ``CryptoFailure`` for the first entry that is none of these.
    package init(permitting domains: [String]) throws(CryptoFailure) {
        for domain in domains {
            if let network = try Self.network(domain) {
                permittedNetworks.append(network)
            } else {
                permittedNames.append(try Self.name(domain))
            }
        }
        // A kind of name without a permitted subtree is not limited, so both kinds need an entry.
        if permittedNames.isEmpty { permittedNames = [Self.nowhere] }
        if permittedNetworks.isEmpty {
            for bytes in [4, 16] {
                guard let zero = IPAddress(bytes: [UInt8](repeating: 0, count: bytes)) else { continue }
                excludedNetworks.append(Network(address: zero, mask: zero.bytes))
            }
        } else {
            permitNoOtherVersion()
        }
    }

    /// Limits the addresses of the IP version that no permitted range has.
    ///
    /// GnuTLS treats the two versions as two kinds of name. Java compares each range with each address byte
    /// by byte, fails on an IPv4 address beside an excluded IPv6 range, and stops at the first permitted
    /// range that matches. So the only permitted address of the other version is one that no host has, all
    /// ones, and IPv4 stands first.
    private mutating func permitNoOtherVersion() {
        for bytes in [4, 16] where !permittedNetworks.contains(where: { $0.mask.count == bytes }) {
            guard let broadcast = IPAddress(bytes: [UInt8](repeating: 0xff, count: bytes)) else { continue }
            permittedNetworks.append(Network(address: broadcast, mask: broadcast.bytes))
        }
        permittedNetworks =
            permittedNetworks.filter { $0.mask.count == 4 }
            + permittedNetworks.filter { $0.mask.count == 16 }
    }

    /// RFC 6761 §6.4: a name that never resolves.
    private static let nowhere = "invalid"

    /// Whether the constraints permit a certificate for `host`.
    package func permits(_ host: Host) -> Bool {
        switch host {
        case .name(let name):
            (permittedNames.isEmpty || permittedNames.contains { Self.covers($0, name) })
                && !excludedNames.contains { Self.covers($0, name) }
        case .address(let address):
            (permittedNetworks.isEmpty || permittedNetworks.contains { $0.contains(address) })
                && !excludedNetworks.contains { $0.contains(address) }
        }
    }

    private static func covers(_ domain: String, _ name: String) -> Bool {
        if domain.isEmpty { return true }
        let domain = domain.lowercased()
        let name = name.lowercased()
        // RFC 5280 does not say so, but all verifiers read a leading dot as "only names below it".
        if domain.hasPrefix(".") { return name.hasSuffix(domain) }
        return name == domain || name.hasSuffix("." + domain)
    }

    private static func name(_ text: String) throws(CryptoFailure) -> String {
        let mark = ["*.", "."].first { text.hasPrefix($0) } ?? ""
        do {
            guard let name = try Host(text.dropFirst(mark.count)).name else {
                throw AddressFailure(text, expected: "a name")
            }
            return name
        } catch {
            throw CryptoFailure("permitted domain: \(error)")
        }
    }

    /// The address range that `text` denotes; `nil` if it is a name.
    private static func network(_ text: String) throws(CryptoFailure) -> Network? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else {
            guard parts.count == 1 else {
                throw CryptoFailure("permitted domain “\(text)”: expected an address before the slash")
            }
            return nil
        }
        let size = address.bytes.count * 8
        guard let bits = parts.count == 1 ? size : Int(parts[1]), (0...size).contains(bits) else {
            throw CryptoFailure("permitted domain “\(text)”: expected a prefix length of 0 to \(size)")
        }
        let mask = Network.mask(bits: bits, bytes: address.bytes.count)
        let start = IPAddress(bytes: zip(address.bytes, mask).map { $0 & $1 }) ?? address
        return Network(address: start, mask: mask)
    }
}

extension NameConstraints {
    /// The encoded value of the extension.
    var der: [UInt8] {
        var trees: [[UInt8]] = []
        let permitted = Self.subtrees(permittedNames, permittedNetworks)
        if !permitted.isEmpty { trees.append(ASN1.context(0, holding: permitted.flatMap { $0 })) }
        let excluded = Self.subtrees(excludedNames, excludedNetworks)
        if !excluded.isEmpty { trees.append(ASN1.context(1, holding: excluded.flatMap { $0 })) }
        return ASN1.sequence(of: trees)
    }

    private static func subtrees(_ names: [String], _ networks: [Network]) -> [[UInt8]] {
        names.map { ASN1.sequence(ASN1.context(2, Array($0.utf8))) }
            + networks.map { ASN1.sequence(ASN1.context(7, $0.address.bytes + $0.mask)) }
    }
}
