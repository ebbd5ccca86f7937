import PinholeModel
import PinholeTrust

/// A change of a policy's settings that repairs cells.
///
/// If two changes repair the same number of cells, the first one in this order is chosen.
enum PolicyRepair: CaseIterable {
    case hosts
    case overrides
    case lifetime
    case presented
    case backup
    case certificate
    case validation
    case name
    case purpose
    case cleartext

    /// The checks that the change adds against attacks, or that it drops because they refuse changes.
    private var safeguards: Safeguards {
        switch self {
        case .hosts, .overrides, .lifetime, .presented: .keys
        case .backup: .seenKey
        case .certificate: .leafCertificate
        case .validation: .validation
        case .name: [.name, .alternativeName]
        case .purpose: .purpose
        case .cleartext: .cleartext
        }
    }

    /// Whether the change repairs the cell of a scenario in which the policy fails.
    func repairs(_ scenario: Scenario) -> Bool {
        let isDropped = self == .backup || self == .certificate
        guard (scenario.kind == .change) == isDropped else { return false }
        // A policy that names a host leaves the names of other hosts to default handling.
        if self == .name, scenario.refusedBy.contains(.otherHosts) { return false }
        return !safeguards.isDisjoint(with: scenario.refusedBy)
    }

    /// The advice to make this change, for a policy without a finding that gives the advice in its own terms.
    func sentence(for host: String) -> String {
        switch self {
        case .hosts:
            "No pin holds for \(host): name \(host) in the policy, or include the subdomains of the domain that it names."
        case .overrides: "Chains to some CAs pass without a pin: remove the exception."
        case .lifetime:
            "The pins do not count (expired, or mismatches are only reported): enforce pins without a date."
        case .presented: "Compare the pins with the validated chain, not with what the server sent."
        case .backup: "Add the pin of a backup key that is kept offline (docs/PINS.md#a-backup-key)."
        case .certificate: "Pin the keys of the server and of its backup instead of the whole certificate."
        case .validation: "Switch the validation of the chain on."
        case .name: "Switch the check of the host name on."
        case .purpose: "Check that the certificate is for servers (extended key usage)."
        case .cleartext: "Refuse http for the host."
        }
    }

    /// The codes of the findings whose remedy is this change.
    var codes: Set<LintFinding.Code> {
        switch self {
        case .hosts: [.pinsIgnored]
        case .overrides: [.overridden]
        case .lifetime: [.expired, .expiresSoon, .notEnforced, .reportOnly]
        case .presented, .purpose: []
        case .backup: [.noBackup]
        case .certificate: [.leafCertificate]
        case .validation: [.invalidAllowed]
        case .name: [.authorityWithoutHost]
        case .cleartext: [.cleartext, .weakTransport]
        }
    }
}

extension LabPolicy {
    /// The most sentences of advice for one policy.
    private static let mostSentences = 2

    /// The changes that make the policy behave as a correct client, the most effective change first.
    ///
    /// - Parameters:
    ///   - failing: The scenarios in which the policy does not behave as a correct client.
    ///   - target: The server that the policy is made for.
    /// - Returns: One or two sentences; `nil` if nothing fails.
    func advice(on failing: [Scenario], for target: Target) -> String? {
        guard let first = failing.first else { return nil }
        var sentences: [String] = []
        var repairs = applicableRepairs(failing, for: target)
        var rest = failing
        while !rest.isEmpty, sentences.count < Self.mostSentences {
            let tries = repairs.map { repair in (repair: repair, rest: rest.filter { !repair.repairs($0) }) }
            guard let best = tries.min(by: { $0.rest.count < $1.rest.count }), best.rest.count < rest.count
            else { break }
            sentences.append(
                finding(for: best.repair)?.remedy
                    ?? best.repair.sentence(for: (subject ?? target.world.host).description)
            )
            repairs.removeAll { $0 == best.repair }
            rest = best.rest
        }
        return sentences.isEmpty ? first.remedy.asSentence : sentences.joined(separator: " ")
    }

    /// The changes that the settings of the policy leave to make.
    private func applicableRepairs(_ failing: [Scenario], for target: Target) -> [PolicyRepair] {
        guard let policy = try? make(target), !findings.isEmpty || !policy.pinLists.isEmpty else { return [] }
        let isPinned = !policy.pinnedLists(for: target.world.host).isEmpty && finding(for: .hosts) == nil
        let passed = failing.filter { PolicyRepair.hosts.repairs($0) }
        let isUserException = passed.allSatisfy { $0.refusedBy.contains(.systemPath) }
        // Every client that validates looks at the dates.
        let validates = !failing.contains {
            PolicyRepair.validation.repairs($0) && $0.refusedBy.contains(.validity)
        }
        return PolicyRepair.allCases.filter { repair in
            switch repair {
            case .hosts: !isPinned
            case .overrides:
                isPinned && finding(for: repair) != nil && (isUserException || finding(for: .lifetime) == nil)
            case .lifetime: isPinned && finding(for: repair) != nil
            case .presented: isPinned
            case .validation: !validates
            case .name, .purpose: validates
            case .certificate: policy.pinLists.contains { $0.comparison == .certificates }
            case .backup, .cleartext: true
            }
        }
    }

    private func finding(for repair: PolicyRepair) -> LintFinding? {
        findings.first { repair.codes.contains($0.code) }
    }

    /// The advice for a policy that refuses its own server: the first error in its document, and the remedy.
    var adviceOnRefusal: String? {
        findings.first { $0.severity == .error }.map { "\($0.sentence) \($0.remedy)" }
    }
}
