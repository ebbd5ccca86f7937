import COpenSSL
import PinholeModel

/// A certificate extension, encoded (RFC 5280 §4.2).
struct CertificateExtension: Sendable {
    let nid: Int32
    let isCritical: Bool
    let value: [UInt8]

    private init(_ nid: Int32, isCritical: Bool, _ value: [UInt8]) {
        self.nid = nid
        self.isCritical = isCritical
        self.value = value
    }

    static func basicConstraints(authority: Bool, pathLength: UInt8?) -> CertificateExtension {
        var parts: [[UInt8]] = []
        if authority {
            parts.append(DER.isTrue)
            if let pathLength { parts.append(DER.smallInteger(pathLength)) }
        }
        return CertificateExtension(NID_basic_constraints, isCritical: true, DER.sequence(parts))
    }

    static func keyUsage(_ usage: CertificateTemplate.KeyUsage) -> CertificateExtension {
        CertificateExtension(NID_key_usage, isCritical: true, DER.namedBits(usage.rawValue))
    }

    static func extendedKeyUsage(_ purposes: [CertificateTemplate.Purpose]) -> CertificateExtension {
        let identifiers = purposes.map { purpose in
            switch purpose {
            case .serverAuth: DER.objectIdentifier(NID_server_auth)
            case .clientAuth: DER.objectIdentifier(NID_client_auth)
            }
        }
        return CertificateExtension(NID_ext_key_usage, isCritical: false, DER.sequence(identifiers))
    }

    static func subjectKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        CertificateExtension(NID_subject_key_identifier, isCritical: false, DER.octetString(identifier))
    }

    static func authorityKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        let value = DER.sequence([DER.context(0, primitive: identifier)])
        return CertificateExtension(NID_authority_key_identifier, isCritical: false, value)
    }

    static func subjectAlternativeName(_ names: [Host], isCritical: Bool) -> CertificateExtension {
        let entries = names.map { name in
            switch name {
            case .name(let name): DER.context(2, primitive: Array(name.utf8))
            case .address(let address): DER.context(7, primitive: address.bytes)
            }
        }
        return CertificateExtension(NID_subject_alt_name, isCritical: isCritical, DER.sequence(entries))
    }

    static func signedTimestamps(_ list: [UInt8]) -> CertificateExtension {
        CertificateExtension(NID_ct_precert_scts, isCritical: false, DER.octetString(list))
    }

    static func nameConstraints(_ constraints: NameConstraints) -> CertificateExtension {
        CertificateExtension(NID_name_constraints, isCritical: true, constraints.der)
    }

    /// Appends the extension to a certificate that is being made.
    func add(to certificate: OpaquePointer) -> Bool {
        guard let octets = ASN1_OCTET_STRING_new() else { return false }
        defer { ASN1_OCTET_STRING_free(octets) }
        guard ASN1_OCTET_STRING_set(octets, value, Int32(clamping: value.count)) == 1,
            let made = X509_EXTENSION_create_by_NID(nil, nid, isCritical ? 1 : 0, octets)
        else { return false }
        defer { X509_EXTENSION_free(made) }
        return X509_add_ext(certificate, made, -1) == 1
    }
}
