package import PinholeModel

/// The way in which the client of a policy treats the servers of one host, found by chains that nobody has issued.
package struct HostStanding: Hashable, Sendable {
    /// The protection of a host.
    package enum Protection: String, Hashable, Sendable, CaseIterable {
        /// The settings have pins for the host.
        case pinned
        /// The client refuses every server of the host.
        case refused
        /// The client validates certificates, and compares no pin.
        case notPinned
        /// The client accepts a valid certificate for any other host.
        case anyName
        /// The client accepts every certificate.
        case acceptsEverything
    }

    /// The protection of the host.
    package let protection: Protection
    /// The checks of the policy for each chain, and the form of its pins; equal for hosts that are treated alike.
    private let traits: [String]

    /// Asks a policy about a host.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - authority: The host and its port.
    ///   - time: The present.
    package init(_ policy: any TrustPolicy, for authority: Authority, at time: Timestamp) {
        let host = authority.host
        let probes = Probe.Kind.allCases.map { kind in
            Probe(kind, for: authority, at: time).answer(of: policy)
        }
        let accepted = Set(probes.filter(\.isAccepted).map(\.kind))
        let lists = policy.pinnedLists(for: host)
        protection =
            !lists.isEmpty
            ? .pinned
            : accepted.contains(.untrusted)
                ? .acceptsEverything
                : accepted.contains(.wrongName)
                    ? .anyName
                    // CAs of the user alone are trusted, too, if anybody can install them.
                    : accepted.isDisjoint(with: [.valid, .userAnchor]) ? .refused : .notPinned
        let below = Self.host(below: host)
        let listsBelow = policy.pinnedLists(for: below)
        let probesBelow = Probe.Kind.allCases.map { kind in
            let place = Authority(host: below, port: authority.port)
            return Probe(kind, for: place, at: time).answer(of: policy).trait
        }
        traits =
            probes.map(\.trait) + probesBelow + lists.map(Self.trait) + listsBelow.map(Self.trait)
            + [
                "\(lists == listsBelow)", "\(policy.refusalOfCleartext(to: host) == nil)",
                "\(policy.soundSettings(for: authority, by: nil).map(\.rawValue))",
            ]
    }

    /// A name below a host; its label is longer than any that people choose, so that no document names it.
    package static func host(below host: Host) -> Host {
        .name("pinhole-asks-for-a-name-that-nobody-has.\(host)")
    }

    /// A host that no document names.
    package static let unnamedHost = host(below: .name("example"))

    private static func trait(of list: PinnedList) -> String {
        "\(list.position) \(list.values.map { "\($0.notation) \($0.certificate?.isAuthority ?? false)" })"
    }
}

/// A chain by which a policy shows one of its checks.
private struct Probe {
    /// The quality of the chain, whose keys no policy pins.
    enum Kind: CaseIterable {
        /// The chain is valid.
        case valid
        /// The device does not trust its root.
        case untrusted
        /// The user installed its root.
        case userAnchor
        /// The leaf names another host.
        case wrongName
        /// The certificates have expired.
        case expired
        /// The chain is valid, and pins with an end have expired.
        case later
    }

    private static let lateEnough = Duration.seconds(100 * 365 * 86_400)

    let kind: Kind
    private let path: AssumedPath
    private let evidence: Evidence
    private let authority: Authority

    init(_ kind: Kind, for authority: Authority, at now: Timestamp) {
        self.kind = kind
        self.authority = authority
        let time = kind == .later ? now + Self.lateEnough : now
        let named = kind == .wrongName ? HostStanding.unnamedHost : authority.host
        let other = Host.name("another-host.example")
        var path = AssumedPath.unpinned(
            for: named == authority.host && kind == .wrongName ? other : named,
            at: kind == .expired ? time - Self.lateEnough : time
        )
        path.checksName = true
        self.path = path
        let root = path.certificates.suffix(1)
        var evidence = Evidence(
            host: authority.host,
            presented: PresentedChain(path.certificates),
            anchors: kind == .untrusted ? [] : Array(root),
            time: time
        )
        evidence.port = authority.port
        if kind == .userAnchor { evidence.userAnchors = Set(root.map(\.sha256)) }
        self.evidence = evidence
    }

    /// Asks a policy, and default handling if the policy has nothing to say.
    func answer(of policy: any TrustPolicy) -> (kind: Kind, isAccepted: Bool, trait: String) {
        let judgement = policy.judge(evidence, with: path)
        var isAccepted = true
        switch judgement.verdict {
        case .trusted: break
        case .rejected: isAccepted = false
        case .notApplicable:
            let usual = policy.defaultHandling(of: authority).judge(evidence, with: path)
            if case .rejected = usual.verdict { isAccepted = false }
        }
        let checks = judgement.checks.map { "\($0.name): \($0.outcome)" }
        return (kind, isAccepted, "\(isAccepted) \(checks)")
    }
}
