import COpenSSL
import PinholeModel

extension Certificate {
    /// The name constraints on DNS names and addresses; `nil` if the certificate has no name constraints.
    package var nameConstraints: NameConstraints? {
        handle.decoded(NID_name_constraints) { value in
            let parsed = value.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
            defer { NAME_CONSTRAINTS_free(parsed) }
            var constraints = NameConstraints()
            for base in Self.bases(parsed.pointee.permittedSubtrees) {
                constraints.add(base, isPermitted: true)
            }
            for base in Self.bases(parsed.pointee.excludedSubtrees) {
                constraints.add(base, isPermitted: false)
            }
            return constraints
        }
    }

    private static func bases(_ stack: OpaquePointer?) -> [UnsafeMutablePointer<GENERAL_NAME>] {
        guard let stack else { return [] }
        return (0..<max(0, OPENSSL_sk_num(stack))).compactMap { index in
            OPENSSL_sk_value(stack, index)?.assumingMemoryBound(to: GENERAL_SUBTREE.self).pointee.base
        }
    }
}

extension NameConstraints {
    fileprivate mutating func add(_ base: UnsafeMutablePointer<GENERAL_NAME>, isPermitted: Bool) {
        guard let (kind, bytes) = Certificate.content(of: base) else { return }
        if kind == GEN_DNS {
            let name = String(decoding: bytes, as: UTF8.self)
            if isPermitted { permittedNames.append(name) } else { excludedNames.append(name) }
        } else if kind == GEN_IPADD {
            let half = bytes.count / 2
            guard bytes.count % 2 == 0, let address = IPAddress(bytes: Array(bytes.prefix(half))) else {
                return
            }
            let network = Network(address: address, mask: Array(bytes.suffix(half)))
            if isPermitted { permittedNetworks.append(network) } else { excludedNetworks.append(network) }
        }
    }
}
