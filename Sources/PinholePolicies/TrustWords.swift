/// The words by which code and configurations decide what a client of TLS trusts.
///
/// A file with such a word that no reader reads is told, so that silence means that nothing is there.
package enum TrustWords {
    /// A line with such a word.
    package struct Place: Sendable, Hashable {
        /// The number of the line, from 1.
        package let line: Int
        /// The word of the list that stands there.
        package let word: String
        /// The line without the white space around it, cut to a readable length.
        package let text: String
    }

    /// Whole words; hyphens and underscores are parts of words.
    static let words: Set<String> = [
        // Java and Kotlin, Android
        "X509TrustManager", "X509ExtendedTrustManager", "TrustManagerFactory", "checkServerTrusted",
        "HostnameVerifier", "hostnameVerifier", "setHostnameVerifier", "setDefaultHostnameVerifier",
        "NoopHostnameVerifier", "ALLOW_ALL_HOSTNAME_VERIFIER", "InsecureTrustManagerFactory",
        "FingerprintTrustManagerFactory", "SSLCertificateSocketFactory", "onReceivedSslError",
        "addPublicKeyPins",
        "enablePublicKeyPinningBypassForLocalTrustAnchors", "CertificatePinner", "certificatePinner",
        // Swift and Objective-C
        "AFSecurityPolicy", "securityPolicy", "allowInvalidCertificates", "validatesDomainName",
        "SecTrustEvaluate", "SecTrustEvaluateWithError", "SecTrustEvaluateAsyncWithError",
        "SecTrustSetAnchorCertificates", "serverTrust", "NSURLAuthenticationMethodServerTrust",
        "sec_protocol_options_set_verify_block", "setAllowsAnyHTTPSCertificate",
        "kCFStreamSSLValidatesCertificateChain",
        // JavaScript and TypeScript
        "rejectUnauthorized", "checkServerIdentity", "NODE_TLS_REJECT_UNAUTHORIZED",
        "setCertificateVerifyProc",
        "certificate-error", "ignore-certificate-errors", "--ignore-certificate-errors",
        // Go
        "InsecureSkipVerify", "VerifyPeerCertificate", "VerifyConnection",
        // Python, Ruby, PHP, Perl
        "assert_fingerprint", "assert_hostname", "CERT_NONE", "VERIFY_NONE", "_create_unverified_context",
        "check_hostname", "disable_warnings", "SSL_VERIFYPEER", "SSL_VERIFYHOST", "CURLOPT_SSL_VERIFYPEER",
        "CURLOPT_SSL_VERIFYHOST", "CURLOPT_PINNEDPUBLICKEY", "verify_peer", "verify_peer_name",
        "SSL_VERIFY_NONE",
        "SSL_CTX_set_verify", "SSL_CTX_set_cert_verify_callback",
        // .NET, Dart, Rust
        "ServerCertificateCustomValidationCallback", "ServerCertificateValidationCallback",
        "RemoteCertificateValidationCallback", "DangerousAcceptAnyServerCertificateValidator",
        "badCertificateCallback", "onBadCertificate", "validateCertificate", "ServerCertVerifier",
        "set_certificate_verifier", "danger_accept_invalid_certs", "danger_accept_invalid_hostnames",
        "with_custom_certificate_verifier",
        // Servers and tools
        "verify_certificate_spki", "verify_certificate_hash", "trust_chain_verification", "proxy_ssl_verify",
        "pinnedPubkey", "pinnedpubkey", "--pinnedpubkey", "sslVerify", "GIT_SSL_NO_VERIFY", "--insecure",
        "tls_pubkey_pinset", "insecure-skip-tls-verify", "--insecure-skip-tls-verify",
        "--discovery-token-ca-cert-hash", "caCertHashes", "insecureSkipTLSVerify", "pinned_certs",
    ]

    /// The beginnings of lines that are comments in one of the languages.
    private static let comments = ["//", "/*", "*", "#", "<!--", "--[["]
    private static let longestText = 120

    /// Returns the first line that has such a word outside of a comment; `nil` for none.
    ///
    /// - Parameter content: The bytes of a file.
    /// - Returns: The line.
    package static func place(in content: [UInt8]) -> Place? {
        guard !content.contains(0) else { return nil }
        var number = 0
        for bytes in content.split(separator: 0x0a, omittingEmptySubsequences: false) {
            number += 1
            guard let word = word(in: bytes) else { continue }
            let text = String(decoding: bytes, as: UTF8.self).drop(while: \.isWhitespace)
            guard !comments.contains(where: text.hasPrefix) else { continue }
            let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.endIndex
            return Place(line: number, word: word, text: String(text[..<end].prefix(longestText)))
        }
        return nil
    }

    private static func word(in line: ArraySlice<UInt8>) -> String? {
        var start = line.startIndex
        while start < line.endIndex {
            guard isOfWord(line[start]) else {
                start += 1
                continue
            }
            let word = line[start...].prefix(while: isOfWord)
            start += word.count
            guard (8...60).contains(word.count) else { continue }
            let text = String(decoding: word, as: UTF8.self)
            if words.contains(text) { return text }
        }
        return nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
    }
}
