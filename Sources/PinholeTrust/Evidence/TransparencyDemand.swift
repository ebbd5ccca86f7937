package import PinholeModel

/// The demand that the certificates of a chain are logged, with all that is needed to check it.
package struct TransparencyDemand: Hashable, Sendable {
    /// The timestamps that are demanded.
    package let rules: TransparencyRules
    /// The anchors whose chains have to be logged; `nil` for every chain.
    let anchors: [CertificateFacts]?
    /// The SHA-256 of the anchors among them whose chains need not be logged: those that this device alone trusts.
    let exempt: Set<[UInt8]>
    /// The timestamps that came with the chain.
    let timestamps: TimestampCollection
    /// The logs that the device knows; `nil` if no list is known, and then every timestamp counts as claimed.
    let logs: LogList?

    /// Creates a demand.
    ///
    /// - Parameters:
    ///   - rules: The timestamps that are demanded.
    ///   - evidence: The facts.
    ///   - exemptsLocalAnchors: Whether chains to CAs that only this device trusts need not be logged.
    package init(_ rules: TransparencyRules, for evidence: Evidence, exemptsLocalAnchors: Bool) {
        self.rules = rules
        anchors = exemptsLocalAnchors ? evidence.anchors : nil
        exempt = exemptsLocalAnchors ? evidence.userAnchors.union(evidence.localAnchors) : []
        timestamps = TimestampCollection(evidence)
        logs = evidence.logs
    }

    /// Checks a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - time: The time of the judgement.
    ///   - isSigned: Whether a key (SubjectPublicKeyInfo) has made a signature over the SHA-256 of the bytes: key,
    ///     bytes, signature.
    /// - Returns: The finding; `nil` if the path need not be logged.
    package func finding(
        about path: ValidatedChain,
        at time: Timestamp,
        isSigned: (_ key: [UInt8], _ bytes: [UInt8], _ signature: [UInt8]) -> Bool
    ) -> TransparencyFinding? {
        guard let leaf = path.leaf, let anchor = path.anchor else { return nil }
        if let anchors, exempt.contains(anchor.sha256) || !anchors.contains(anchor) { return nil }
        if let date = logs?.date, let days = rules.mostDaysOfList, time > date + .seconds(days * 86_400) {
            return TransparencyFinding(
                isMet: true,
                "The list of logs is of \(date.iso8601), more than \(days) days old: nothing is demanded."
            )
        }
        let issuer = path.certificates.dropFirst().first
        let entries = (
            embedded: issuer.flatMap { SignedTimestamp.Entry(precertificateOf: leaf, issuer: $0) },
            delivered: SignedTimestamp.Entry(certificate: leaf)
        )
        var counted: [CountedTimestamp] = []
        var refused: [String] = []
        for entry in timestamps.entries {
            let subject = entry.source == .certificate ? entries.embedded : entries.delivered
            switch rating(of: entry, about: subject, at: time, isSigned) {
            case .success(let timestamp): counted.append(timestamp)
            case .failure(let fault): refused.append("\(fault.reason) (\(entry.source.rawValue))")
            }
        }
        refused += timestamps.malformed.map { "a list that cannot be read (\($0.rawValue))" }
        return TransparencyFinding(rules, counted, refused, lifetime: leaf.lifetimeDays, hasList: logs != nil)
    }

    private func rating(
        of entry: TimestampCollection.Entry,
        about subject: SignedTimestamp.Entry?,
        at time: Timestamp,
        _ isSigned: (_ key: [UInt8], _ bytes: [UInt8], _ signature: [UInt8]) -> Bool
    ) -> Result<CountedTimestamp, Fault> {
        let timestamp = entry.timestamp
        guard timestamp.time <= time else { return .failure(Fault("one of the future")) }
        guard let logs else {
            let id = Hexadecimal.encode(Array(timestamp.log.prefix(4)))
            let claimed = CountedTimestamp(
                log: timestamp.log,
                title: "log \(id)…",
                operator: id,
                isCurrent: true,
                source: entry.source
            )
            return .success(claimed)
        }
        guard let log = logs[timestamp.log] else { return .failure(Fault("one of an unknown log")) }
        let name = "“\(log.title)”"
        var isCurrent = true
        switch log.state {
        case .approved: break
        case .retired(let end):
            isCurrent = end > time
            guard timestamp.time < end else {
                return .failure(Fault("one of \(name), made after the log's retirement"))
            }
        case .unapproved: return .failure(Fault("one of \(name), which is not approved"))
        }
        guard let subject, timestamp.hasKnownAlgorithm,
            isSigned(log.key, timestamp.message(subject), timestamp.signature)
        else { return .failure(Fault("one that \(name) did not sign for this certificate")) }
        let counted = CountedTimestamp(
            log: log.id,
            title: "\(name) of \(log.operator)",
            operator: log.operator,
            isCurrent: isCurrent,
            source: entry.source
        )
        return .success(counted)
    }

    /// The reason why a timestamp does not count.
    private struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}

/// A timestamp that counts: a known log has signed it for the certificate.
struct CountedTimestamp: Hashable {
    /// The SHA-256 of the log's key.
    let log: [UInt8]
    /// The log and its operator, for messages.
    let title: String
    /// The operator of the log.
    let `operator`: String
    /// Whether the log is approved at the time of the judgement.
    let isCurrent: Bool
    let source: TimestampCollection.Source
}

/// The result of checking a ``TransparencyDemand``.
package struct TransparencyFinding: Hashable, Sendable {
    /// Whether the timestamps are those that the rules demand.
    package let isMet: Bool
    /// The timestamps that count, and those that do not with the reasons, in a sentence.
    package let detail: String

    init(isMet: Bool, _ detail: String) {
        self.isMet = isMet
        self.detail = detail
    }

    init(
        _ rules: TransparencyRules,
        _ counted: [CountedTimestamp],
        _ refused: [String],
        lifetime: Int,
        hasList: Bool
    ) {
        isMet = rules.areMet(by: counted, lifetime: lifetime)
        var words: [String] = counted.map {
            "\($0.title)\($0.isCurrent ? "" : ", retired") (\($0.source.rawValue))"
        }
        if words.isEmpty { words = ["none"] }
        var text = isMet ? "" : "expected timestamps of \(rules.words(lifetime: lifetime)), found "
        text += counted.count == 1 ? "1 timestamp that counts" : "\(counted.count) timestamps that count"
        text += ": \(words.joined(separator: ", "))"
        if !refused.isEmpty { text += "; not counted: \(refused.joined(separator: ", "))" }
        if !hasList { text += "; without a list of logs, signatures are not checked" }
        detail = text
    }
}

extension TransparencyRules {
    /// Whether these timestamps are enough for a certificate with a lifetime of so many days.
    fileprivate func areMet(by counted: [CountedTimestamp], lifetime: Int) -> Bool {
        let needed = logs(forDays: lifetime)
        if case .logs = self { return Set(counted.map(\.log)).count >= needed }
        let current = counted.filter(\.isCurrent)
        let embedded = counted.filter { $0.source == .certificate }
        if embedded.contains(where: \.isCurrent), logs(of: embedded, lifetime: lifetime) >= needed,
            Set(embedded.map(\.operator)).count >= 2
        {
            return true
        }
        switch self {
        case .apple:
            return Set(current.map(\.log)).count >= 2 && current.contains { $0.source != .certificate }
        default:
            let delivered = current.filter { $0.source != .certificate }
            return Set(delivered.map(\.log)).count >= 2 && Set(delivered.map(\.operator)).count >= 2
        }
    }

    /// The number of different logs, of which only some count for each operator.
    private func logs(of counted: [CountedTimestamp], lifetime: Int) -> Int {
        let most = mostOfOperator(forDays: lifetime) ?? .max
        return Dictionary(grouping: counted, by: \.operator).values.reduce(0) {
            $0 + min(most, Set($1.map(\.log)).count)
        }
    }

    /// The demand in words.
    fileprivate func words(lifetime: Int) -> String {
        let logs = logs(forDays: lifetime)
        let count = "\(logs) log\(logs == 1 ? "" : "s")"
        if case .logs = self { return count }
        return "\(count) of 2 operators, one of which is approved today"
    }
}

extension CertificateFacts {
    /// The days of the validity: a day has 86,400 seconds, notAfter is included, and each day that was begun counts.
    fileprivate var lifetimeDays: Int { Int((notAfter.seconds - notBefore.seconds + 86_400) / 86_400) }
}

extension ChainAnswer {
    /// The answer with the demand of the question checked: a path that is not logged as demanded is a fault.
    package func logged(
        as question: ChainQuestion,
        isSigned: (_ key: [UInt8], _ bytes: [UInt8], _ signature: [UInt8]) -> Bool
    ) -> ChainAnswer {
        guard let demand = question.transparency, let path,
            let finding = demand.finding(about: path, at: question.time, isSigned: isSigned)
        else { return self }
        guard finding.isMet else {
            return ChainAnswer(
                fault: ChainFault(.notLogged, depth: 0, finding.detail),
                built: path.certificates
            )
        }
        var answer = self
        answer.transparency = finding
        return answer
    }
}
