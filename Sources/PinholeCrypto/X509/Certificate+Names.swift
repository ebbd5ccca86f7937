import COpenSSL
package import PinholeModel

extension Certificate {
    /// The dNSName and iPAddress entries of the subjectAltName.
    ///
    /// A wildcard is a name that begins with `*.`.
    package var subjectAlternativeNames: [Host] {
        handle.decoded(NID_subject_alt_name) { stack in
            let names = OpaquePointer(stack)
            defer { GENERAL_NAMES_free(names) }
            return (0..<max(0, OPENSSL_sk_num(names))).compactMap { index in
                OPENSSL_sk_value(names, index).flatMap(Self.host(of:))
            }
        } ?? []
    }

    /// Whether the certificate names `host`.
    ///
    /// Only subjectAltName counts, and a wildcard stands for one whole label (RFC 9525).
    package func matches(_ host: Host) -> Bool { handle.names(host) }

    /// The kind and content of a dNSName or iPAddress; `nil` for other kinds of name.
    static func content(of name: UnsafeMutablePointer<GENERAL_NAME>) -> (kind: Int32, bytes: [UInt8])? {
        var kind: Int32 = -1
        guard let value = GENERAL_NAME_get0_value(name, &kind), kind == GEN_DNS || kind == GEN_IPADD else {
            return nil
        }
        return (kind, bytes(of: value.assumingMemoryBound(to: ASN1_STRING.self)) ?? [])
    }

    private static func host(of entry: UnsafeMutableRawPointer) -> Host? {
        guard let (kind, bytes) = content(of: entry.assumingMemoryBound(to: GENERAL_NAME.self)) else {
            return nil
        }
        if kind == GEN_IPADD { return IPAddress(bytes: bytes).map(Host.address) }
        return .name(String(decoding: bytes, as: UTF8.self).lowercased())
    }
}
