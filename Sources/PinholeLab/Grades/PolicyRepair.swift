import PinholeModel
import PinholeTrust

/// A change of a policy's settings that repairs cells, found by trying each change on the policy's semantics.
///
/// If two changes repair the same number of cells, the first one in this order is chosen.
enum PolicyRepair: CaseIterable {
    case settings
    case lifetime
    case overrides
    case hosts
    case backup
    case certificate
    case presented
    case validation
    case name
    case purpose
    case cleartext

    /// Applies this change alone.
    func apply(_ judging: inout JudgingSemantics) {
        let leaves: Set<KeyHolder> = [.leaf, .backupLeaf]
        switch self {
        case .settings: judging.refusesEverybody = false
        case .lifetime: judging.pinLifetime = .endless
        case .overrides: judging.pinsYieldTo = []
        case .hosts where judging.pins.isEmpty: judging.pins = [.init(.key, of: leaves, in: .path)]
        case .hosts: break
        case .backup:
            judging.pins = judging.pins.map { list in
                var list = list
                if list.holders.contains(.leaf) { list.holders.insert(.backupLeaf) }
                if list.holders.contains(.intermediate) { list.holders.insert(.backupIntermediate) }
                return list
            }
        case .certificate:
            judging.pins = judging.pins.map { list in
                list.part == .certificate
                    ? JudgingSemantics.PinList(.key, of: list.holders.union(leaves), in: list.place) : list
            }
            // AFNetworking takes pinned certificates as anchors.
            let pinned = judging.evaluations.filter { $0.contains(.certificate(.leaf)) }
            guard !pinned.isEmpty else { break }
            judging.evaluations.removeAll { pinned.contains($0) }
            judging.pins.append(.init(.key, of: leaves, in: .path))
        case .presented:
            judging.pins = judging.pins.map { list in
                var list = list
                if list.place == .presented { list.place = .path }
                return list
            }
        case .validation where judging.evaluations.isEmpty: judging.evaluations = [JudgingSemantics.device]
        case .validation: break
        case .name: judging.checksName = true
        case .purpose: judging.checksPurpose = true
        case .cleartext: judging.refusesCleartext = true
        }
    }

    /// The advice to make this change, for a policy without a finding that gives the advice in its own terms.
    func sentence(for host: String) -> String {
        switch self {
        case .settings: "The settings refuse every server: mend those that contradict each other."
        case .lifetime:
            "The pins do not count (expired, or mismatches are only reported): enforce pins without a date."
        case .overrides: "Chains to some CAs pass without a pin: remove the exception."
        case .hosts:
            "No pin holds for \(host): name \(host) in the policy, or include the subdomains of the domain that it names."
        case .backup: "Add the pin of a backup key that is kept offline (docs/PINS.md#a-backup-key)."
        case .certificate: "Pin the keys of the server and of its backup instead of the whole certificate."
        case .presented: "Compare the pins with the validated chain, not with what the server sent."
        case .validation: "Switch the validation of the chain on."
        case .name: "Switch the check of the host name on."
        case .purpose: "Check that the certificate is for servers (extended key usage)."
        case .cleartext: "Refuse http for the host."
        }
    }

    /// The codes of the findings whose remedy is this change.
    var codes: Set<LintFinding.Code> {
        switch self {
        case .settings: [.unreadable]
        case .lifetime: [.expired, .expiresSoon, .notEnforced, .reportOnly]
        case .overrides: [.overridden]
        case .hosts: [.pinsIgnored]
        case .backup: [.noBackup]
        case .certificate: [.leafCertificate]
        case .presented, .purpose: []
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
        guard case .known(var semantics) = semantics(for: target) else {
            return "\(first.remedy.asSentence)"
        }
        var sentences: [String] = []
        var rest = failing
        while !rest.isEmpty, sentences.count < Self.mostSentences {
            let tries = PolicyRepair.allCases.map { repair in
                let repaired = semantics.judging(repair.apply)
                return (
                    repair: repair, semantics: repaired, rest: rest.filter { !$0.comesOutRight(repaired) }
                )
            }
            guard let best = tries.min(by: { $0.rest.count < $1.rest.count }), best.rest.count < rest.count
            else { break }
            let finding = findings.first { best.repair.codes.contains($0.code) }
            sentences.append(finding?.remedy ?? best.repair.sentence(for: target.world.host.description))
            semantics = best.semantics
            rest = best.rest
        }
        return sentences.isEmpty ? first.remedy.asSentence : sentences.joined(separator: " ")
    }

    /// The advice for a policy that refuses its own server: the first error in its document, and the remedy.
    var adviceOnRefusal: String? {
        findings.first { $0.severity == .error }.map { "\($0.sentence) \($0.remedy)" }
    }
}

extension Scenario {
    /// Whether a client with these semantics behaves as a correct client.
    fileprivate func comesOutRight(_ semantics: PolicySemantics) -> Bool {
        facts.map { outcome(Prediction($0, semantics).decision) == expected } ?? true
    }
}
