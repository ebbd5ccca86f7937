import COpenSSL
import PinholeModel
import PinholeTrust

extension ChainFault.Kind {
    /// Translates an `X509_V_ERR_…` of OpenSSL.
    init(openSSL error: Int32) {
        self =
            switch error {
            case X509_V_ERR_CERT_HAS_EXPIRED: .expired
            case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH, X509_V_ERR_EMAIL_MISMATCH:
                .wrongName
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED, X509_V_ERR_SUBJECT_ISSUER_MISMATCH,
                X509_V_ERR_AKID_SKID_MISMATCH, X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH:
                .untrusted
            case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE,
                X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY:
                .badSignature
            case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN: .notAuthority
            case X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_CERT_CHAIN_TOO_LONG: .pathTooLong
            case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
                X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
                X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
                .nameConstraints
            case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE: .wrongPurpose
            case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL: .weakKey
            case X509_V_ERR_CA_MD_TOO_WEAK: .weakSignature
            case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: .unknownExtension
            case X509_V_ERR_CERT_REVOKED: .revoked
            case X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE,
                X509_V_ERR_CRL_SIGNATURE_FAILURE, X509_V_ERR_CRL_NOT_YET_VALID, X509_V_ERR_CRL_HAS_EXPIRED,
                X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD, X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD,
                X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER, X509_V_ERR_KEYUSAGE_NO_CRL_SIGN,
                X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION, X509_V_ERR_DIFFERENT_CRL_SCOPE,
                X509_V_ERR_CRL_PATH_VALIDATION_ERROR, X509_V_ERR_OCSP_VERIFY_NEEDED,
                X509_V_ERR_OCSP_VERIFY_FAILED, X509_V_ERR_OCSP_CERT_UNKNOWN:
                .revocationUnknown
            default: .malformed
            }
    }
}

extension ChainFault {
    /// Creates a fault with a sentence about OpenSSL's result.
    init(
        error: Int32,
        depth: Int,
        certificate: CertificateFacts?,
        question: ChainQuestion,
        built: [CertificateFacts]
    ) {
        let kind = Kind(openSSL: error)
        let reason = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? "error \(error)"
        let place = built.indices.contains(depth) ? depth : nil
        let words = Words(
            subject: certificate ?? place.map { built[$0] },
            leaf: question.presented.leaf,
            host: question.host,
            reason: reason
        )
        let sentence = words.sentence(kind, error) + Self.hint(kind, at: depth, question)
        self.init(kind, depth: max(0, depth), sentence)
    }

    /// A hint if the server seems to send its chain in the wrong order; otherwise empty.
    private static func hint(_ kind: Kind, at depth: Int, _ question: ChainQuestion) -> String {
        guard depth == 0, [.wrongPurpose, .wrongName, .selfSigned, .untrusted].contains(kind),
            let first = question.presented.leaf
        else { return "" }
        let later = question.presented.certificates.dropFirst()
        if first.isAuthority, later.contains(where: { !$0.isAuthority }) {
            return "; the first certificate is a CA: servers send the leaf first"
        }
        guard kind == .wrongName, let host = question.host, let named = later.first(where: { $0.names(host) })
        else { return "" }
        return "; a later certificate, “\(named.subject)”, is for that host: servers send the leaf first"
    }

    private struct Words {
        let subject: CertificateFacts?
        let leaf: CertificateFacts?
        let host: Host?
        let reason: String

        var name: String { subject.map { "“\($0.subject)”" } ?? "a certificate of the chain" }

        func sentence(_ kind: Kind, _ error: Int32) -> String {
            switch kind {
            case .expired: "\(name) expired on \(subject?.notAfter.iso8601 ?? "an unknown date")"
            case .notYetValid:
                "\(name) is not valid before \(subject?.notBefore.iso8601 ?? "an unknown date")"
            case .wrongName:
                "the certificate is for \(leaf?.namesText ?? "no host at all"), not for \(host?.description ?? "this host")"
            case .untrusted: untrusted(error)
            case .selfSigned: "\(name) is signed by its own key and is not an anchor"
            case .badSignature:
                "the signature of \(name) does not verify with the key of “\(subject?.issuer ?? "its issuer")”"
            case .notAuthority: "\(name) issued the certificate below it, but may not sign any (\(reason))"
            case .pathTooLong: "\(name) has more authorities below it than it allows (\(reason))"
            case .nameConstraints:
                "the names of \(name) are outside of what an authority above may sign for (\(reason))"
            case .wrongPurpose: "\(name) is not meant for TLS servers (\(reason))"
            case .weakKey: "the key of \(name) is too short (\(key))"
            case .weakSignature: "the signature of \(name) uses a digest that is too weak"
            case .unknownExtension: "\(name) has a critical extension that is not known"
            case .revoked: "\(name) was revoked"
            case .revocationUnknown: "whether \(name) was revoked is not known (\(reason))"
            case .malformed: "\(name) does not obey RFC 5280: \(reason)\(remedy(error))"
            case .empty: "no certificate was presented"
            case .notLogged: "\(name) is not logged (\(reason))"
            }
        }

        /// The command that makes a CA with the key usage that this one lacks; empty for other errors.
        private func remedy(_ error: Int32) -> String {
            error == X509_V_ERR_CA_CERT_MISSING_KEY_USAGE
                ? "; make it anew with: openssl req -x509 -addext keyUsage=critical,keyCertSign,cRLSign …"
                : ""
        }

        private func untrusted(_ error: Int32) -> String {
            error == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN
                ? "the chain ends at \(name), which is not an anchor"
                : "\(name) was issued by “\(subject?.issuer ?? "an unknown issuer")”, which leads to no anchor"
        }

        private var key: String {
            switch subject?.keyKind {
            case .rsa(let bits): "RSA of \(bits) bits"
            case .curve(let name): name
            case .other(let name): name
            case nil: "of unknown kind"
            }
        }
    }
}

extension ChainFault.Kind {
    /// The `X509_V_ERR_…` for libssl that fits the fault.
    var verificationError: Int32 {
        switch self {
        case .expired: X509_V_ERR_CERT_HAS_EXPIRED
        case .notYetValid: X509_V_ERR_CERT_NOT_YET_VALID
        case .wrongName: X509_V_ERR_HOSTNAME_MISMATCH
        case .untrusted: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        case .selfSigned: X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
        case .badSignature: X509_V_ERR_CERT_SIGNATURE_FAILURE
        case .notAuthority: X509_V_ERR_INVALID_CA
        case .pathTooLong: X509_V_ERR_PATH_LENGTH_EXCEEDED
        case .nameConstraints: X509_V_ERR_PERMITTED_VIOLATION
        case .wrongPurpose: X509_V_ERR_INVALID_PURPOSE
        case .weakKey: X509_V_ERR_EE_KEY_TOO_SMALL
        case .weakSignature: X509_V_ERR_CA_MD_TOO_WEAK
        case .unknownExtension: X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION
        case .revoked: X509_V_ERR_CERT_REVOKED
        case .notLogged: X509_V_ERR_NO_VALID_SCTS
        case .revocationUnknown, .malformed, .empty: X509_V_ERR_CERT_REJECTED
        }
    }
}
