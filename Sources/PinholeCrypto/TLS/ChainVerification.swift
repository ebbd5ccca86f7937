import COpenSSL
package import PinholeModel

/// The result of verifying a server's chain.
package struct ChainVerification: Sendable, Equatable {
    /// The chain as it was presented, leaf first.
    package let presented: [Certificate]
    /// The path that was built, leaf first, anchor last; empty if none was.
    package let validated: [Certificate]
    /// The fault of the chain; `nil` if it has none.
    package let fault: ServerFault?
    /// The reason why a faulty chain was accepted; `nil` if it was refused or has no fault.
    package let exemption: String?

    /// Whether the handshake may go on.
    package var isAccepted: Bool { fault == nil || exemption != nil }
}

/// The fault of a server's certificate.
package struct ServerFault: Sendable, Equatable, CustomStringConvertible {
    /// The kind of a fault.
    ///
    /// Mirror mode can copy some kinds into a leaf.
    package enum Kind: String, Sendable, Codable {
        /// The certificate is past its notAfter.
        case expired
        /// The certificate is before its notBefore.
        case notYetValid
        /// The certificate was issued for other names.
        case wrongName
        /// The certificate is self-signed, its issuer is unknown, or the chain is incomplete.
        case untrusted
        /// The chain leads to Pinhole's own CA, which is never trusted on the server's side.
        case ownAuthority
        /// The certificate was revoked.
        case revoked
        /// The certificate has any other fault, such as a weak key, a wrong purpose, or a violated constraint.
        case unacceptable
    }

    /// The kind of fault.
    package let kind: Kind
    /// A sentence that describes the fault, with names and dates.
    package let description: String

    /// Creates a fault.
    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// Judges a server's chain inside the handshake, before any client certificate is sent.
package struct ServerJudge: Sendable {
    /// The host that the certificate must be for.
    package let host: Host
    /// The reason why a faulty chain is to be accepted; `nil` to refuse it.
    package let exemption: String?
    /// The SHA-256 of the SubjectPublicKeyInfo of each CA that must not be trusted: Pinhole's own CAs.
    package let distrusted: [[UInt8]]
    /// Verifies a chain, leaf first, for a host by the rules of another platform; `nil` for OpenSSL's own verification.
    package var verifier:
        (@Sendable ([Certificate], Host) -> (validated: [Certificate], fault: ServerFault?))?

    /// Creates a judge.
    package init(host: Host, exemption: String?, distrusted: [[UInt8]]) {
        self.host = host
        self.exemption = exemption
        self.distrusted = distrusted
    }

    /// Runs the verification and collects the result.
    ///
    /// - Parameter requested: The verification that libssl asks for.
    /// - Returns: The chains and the fault, if any.
    func judge(_ requested: RequestedVerification) -> ChainVerification {
        let presented = Self.certificates(requested.presented)
        var validated: [Certificate] = []
        var fault: ServerFault?
        var hasError = false
        if let verifier {
            (validated, fault) = verifier(presented, host)
        } else {
            let result = requested.run()
            hasError = !result.isValid
            if hasError {
                fault = self.fault(result.error, presented.first)
            } else {
                validated = Self.certificates(result.chain)
            }
        }
        // If the chain leads to no anchor, Pinhole's own CA is looked for among the presented certificates.
        let path = fault == nil ? validated : presented
        if path.contains(where: { distrusted.contains($0.spkiSHA256) }) {
            fault = ServerFault(
                .ownAuthority,
                "the server's certificate was issued by Pinhole's own CA, which is never trusted on the server's side"
            )
        }
        let accepts = fault.map { $0.kind != .ownAuthority } ?? false
        if fault != nil, !accepts || exemption == nil {
            // OpenSSL has set the error of its own verification.
            if !hasError {
                requested.setError(fault?.kind.verificationError ?? X509_V_ERR_CERT_REJECTED)
            }
        } else {
            requested.setError(X509_V_OK)
        }
        return ChainVerification(
            presented: presented,
            validated: validated,
            fault: fault,
            exemption: accepts ? exemption : nil
        )
    }

    static func certificates(_ handles: [X509Handle]) -> [Certificate] {
        handles.compactMap { try? Certificate(borrowing: $0.pointer) }
    }

    private func fault(_ error: Int32, _ leaf: Certificate?) -> ServerFault {
        let reason = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? "error \(error)"
        switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return ServerFault(
                .expired,
                "the certificate expired on \(leaf?.notAfter.iso8601 ?? "an unknown date")"
            )
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return ServerFault(
                .notYetValid,
                "the certificate is not valid before \(leaf?.notBefore.iso8601 ?? "an unknown date")"
            )
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            let names = leaf?.subjectAlternativeNames.map(\.description).joined(separator: ", ") ?? ""
            return ServerFault(
                .wrongName,
                "the certificate is for \(names.isEmpty ? "no host at all" : names), not for \(host)"
            )
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            let issuer = leaf.map { "“\($0.issuer)”" } ?? "an unknown issuer"
            return ServerFault(.untrusted, "the certificate by \(issuer) leads to no trusted CA (\(reason))")
        case X509_V_ERR_CERT_REVOKED:
            return ServerFault(.revoked, "the certificate was revoked")
        default:
            return ServerFault(.unacceptable, "the certificate cannot be accepted: \(reason)")
        }
    }
}

extension ServerFault.Kind {
    /// The `X509_V_ERR_…` for libssl, which decides the alert.
    var verificationError: Int32 {
        switch self {
        case .expired: X509_V_ERR_CERT_HAS_EXPIRED
        case .notYetValid: X509_V_ERR_CERT_NOT_YET_VALID
        case .wrongName: X509_V_ERR_HOSTNAME_MISMATCH
        case .untrusted: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        case .revoked: X509_V_ERR_CERT_REVOKED
        case .ownAuthority, .unacceptable: X509_V_ERR_CERT_REJECTED
        }
    }
}
