import COpenSSL

extension Certificate {
    /// An extension in readable form (RFC 5280 §4.2).
    package struct Extension: Sendable, Equatable {
        /// The identifier in dotted form: `2.5.29.17`.
        package let identifier: String
        /// The name that OpenSSL has for the extension; the identifier if it has none.
        package let name: String
        /// Whether a verifier that does not understand the extension must refuse the certificate.
        package let isCritical: Bool
        /// The content as text; hexadecimal digits if OpenSSL cannot read it.
        package let text: String
    }

    /// The extensions, in their order.
    package var extensions: [Extension] {
        handle.extensions.map { item in
            let name = item.kind == NID_undef ? nil : OBJ_nid2ln(item.kind).map { String(cString: $0) }
            return Extension(
                identifier: item.identifier,
                name: name ?? item.identifier,
                isCritical: item.isCritical,
                text: item.text ?? ""
            )
        }
    }
}
