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
            parts.append(ASN1.isTrue)
            if let pathLength { parts.append(ASN1.integer(pathLength)) }
        }
        return CertificateExtension(NID_basic_constraints, isCritical: true, ASN1.sequence(of: parts))
    }

    static func keyUsage(_ usage: CertificateTemplate.KeyUsage) -> CertificateExtension {
        CertificateExtension(NID_key_usage, isCritical: true, ASN1.bits(named: usage.rawValue))
    }

    static func extendedKeyUsage(_ purposes: [CertificateTemplate.Purpose]) -> CertificateExtension {
        let identifiers = purposes.map { purpose in
            switch purpose {
            case .serverAuth: ASN1.identifier(NID_server_auth)
            case .clientAuth: ASN1.identifier(NID_client_auth)
            }
        }
        return CertificateExtension(NID_ext_key_usage, isCritical: false, ASN1.sequence(of: identifiers))
    }

    static func subjectKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        CertificateExtension(NID_subject_key_identifier, isCritical: false, ASN1.octets(identifier))
    }

    static func authorityKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        let value = ASN1.sequence(ASN1.context(0, identifier))
        return CertificateExtension(NID_authority_key_identifier, isCritical: false, value)
    }

    static func subjectAlternativeName(_ names: [Host], isCritical: Bool) -> CertificateExtension {
        let entries = names.map { name in
            switch name {
            case .name(let name): ASN1.context(2, Array(name.utf8))
            case .address(let address): ASN1.context(7, address.bytes)
            }
        }
        return CertificateExtension(NID_subject_alt_name, isCritical: isCritical, ASN1.sequence(of: entries))
    }

    static func signedTimestamps(_ list: [UInt8]) -> CertificateExtension {
        CertificateExtension(NID_ct_precert_scts, isCritical: false, ASN1.octets(list))
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
