package import PinholeModel

/// Looks for what goes wrong with pins, before it goes wrong.
package struct PolicyLint: Sendable {
    /// The present.
    package var time: Timestamp
    /// Hosts that the policy is for; empty where they are not known.
    package var hosts: [Host]
    /// The chain that the server sends, leaf first; empty where it is not known.
    package var chain: [CertificateFacts]

    /// Creates a lint.
    ///
    /// - Parameters:
    ///   - time: The present.
    ///   - hosts: Hosts that the policy is for.
    ///   - chain: The chain that the server sends, leaf first.
    package init(time: Timestamp, hosts: [Host] = [], chain: [CertificateFacts] = []) {
        self.time = time
        self.hosts = hosts
        self.chain = chain
    }

    /// What is found about a policy, the worst first.
    package func findings(for policy: any TrustPolicy) -> [LintFinding] {
        guard let outlined = policy as? any OutlinedPolicy else { return [] }
        let outline = outlined.outline
        let own =
            outline.findings + outline.lists.flatMap(findings) + missing(in: outline.lists)
            + findings(outline.knownKeys)
        return LintFinding.sorted(own)
    }

    private func findings(_ list: PolicyOutline.PinList) -> [LintFinding] {
        var findings = repetition(list)
        if let finding = expiration(list) { findings.append(finding) }
        if let finding = scope(list) { findings.append(finding) }
        return findings + rawKeys(list)
    }

    private func repetition(_ list: PolicyOutline.PinList) -> [LintFinding] {
        var seen: Set<Pin> = []
        var findings: [LintFinding] = []
        for pin in list.pins where !seen.insert(pin).inserted {
            findings.append(
                LintFinding(
                    .duplicate,
                    .warning,
                    at: list.path,
                    "\(pin) is there twice.",
                    remedy: "Remove one; a backup pin has to be another key's."
                )
            )
        }
        if seen.count == 1 {
            findings.append(
                LintFinding(
                    .noBackup,
                    .warning,
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

    private func expiration(_ list: PolicyOutline.PinList) -> LintFinding? {
        guard let date = list.expiration else { return nil }
        let remedy = "Ship new pins with a later date, or leave the date out."
        if date < time {
            return LintFinding(
                .expired,
                .error,
                at: list.path,
                "The pins expired on \(CalendarDate.text(date)): nothing is pinned since.",
                remedy: remedy
            )
        }
        guard date < time + .seconds(30 * 86_400) else { return nil }
        return LintFinding(
            .expiresSoon,
            .warning,
            at: list.path,
            "The pins expire on \(CalendarDate.text(date)): nothing is pinned from then on, and nobody is told.",
            remedy: remedy
        )
    }

    private func scope(_ list: PolicyOutline.PinList) -> LintFinding? {
        guard let scope = list.scope else { return nil }
        if let fault = scope.fault {
            return LintFinding(
                .neverMatches,
                .error,
                at: list.path,
                "No host can match “\(scope.text)”: \(fault).",
                remedy: "Write the host as it stands in a URL, in lower case."
            )
        }
        guard !hosts.isEmpty, !hosts.contains(where: scope.matches) else { return nil }
        return LintFinding(
            .matchesNothing,
            .warning,
            at: list.path,
            "“\(scope.text)” matches none of \(hosts.map(\.description).joined(separator: ", ")).",
            remedy: "Check the spelling, and whether subdomains are included."
        )
    }

    private func rawKeys(_ list: PolicyOutline.PinList) -> [LintFinding] {
        guard !list.isRaw else { return [] }
        return list.pins.compactMap { pin in
            guard let owner = chain.first(where: { $0.rawKeySHA256 == pin.digest }) else { return nil }
            let right = owner.pinText
            return LintFinding(
                .rawKey,
                .error,
                at: list.path,
                "\(pin) is the hash of the raw key of \(owner.subject) (SecKeyCopyExternalRepresentation), not of its "
                    + "SubjectPublicKeyInfo: it never matches.",
                remedy: "Write \(right) instead."
            )
        }
    }

    /// A list that holds for a host, and none of whose pins is in the chain.
    ///
    /// Without hosts it is enough that one list matches: the others are for other servers.
    private func missing(in lists: [PolicyOutline.PinList]) -> [LintFinding] {
        guard !chain.isEmpty else { return [] }
        let open = lists.filter { !$0.pins.isEmpty && $0.scope?.fault == nil }
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
            LintFinding(
                .noMatch,
                .error,
                at: list.path,
                "No pin matches the given chain\(list.scope.map { " of “\($0.text)”" } ?? ""): connections would fail.",
                remedy: "The chain's pins are \(pins).\(root)"
            )
        }
    }

    private func matches(_ list: PolicyOutline.PinList) -> Bool {
        let certificates =
            switch list.position {
            case .leaf: Array(chain.prefix(1))
            case .authorities: Array(chain.dropFirst())
            case .any: chain
            }
        if !list.certificates.isEmpty { return certificates.contains(where: list.certificates.contains) }
        return certificates.contains { certificate in
            list.pins.contains {
                list.isRaw ? $0.digest == certificate.rawKeySHA256 : $0.matches(certificate)
            }
        }
    }
}

extension LintFinding {
    /// The worst first, else in their order.
    package static func sorted(_ findings: [LintFinding]) -> [LintFinding] {
        Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
    }
}
