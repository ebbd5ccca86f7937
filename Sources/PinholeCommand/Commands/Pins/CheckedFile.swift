import PinholeFiles
import PinholePolicies
import PinholeReports
import PinholeTrust

/// A policy file, as far as it can be read, and what was found in it.
struct CheckedFile {
    /// The file, as findings name it.
    let name: String
    /// The policy; `nil` if the file has none that can be used.
    let policy: PolicyFile?
    /// The findings, the worst first.
    let findings: [LintFinding]
    private let lines: PolicyLines?

    /// Whether a finding is a fault.
    var isFaulty: Bool { findings.contains(where: \.isFault) }

    /// Whether the file does not decide a question.
    var isUnproven: Bool { findings.contains { $0.severity == .unproven } }

    /// Whether the file is none that holds a policy.
    var isForeign: Bool { policy == nil && findings.allSatisfy { $0.code == .unreadable && $0.path.isEmpty } }

    /// The findings, for reports.
    var report: LintReport.File { LintReport.File(name, findings, lines: lines) }

    /// Reads and checks a file.
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - path: The file.
    ///   - files: The files that it may name.
    ///   - options: The facts that the reader has to know beside the file.
    ///   - lint: The check.
    init(
        _ content: [UInt8],
        at path: String,
        _ files: FileAccess,
        _ options: PolicyFile.Options,
        _ lint: PolicyLint
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
        findings = LintFinding.sorted(
            read + (policy?.policies.flatMap { lint.findings(for: $0) } ?? [])
        )
        lines = PolicyLines(content)
    }
}
