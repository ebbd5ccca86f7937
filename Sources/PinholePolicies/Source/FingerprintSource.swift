import PinholeModel
import PinholeTrust

/// Fingerprints of certificates in Dart: `allowedSHAFingerprints` of http_certificate_pinning, and the callbacks of Dio.
enum FingerprintSource {
    /// The names by which apps of Flutter pin.
    private static let marks = [
        "allowedSHAFingerprints", "CertificatePinningInterceptor(", "SecureHttpClient.build(",
        "HttpCertificatePinning.check(",
    ]

    /// Whether a text pins by fingerprints.
    static func isIn(_ text: String) -> Bool {
        marks.contains(where: text.contains)
            || (text.contains("validateCertificate") && text.contains("sha256"))
    }

    /// Reads the fingerprints.
    ///
    /// - Parameters:
    ///   - tokens: The source code.
    ///   - hosts: The hosts, if the code has no URL.
    ///   - notes: Gets a finding for each fingerprint and host that the code does not show.
    /// - Returns: The policy of the hosts; `nil` if there is no fingerprint that can be used.
    static func policy(
        in tokens: [SourceToken],
        hosts: [Host],
        _ notes: inout DocumentNotes
    ) -> HostPolicies? {
        var fingerprints: [[UInt8]] = []
        var named: [Host] = []
        var line = 1
        var isUnclear = true
        for token in tokens {
            guard let text = token.literal else { continue }
            if let start = text.firstRange(of: "https://") {
                let name = text[start.upperBound...].prefix { !"/:?#$".contains($0) }
                if let host = try? Host(name), !named.contains(host) { named.append(host) }
            }
            guard looksLikeFingerprint(text) else { continue }
            isUnclear = false
            line = token.line
            do throws(PolicyFailure) {
                let bytes = try PinnedValue(fingerprint: text).bytes
                if !fingerprints.contains(bytes) { fingerprints.append(bytes) }
            } catch {
                notes.fail(
                    Self.digits(text) == 40 ? .weakDigest : .notAPin,
                    .root("line \(token.line)"),
                    "\(error).",
                    "Write what openssl x509 -noout -fingerprint -sha256 prints."
                )
            }
        }
        if isUnclear {
            let mark = tokens.first {
                $0.lastName.map { name in Self.marks.contains { $0.hasPrefix(name) } } ?? false
            }
            notes.unproven(
                .pinNotLiteral,
                .root("line \(mark?.line ?? 1)"),
                "The fingerprints are not literals in this file.",
                "Check them where they are made, or write them here."
            )
        }
        guard !fingerprints.isEmpty else { return nil }
        let owners = hosts.isEmpty ? named : hosts
        guard !owners.isEmpty else {
            notes.hostNotLiteral(nil, .root("line \(line)"), remedy: "Give --host.")
            return nil
        }
        let policy = CertificatePolicy(
            fingerprints: fingerprints,
            scope: .leaf,
            // Dio's documentation switches the validation off and compares the fingerprint alone.
            validatesChain: !CallbackSource.acceptsEverything(in: tokens, named: "badCertificateCallback")
        )
        return HostPolicies([(owners.compactMap { try? HostPattern($0.uriText) }, policy)], namesHosts: true)
    }

    /// Whether a text has the form of a fingerprint: pairs of digits, or at least 40 digits in a row.
    private static func looksLikeFingerprint(_ text: String) -> Bool {
        let isHexadecimal = text.utf8.allSatisfy { byte in
            byte == 0x3a || byte == 0x20 || Character(Unicode.Scalar(byte)).isHexDigit
        }
        return isHexadecimal && (digits(text) >= 40 || text.utf8.count { $0 == 0x3a } >= 15)
    }

    private static func digits(_ text: String) -> Int { text.utf8.count { $0 != 0x3a && $0 != 0x20 } }
}
