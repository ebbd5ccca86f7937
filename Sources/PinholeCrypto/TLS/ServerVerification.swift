import COpenSSL
package import PinholeModel

/// What was found about the chain that a server presented.
package struct ServerVerification: Sendable, Equatable {
    /// The chain as it was presented, leaf first.
    package let presented: [Certificate]
    /// The path that was built, leaf first, anchor last; empty when none was.
    package let validated: [Certificate]
    /// What is wrong; `nil` when nothing is.
    package let fault: ServerFault?
    /// Why the chain was accepted all the same; `nil` when it was refused or nothing is wrong.
    package let exemption: String?

    /// Whether the handshake may go on.
    package var isAccepted: Bool { fault == nil || exemption != nil }
}

/// What is wrong with a server's certificate.
package struct ServerFault: Sendable, Equatable, CustomStringConvertible {
    /// The kind of fault, which mirror mode can forge.
    package enum Kind: String, Sendable, Codable {
        /// Past its notAfter.
        case expired
        /// Before its notBefore.
        case notYetValid
        /// Issued for other names.
        case wrongName
        /// Self-signed, an unknown issuer, or an incomplete chain.
        case untrusted
        /// The chain leads to Pinhole's own CA, which is never trusted upstream.
        case ownAuthority
        /// Revoked.
        case revoked
        /// Anything else: weak keys, wrong purpose, constraints.
        case unacceptable
    }

    /// The kind of fault.
    package let kind: Kind
    /// One sentence: what is wrong, with names and dates.
    package let description: String

    /// Creates a fault.
    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// Judges a server's chain inside the handshake, before any client certificate is sent.
package struct ServerJudge: Sendable {
    /// Whom we meant to reach.
    package let host: Host
    /// Why a faulty chain is to be accepted; `nil` to refuse it.
    package let exemption: String?
    /// SHA-256 of the SubjectPublicKeyInfo of the CAs that must not be trusted: our own.
    package let distrusted: [[UInt8]]

    /// Creates a judge.
    package init(host: Host, exemption: String?, distrusted: [[UInt8]]) {
        self.host = host
        self.exemption = exemption
        self.distrusted = distrusted
    }

    /// Runs OpenSSL's verification and collects the evidence.
    ///
    /// - Parameter context: The store context that libssl prepared, host and purpose included.
    /// - Returns: What was found.
    func judge(_ context: OpaquePointer) -> ServerVerification {
        let isValid = X509_verify_cert(context) == 1
        let presented = Self.certificates(X509_STORE_CTX_get0_untrusted(context))
        let validated = isValid ? Self.certificates(X509_STORE_CTX_get0_chain(context)) : []
        var fault = isValid ? nil : fault(X509_STORE_CTX_get_error(context), presented.first)
        // Where nothing leads to an anchor, a chain of ours is known by what was presented.
        let path = fault == nil ? validated : presented
        if path.contains(where: { distrusted.contains($0.spkiSHA256) }) {
            fault = ServerFault(
                .ownAuthority,
                "the server's certificate was issued by Pinhole's own CA, which is never trusted on the server's side"
            )
        }
        let accepts = fault.map { $0.kind != .ownAuthority } ?? false
        if fault != nil, !accepts || exemption == nil {
            if X509_STORE_CTX_get_error(context) == X509_V_OK {
                X509_STORE_CTX_set_error(context, X509_V_ERR_CERT_REJECTED)
            }
        } else {
            X509_STORE_CTX_set_error(context, X509_V_OK)
        }
        return ServerVerification(
            presented: presented,
            validated: validated,
            fault: fault,
            exemption: accepts ? exemption : nil
        )
    }

    static func certificates(_ stack: OpaquePointer?) -> [Certificate] {
        (0..<pinhole_sk_X509_num(stack)).compactMap { index in
            pinhole_sk_X509_value(stack, index).flatMap { try? Certificate(borrowing: $0) }
        }
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
