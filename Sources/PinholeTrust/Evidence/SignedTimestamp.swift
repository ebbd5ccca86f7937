package import PinholeModel

/// A signed certificate timestamp (RFC 6962 §3.2).
///
/// It is a claim until ``TransparencyDemand`` has checked its signature with the key of a known log.
package struct SignedTimestamp: Hashable, Sendable {
    /// The SHA-256 of the log's key.
    package let log: [UInt8]
    /// The time at which the log claims to have accepted the certificate, in whole milliseconds.
    package let time: Timestamp
    /// The content of the extensions.
    let extensions: [UInt8]
    /// The bytes of the SignatureAndHashAlgorithm (RFC 5246 §4.7).
    let algorithm: [UInt8]
    /// The signature of the log over the time, the entry and the extensions.
    let signature: [UInt8]

    /// Reads a SignedCertificateTimestampList (RFC 6962 §3.3); `nil` if it is malformed.
    ///
    /// Timestamps with another version than v1 are skipped.
    package static func list(_ bytes: [UInt8]) -> [SignedTimestamp]? {
        var rest = bytes[...]
        guard let body = take(prefixed: &rest), rest.isEmpty else { return nil }
        rest = body
        var found: [SignedTimestamp] = []
        while !rest.isEmpty {
            guard let entry = take(prefixed: &rest), !entry.isEmpty else { return nil }
            guard entry.first == 0 else { continue }
            guard let timestamp = SignedTimestamp(entry) else { return nil }
            found.append(timestamp)
        }
        return found
    }

    /// Reads a timestamp of version 1: version, log, milliseconds, extensions, algorithm, signature.
    private init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes.dropFirst()
        guard rest.count >= 40 else { return nil }
        log = Array(rest.prefix(32))
        let milliseconds = rest.dropFirst(32).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(40)
        guard milliseconds <= UInt64(Int64.max / 1000), let extensions = Self.take(prefixed: &rest),
            rest.count >= 2
        else { return nil }
        algorithm = Array(rest.prefix(2))
        rest = rest.dropFirst(2)
        guard let signature = Self.take(prefixed: &rest), rest.isEmpty else { return nil }
        time = Timestamp(microseconds: Int64(milliseconds) * 1000)
        self.extensions = Array(extensions)
        self.signature = Array(signature)
    }

    /// Takes the bytes that a length of two bytes announces; `nil` if there are too few.
    private static func take(prefixed rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= 2 else { return nil }
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= 2 + length else { return nil }
        let taken = rest.dropFirst(2).prefix(length)
        rest = rest.dropFirst(2 + length)
        return taken
    }
}

extension SignedTimestamp {
    /// The entry of a log that a timestamp is about (RFC 6962 §3.1 and §3.2).
    package struct Entry: Hashable, Sendable {
        let bytes: [UInt8]

        /// The entry of a certificate that a timestamp outside of it is about.
        package init(certificate: CertificateFacts) {
            bytes = [0, 0] + SignedTimestamp.number(UInt64(certificate.der.count), 3) + certificate.der
        }

        /// The entry of the certificate without its timestamps, which the timestamps within it are about; `nil` if the
        /// certificate cannot be read.
        package init?(precertificateOf certificate: CertificateFacts, issuer: CertificateFacts) {
            guard let body = PrecertificateBody(of: certificate.der)?.encoding else { return nil }
            bytes = [0, 1] + issuer.spkiSHA256 + SignedTimestamp.number(UInt64(body.count), 3) + body
        }
    }

    /// Makes a timestamp of version 1 with the signature of a log.
    ///
    /// - Parameters:
    ///   - entry: The entry of the log.
    ///   - log: The SHA-256 of the log's key.
    ///   - time: The time of the entry.
    ///   - sign: Signs the SHA-256 of the bytes with ECDSA.
    /// - Throws: The failure of `sign`.
    package init<Failure: Error>(
        _ entry: Entry,
        log: [UInt8],
        time: Timestamp,
        sign: ([UInt8]) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        self.log = log
        self.time = time
        extensions = []
        algorithm = Self.ecdsa
        signature = try sign(Self.message(entry, time, []))
    }

    /// The bytes that the log signs for an entry.
    func message(_ entry: Entry) -> [UInt8] { Self.message(entry, time, extensions) }

    /// Whether the algorithm is one that logs may use: ECDSA or RSA, over SHA-256 (RFC 6962 §2.1.4).
    var hasKnownAlgorithm: Bool { algorithm == Self.ecdsa || algorithm == [4, 1] }

    /// The list of timestamps as a SignedCertificateTimestampList (RFC 6962 §3.3).
    package static func encoding(of list: [SignedTimestamp]) -> [UInt8] {
        prefixed(list.flatMap { prefixed($0.encoding) })
    }

    private static let ecdsa: [UInt8] = [4, 3]

    private var encoding: [UInt8] {
        [0] + log + Self.milliseconds(time) + Self.prefixed(extensions) + algorithm + Self.prefixed(signature)
    }

    private static func message(_ entry: Entry, _ time: Timestamp, _ extensions: [UInt8]) -> [UInt8] {
        // Version 1, and the type certificate_timestamp.
        [0, 0] + milliseconds(time) + entry.bytes + prefixed(extensions)
    }

    private static func milliseconds(_ time: Timestamp) -> [UInt8] {
        number(UInt64(max(0, time.microseconds / 1000)), 8)
    }

    private static func prefixed(_ content: [UInt8]) -> [UInt8] { number(UInt64(content.count), 2) + content }

    private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}
