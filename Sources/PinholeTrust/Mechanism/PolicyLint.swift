package import PinholeModel

/// Looks for faults in pins before they cause failures.
package struct PolicyLint: Sendable {
    /// The present.
    package var time: Timestamp
    /// The hosts that the policy is for; empty if they are unknown.
    package var hosts: [Host]
    /// The chain that the server sends, leaf first; empty if it is unknown.
    package var chain: [CertificateFacts]
    /// The public suffixes that are known.
    package var suffixes = PublicSuffixes.labels

    /// Creates a lint.
    ///
    /// - Parameters:
    ///   - time: The present.
    ///   - hosts: The hosts that the policy is for.
    ///   - chain: The chain that the server sends, leaf first.
    package init(time: Timestamp, hosts: [Host] = [], chain: [CertificateFacts] = []) {
        self.time = time
        self.hosts = hosts
        self.chain = chain
    }

    /// Returns the findings about a policy, the worst first.
    package func findings(for policy: any TrustPolicy) -> [LintFinding] {
        let lists = Self.united(policy.pinLists.filter { $0.comparison != .nothing })
        return LintFinding.sorted(
            policy.findings(in: self) + lists.flatMap(findings) + missing(in: lists)
        )
    }

    /// Joins the lists that count together for the same hosts.
    private static func united(_ lists: [PinList]) -> [PinList] {
        struct Union: Hashable {
            let mark: String
            let scope: String?
        }
        var result: [PinList] = []
        var indices: [Union: Int] = [:]
        for list in lists {
            let union = list.union.map { Union(mark: $0, scope: list.scope?.text) }
            if let known = union.flatMap({ indices[$0] }) {
                result[known].values += list.values
                result[known].position = .any
            } else {
                if let union { indices[union] = result.count }
                result.append(list)
            }
        }
        return result
    }

    private func findings(_ list: PinList) -> [LintFinding] {
        var findings = repetition(list)
        if let finding = expiration(list) { findings.append(finding) }
        if let finding = scope(list) { findings.append(finding) }
        return findings + rawKeys(list)
    }

    private func repetition(_ list: PinList) -> [LintFinding] {
        var seen: Set<Pin> = []
        var findings: [LintFinding] = []
        for pin in list.pins where !seen.insert(pin).inserted {
            findings.append(
                LintFinding.warning(
                    .duplicate,
                    at: list.path,
                    "\(pin) is there twice.",
                    remedy: "Remove one; a backup pin has to be another key's."
                )
            )
        }
        if seen.count == 1 {
            findings.append(
                LintFinding.warning(
                    .noBackup,
                    at: list.path,
                    "There is one pin only: when its key is lost or replaced, every installed copy of the app is cut off.",
                    remedy: "Add the pin of a backup key that is kept offline (docs/PINS.md#a-backup-key)."
                )
            )
        }
        let keys = Set(chain.map(\.spkiSHA256))
        if seen.count > 1, !chain.isEmpty, list.position == .any,
            seen.allSatisfy({ keys.contains($0.digest) })
        {
            findings.append(
                LintFinding(
                    .backupInUse,
                    list.demandsBackup ? .error : .hint,
                    at: list.path,
                    "Every pin is of the given chain: none of them is a spare key.",
                    remedy: "Add the pin of a key that is not in use yet (RFC 7469 §2.5 demands one)."
                )
            )
        }
        return findings
    }

    private func expiration(_ list: PinList) -> LintFinding? {
        guard let date = list.expiration else { return nil }
        let remedy = "Ship new pins with a later date, or leave the date out."
        if date < time {
            return LintFinding.error(
                .expired,
                at: list.path,
                "The pins expired on \(CalendarDate.text(date)): nothing is pinned since.",
                remedy: remedy
            )
        }
        guard date < time + .seconds(30 * 86_400) else { return nil }
        return LintFinding.warning(
            .expiresSoon,
            at: list.path,
            "The pins expire on \(CalendarDate.text(date)): nothing is pinned from then on, and nobody is told.",
            remedy: remedy
        )
    }

    private func scope(_ list: PinList) -> LintFinding? {
        guard let scope = list.scope else { return nil }
        if let fault = scope.fault {
            return LintFinding.error(
                .neverMatches,
                at: list.path,
                "No host can match “\(scope.text)”: \(fault).",
                remedy: "Write the host as it stands in a URL, in lower case."
            )
        }
        guard !hosts.isEmpty, !hosts.contains(where: scope.matches) else { return nil }
        return LintFinding.warning(
            .matchesNothing,
            at: list.path,
            "“\(scope.text)” matches none of \(hosts.map(\.description).joined(separator: ", ")).",
            remedy: "Check the spelling, and whether subdomains are included."
        )
    }

    private func rawKeys(_ list: PinList) -> [LintFinding] {
        guard list.comparison != .rawKeys else { return [] }
        return list.pins.compactMap { pin in
            guard let owner = chain.first(where: { $0.rawKeySHA256 == pin.digest }) else { return nil }
            let right = owner.pinText
            return LintFinding.error(
                .rawKey,
                at: list.path,
                "\(pin) is the hash of the raw key of \(owner.subject) (SecKeyCopyExternalRepresentation), not of its "
                    + "SubjectPublicKeyInfo: it never matches.",
                remedy: "Write \(right) instead."
            )
        }
    }

    /// The findings for lists that apply to a host but have no pin in the chain.
    ///
    /// Without hosts, one matching list is enough, since the other lists may be for other servers.
    private func missing(in lists: [PinList]) -> [LintFinding] {
        guard !chain.isEmpty else { return [] }
        let open = lists.filter { !$0.values.isEmpty && $0.scope?.fault == nil }
        let applicable =
            hosts.isEmpty ? open : open.filter { list in hosts.contains { list.scope?.matches($0) ?? true } }
        let failing = applicable.filter { !matches($0) }
        guard hosts.isEmpty ? failing.count == applicable.count : true else { return [] }
        let pins = chain.map { "sha256/\(Base64.encode($0.spkiSHA256)) (\($0.subject))" }.joined(
            separator: ", "
        )
        let hasRoot = chain.contains { $0.isSelfSigned && $0.isAuthority }
        let root =
            hasRoot ? "" : " The root, which servers do not send, is not among them: append it to the chain."
        return failing.map { list in
            LintFinding.error(
                .noMatch,
                at: list.path,
                "No pin matches the given chain\(list.scope.map { " of “\($0.text)”" } ?? ""): connections would fail.",
                remedy: "The chain's pins are \(pins).\(root)"
            )
        }
    }

    private func matches(_ list: PinList) -> Bool {
        let certificates =
            switch list.position {
            case .leaf: Array(chain.prefix(1))
            case .authorities: Array(chain.dropFirst())
            case .any: chain
            }
        switch list.comparison {
        case .certificates:
            let pinned = list.values.compactMap(\.certificate)
            return certificates.contains(where: pinned.contains)
        case .keys:
            let pins = list.pins
            return certificates.contains { certificate in pins.contains { $0.matches(certificate) } }
        case .rawKeys:
            let pins = list.pins
            return certificates.contains { certificate in
                pins.contains { $0.digest == certificate.rawKeySHA256 }
            }
        case .nothing: return true
        }
    }
}

extension LintFinding {
    /// Sorts findings by severity, the worst first, and otherwise keeps their order.
    package static func sorted(_ findings: [LintFinding]) -> [LintFinding] {
        Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
    }
}
