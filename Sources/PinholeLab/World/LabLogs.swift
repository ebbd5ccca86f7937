package import PinholeCrypto
import PinholeModel
package import PinholeTrust

/// The certificate logs of the lab (RFC 6962), with their keys.
package struct LabLogs: Sendable {
    /// The timestamps that a leaf gets.
    package enum Submission: Sendable {
        /// Timestamps of two approved logs of two operators, as public CAs embed them.
        case complete
        /// No timestamps: the certificate was kept from the logs.
        case none
        /// A timestamp of one log.
        case oneLog
        /// Timestamps of two logs of one operator.
        case oneOperator
        /// Timestamps of two logs that were retired since.
        case retired
        /// Timestamps in the name of two approved logs, signed with another key.
        case forged
        /// The timestamps of another certificate.
        case copied(from: Certificate)
    }

    private struct Log: Sendable {
        let key: PrivateKey
        let entry: TransparencyLog
    }

    private let first: Log
    private let firstSecond: Log
    private let second: Log
    private let retired: [Log]
    private let forger: PrivateKey
    /// The list that devices have.
    package let list: LogList

    /// Makes logs.
    ///
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    init(now: Timestamp) throws(CryptoFailure) {
        let log = { (title: String, operator: String, state: TransparencyLog.State) throws(CryptoFailure) in
            let key = try PrivateKey.generateP256()
            let spki = PublicKey(of: key).spki
            let id = Digest.sha256(spki)
            return Log(
                key: key,
                entry: TransparencyLog(id: id, key: spki, title: title, operator: `operator`, state: state)
            )
        }
        let end = TransparencyLog.State.retired(now - .seconds(7 * 86_400))
        first = try log("Alder 1", "Alder Logs", .approved)
        firstSecond = try log("Alder 2", "Alder Logs", .approved)
        second = try log("Birch", "Birch Logs", .approved)
        retired = [try log("Cedar", "Cedar Logs", end), try log("Dogwood", "Dogwood Logs", end)]
        forger = try PrivateKey.generateP256()
        list = LogList(([first, firstSecond, second] + retired).map(\.entry), date: now)
    }

    /// Returns the function that submits certificates.
    ///
    /// - Parameters:
    ///   - submission: The timestamps that a certificate gets.
    ///   - time: The time of the timestamps.
    /// - Returns: The function, for a template.
    func logging(_ submission: Submission, at time: Timestamp) -> CertificateTemplate.Logging {
        { (certificate, issuer) throws(CryptoFailure) in
            try timestamps(submission, for: certificate, by: issuer, at: time)
        }
    }

    /// Makes the SignedCertificateTimestampList for a certificate without timestamps; `nil` for none.
    func timestamps(
        _ submission: Submission,
        for certificate: Certificate,
        by issuer: Identity,
        at time: Timestamp
    ) throws(CryptoFailure) -> [UInt8]? {
        let logs: [Log]
        switch submission {
        case .complete, .forged: logs = [first, second]
        case .none: return nil
        case .oneLog: logs = [first]
        case .oneOperator: logs = [first, firstSecond]
        case .retired: logs = retired
        case .copied(let other): return SignedTimestamp.encoding(of: other.facts.timestamps ?? [])
        }
        let entry = SignedTimestamp.Entry(
            precertificateOf: certificate.facts,
            issuer: issuer.certificate.facts
        )
        guard let entry else { return nil }
        var list: [SignedTimestamp] = []
        for log in logs {
            let key = if case .forged = submission { forger } else { log.key }
            list.append(
                try SignedTimestamp(entry, log: log.entry.id, time: time) { (bytes) throws(CryptoFailure) in
                    try key.signature(over: bytes, digest: .sha256)
                }
            )
        }
        return SignedTimestamp.encoding(of: list)
    }
}
