import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeReports
import PinholeSource
import PinholeTrust

/// A policy file, as far as it can be read, and what was found in it.
struct CheckedFile: Sendable {
    /// The file, as findings name it.
    let name: String
    /// The policy; `nil` if the file has none that can be used.
    let policy: PolicyFile?
    /// The findings, the worst first.
    let findings: [LintFinding]
    private let lines: PolicyLines?

    /// Whether a finding is a fault.
    var isFaulty: Bool { findings.contains(where: \.isFault) }

    /// Whether the file does not decide a question that nobody has accepted.
    ///
    /// - Parameter accepted: The accepted places, `FILE:LINE`.
    /// - Returns: Whether such a question is left.
    func isUnproven(accepting accepted: [String]) -> Bool {
        findings.contains { finding in
            let line = lines?.line(of: finding) ?? 1
            return finding.severity == .unproven
                && !accepted.contains {
                    $0 == "\(name):\(line)" || $0 == "\(FilePath.name(of: name)):\(line)"
                }
        }
    }

    /// Whether the file pins a host.
    func pins(_ host: Host) -> Bool {
        policy?.clients.contains { !$0.policy.pinnedLists(for: host).isEmpty } ?? false
    }

    /// Whether the file is none that holds a policy, or code in which nothing was found.
    var isForeign: Bool {
        policy?.policies.isEmpty != false && findings.allSatisfy(Self.isOfNoKind)
    }

    /// The row of the file in a table of several files; `nil` for a file without a fault or a question.
    var row: VerdictTable.Row? {
        guard let worst = findings.first(where: { $0.isFault || $0.severity == .unproven }) else {
            return nil
        }
        let count = findings.count { $0.isFault || $0.severity == .unproven }
        let more = count > 1 ? " (and \(count - 1) more)" : ""
        return VerdictTable.Row(
            name: name,
            verdict: worst.isFault ? "FAILED" : "NOT PROVEN",
            colour: worst.isFault ? .red : .cyan,
            detail: worst.sentence + more
        )
    }

    var report: LintReport.File { LintReport.File(name, findings, lines: lines) }

    /// Whether a finding says that the whole file is none that can be read.
    private static func isOfNoKind(_ finding: LintFinding) -> Bool {
        finding.code == .unreadable && finding.path.isEmpty
    }

    /// Reads and checks a file.
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - path: The file.
    ///   - files: The files that it may name.
    ///   - options: The facts that the reader has to know beside the file.
    ///   - lint: The check.
    ///   - isOneOfMany: Whether other files may pin the hosts.
    ///   - decision: The place at which the file decides what a client trusts, if no reader reads it, as far as known.
    init(
        _ content: [UInt8],
        at path: String,
        _ files: FileAccess,
        _ options: PolicyFile.Options,
        _ lint: PolicyLint,
        isOneOfMany: Bool = false,
        decision: TrustWords.Place? = nil
    ) {
        var options = options
        options.name = path
        let (policy, read) = PolicyFile.examine(
            content,
            options: options,
            files: files
        )
        name = path == "-" ? "stdin" : path
        self.policy = policy
        // Among other files, a file of no kind is no fault, and what was found in it is told alone.
        let known = isOneOfMany && policy == nil ? read.filter { !Self.isOfNoKind($0) } : read
        let found = LintFinding.sorted(
            known + (policy?.policies.flatMap { lint.findings(for: $0) } ?? [])
                + Self.openHosts(policy, content, lint, isOneOfMany)
        )
        // A file that passes may have switches that its readers do not know.
        let passes = found.allSatisfy { !$0.isFault && $0.severity != .unproven }
        let isRead = policy != nil || !found.isEmpty
        let place =
            passes && !SourceLanguage.isQuoting(path)
            ? (isRead ? nil : decision) ?? TrustWords.place(in: content, named: path, isRead: isRead) : nil
        findings = place.map { [Self.notJudged($0)] + found } ?? found
        lines = findings.isEmpty ? nil : PolicyLines(content, for: findings)
    }

    /// The findings about hosts of the check that the file does not pin.
    private static func openHosts(
        _ policy: PolicyFile?,
        _ content: [UInt8],
        _ lint: PolicyLint,
        _ isOneOfMany: Bool
    ) -> [LintFinding] {
        guard var policy, !lint.hosts.isEmpty else { return [] }
        policy.lines = policy.lines ?? PolicyLines(content)
        guard !policy.policies.isEmpty else {
            return isOneOfMany ? [] : lint.hosts.map { open("", "Nothing here pins \($0).", $0) }
        }
        let survey = HostSurvey(policy, at: lint.time, hosts: lint.hosts)
        return lint.hosts.flatMap { host in
            survey.openEntries(of: host).filter { $0.isNamed || !isOneOfMany }.map { entry in
                let what =
                    switch entry.standing.protection {
                    case .acceptsEverything: "Every certificate passes for \(host)"
                    case .anyName: "A valid certificate for any other host passes for \(host)"
                    default: entry.isNamed ? "\(host) is exempted from pins" : "Nothing here pins \(host)"
                    }
                let client = policy.clients.count > 1 ? " (\(policy.clients[entry.client].title))" : ""
                return open(entry.line.map { "line \($0)" } ?? "", "\(what)\(client).", host)
            }
        }
    }

    private static func open(_ path: String, _ sentence: String, _ host: Host) -> LintFinding {
        LintFinding(
            .notPinned,
            .error,
            at: path,
            sentence,
            remedy: "Pin \(host) itself, or include it in the pins of its parent."
        )
    }

    /// The finding about code that concerns trust and that no reader reads.
    private static func notJudged(_ place: TrustWords.Place) -> LintFinding {
        LintFinding(
            .notJudged,
            .unproven,
            at: "line \(place.line)",
            "\(place.word) decides what a client trusts, and no reader knows it here: \(place.text)",
            remedy: "Prove it with the program itself: pinhole audit -- COMMAND."
        )
    }
}
