import PinholeModel
import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Fingerprints of certificates in Dart: `allowedSHAFingerprints` of http_certificate_pinning, and the callbacks of
    /// Dio.
    static let fingerprints = SourceReader(
        title: "Flutter fingerprints",
        marks: [
            "allowedSHAFingerprints", "CertificatePinningInterceptor", "SecureHttpClient",
            "HttpCertificatePinning", "validateCertificate",
        ],
        languages: [.dart]
    ) { reading in
        var reader = FingerprintReader()
        reader.read(&reading)
    }
}

private struct FingerprintReader {
    private static let names: Set = [
        "allowedSHAFingerprints", "CertificatePinningInterceptor", "SecureHttpClient",
        "HttpCertificatePinning",
    ]

    private var fingerprints: [[UInt8]] = []
    private var named: [Host] = []
    private var line = 1
    private var isUnclear = true

    mutating func read(_ reading: inout SourceReading) {
        let code = reading.code
        let marks = reading.places(of: Self.names)
        // A callback without a digest is read by the reader of callbacks.
        guard !marks.isEmpty || code.words.contains(where: { $0.contains("sha256") }) else { return }
        for index in code.tokens.indices {
            guard case .text(let value) = literal(at: index, reading), let text = value.whole else {
                continue
            }
            if let start = text.firstRange(of: "https://") {
                let name = text[start.upperBound...].prefix { !"/:?#$".contains($0) }
                if let host = try? Host(name), !named.contains(host) { named.append(host) }
            }
            if Self.looksLikeFingerprint(text) { take(text, at: index, &reading.notes, code) }
        }
        if isUnclear {
            guard !marks.isEmpty else { return }
            reading.notes.unproven(
                .root("line \(marks.first.map { code.line(of: $0) } ?? 1)"),
                "The fingerprints are not literals in this file.",
                "Check them where they are made, or write them here."
            )
        }
        guard !fingerprints.isEmpty else { return }
        if let mark = marks.first {
            reading.notes.unproven(
                reading.path(mark),
                "http_certificate_pinning compares the fingerprint on a connection of its own, before that of the request.",
                "Compare it in validateCertificate of the request's client, or prove it: pinhole audit -- COMMAND.",
                as: .notEnforced
            )
        }
        let owners = reading.hosts.isEmpty ? named : reading.hosts
        guard !owners.isEmpty else {
            reading.notes.hostNotLiteral(nil, .root("line \(line)"), remedy: "Give --host.")
            return
        }
        let policy = CertificatePolicy(
            fingerprints: fingerprints,
            scope: .leaf,
            // Dio's documentation switches the validation off and compares the fingerprint alone.
            validatesChain: !acceptsBadCertificates(reading)
        )
        let patterns = owners.compactMap { try? HostPattern($0.uriText) }
        reading.add(HostPolicies([(patterns, policy)], namesHosts: true))
    }

    private func literal(at index: Int, _ reading: SourceReading) -> SourceValue {
        guard reading.code.tokens[index].isLiteral else { return .null }
        return reading.evaluator.value(at: index, before: index + 1)
    }

    private mutating func take(
        _ text: String,
        at index: Int,
        _ notes: inout DocumentNotes,
        _ code: SourceCode
    ) {
        isUnclear = false
        line = code.line(of: index)
        do throws(PolicyFailure) {
            let bytes = try PinnedValue(fingerprint: text).bytes
            if !fingerprints.contains(bytes) { fingerprints.append(bytes) }
        } catch {
            notes.fail(
                Self.digits(text) == 40 ? .weakDigest : .notAPin,
                .root("line \(line)"),
                "\(error).",
                "Write what openssl x509 -noout -fingerprint -sha256 prints."
            )
        }
    }

    private func acceptsBadCertificates(_ reading: SourceReading) -> Bool {
        reading.places(of: ["badCertificateCallback"]).contains { index in
            guard let value = reading.assigned(at: index) else { return false }
            return reading.answer(at: value, before: reading.valueEnd(from: value)) == .accepts
        }
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
