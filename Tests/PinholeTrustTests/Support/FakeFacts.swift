import PinholeModel
import PinholeTrust

/// Certificates that nobody signed, for tests of what policies compare.
enum FakeFacts {
    /// The moment of every judgement.
    static let now = Timestamp(seconds: 1_790_000_000)

    /// A certificate whose digests are made of its name and its key's.
    ///
    /// - Parameters:
    ///   - name: Its common name.
    ///   - key: What its key is made of; the name where `nil`.
    ///   - parameters: What the encoding of the key adds, as explicit curve parameters do.
    ///   - raw: Whether the key has a raw form.
    ///   - names: What it names.
    ///   - mustStaple: Whether it asks for a staple.
    ///   - timestamps: What is embedded in it.
    /// - Returns: The facts.
    static func certificate(
        _ name: String,
        key: String? = nil,
        parameters: String = "",
        raw: Bool = true,
        names: [Host] = [],
        mustStaple: Bool = false,
        timestamps: [SignedTimestamp]? = []
    ) -> CertificateFacts {
        let point = key ?? name
        let spki = "\(point)/\(parameters)"
        return CertificateFacts(
            der: Array("certificate \(name) \(spki)".utf8),
            spki: Array(spki.utf8),
            key: Array(point.utf8),
            keyKind: .curve("prime256v1"),
            sha256: digest("certificate \(name) \(spki)", 32),
            sha512: digest("certificate \(name) \(spki)", 64),
            spkiSHA1: digest(spki, 20),
            spkiSHA256: digest(spki, 32),
            spkiSHA512: digest(spki, 64),
            rawKeySHA256: raw ? digest("raw \(point)", 32) : nil,
            subject: "CN=\(name)",
            issuer: "CN=issuer",
            names: names,
            notBefore: now - .seconds(3600),
            notAfter: now + .seconds(3600),
            isAuthority: false,
            pathLength: nil,
            isSelfSigned: false,
            mustStaple: mustStaple,
            timestamps: timestamps
        )
    }

    /// Timestamps of logs, each of which is named by a number.
    static func timestamps(logs: [UInt8], time: Timestamp = now - .seconds(60)) -> [SignedTimestamp] {
        SignedTimestamp.list(timestampList(logs: logs, time: time)) ?? []
    }

    /// A log that is named by a number, which is its key and all its signatures, too.
    static func log(
        _ number: UInt8,
        of operatorName: String,
        _ state: TransparencyLog.State = .approved
    ) -> TransparencyLog {
        TransparencyLog(
            id: [UInt8](repeating: number, count: 32),
            key: [number],
            title: "Log \(number)",
            operator: operatorName,
            state: state
        )
    }

    /// The same as a SignedCertificateTimestampList.
    static func timestampList(logs: [UInt8], time: Timestamp = now - .seconds(60)) -> [UInt8] {
        let milliseconds = UInt64(time.seconds) * 1000
        let moment = (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * UInt64($0))) }
        let entries = logs.flatMap { log in
            prefixed([0] + [UInt8](repeating: log, count: 32) + moment + [0, 0, 4, 3, 0, 1, log])
        }
        return prefixed(entries)
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
    }

    /// The pin of a certificate's key.
    static func pin(_ certificate: CertificateFacts) -> Pin {
        guard let pin = Pin(digest: certificate.spkiSHA256) else { preconditionFailure("32 bytes are a pin") }
        return pin
    }

    /// A pin that fits nothing.
    static let none = pin(certificate("nobody"))

    /// Evidence of a chain that was presented.
    static func evidence(_ chain: [CertificateFacts], host: String? = "api.pinned.test") -> Evidence {
        Evidence(
            host: host.flatMap { try? Host($0) },
            presented: PresentedChain(chain),
            anchors: [certificate("device root")],
            time: now
        )
    }

    /// Spreads a text over so many bytes: no digest, and as good as one here.
    private static func digest(_ text: String, _ count: Int) -> [UInt8] {
        var state: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ UInt64(index) &+ 1
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }
}
