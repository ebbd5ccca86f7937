package import PinholeModel

/// The meaning of the pins of several policies for each host.
///
/// The apps and scripts of one service pin the same server, each in a file of its own platform. A key that one file
/// lacks locks out one platform on the day of its use.
package struct PinParity: Sendable {
    /// A part of the meaning of pins.
    package enum Aspect: String, Hashable, Sendable, CaseIterable {
        /// The pinned keys and certificates.
        case pins
        /// The hosts below that have the same pins.
        case subdomains
        /// The ports at which the pins hold.
        case ports
        /// The date after which nothing is pinned.
        case expiration
        /// Whether another key is refused.
        case enforcement
    }

    /// The hosts below a host that have its pins.
    package enum Depth: String, Hashable, Sendable, CaseIterable {
        /// No host below has the pins.
        case none
        /// Hosts with one more label have them.
        case oneLabel
        /// Every host below has them.
        case all
    }

    /// The meaning of the pins of one policy for one host.
    package struct Meaning: Hashable, Sendable {
        /// The lists of which each needs a match, with their pins as text: `sha256/…` for the digest of a key,
        /// `certificate sha256/…` for a whole certificate.
        package let lists: Set<Set<String>>
        /// The pins of all lists, without duplicates, in the order of the settings.
        package let pins: [String]
        /// The hosts below that have the same pins; `nil` if the policy names no host, and pins every one.
        package let subdomains: Depth?
        /// The ports at which the pins hold; empty for every port.
        package let ports: [UInt16]
        /// The date after which nothing is pinned; `nil` if there is none.
        package let expiration: Timestamp?
        /// Whether a valid chain with another key is refused.
        package let isEnforced: Bool
        /// Whether such a chain is refused if the user installed its root.
        package let isEnforcedForUserAnchors: Bool
    }

    /// A host with the meaning of each policy.
    package struct Row: Sendable {
        /// The host for which the policies are asked.
        package let host: Host
        /// The meanings in the order of the policies; `nil` for a policy that pins nothing for the host.
        package let meanings: [Meaning?]
        /// The parts in which the meanings differ; empty if all are the same.
        package let differences: [Aspect]

        init(_ host: Host, _ meanings: [Meaning?]) {
            self.host = host
            self.meanings = meanings
            let known = meanings.compactMap(\.self)
            differences = Aspect.allCases.filter { aspect in
                switch aspect {
                case .pins: Set(meanings.map { $0?.lists ?? [] }).count > 1
                case .subdomains: Set(known.compactMap(\.subdomains)).count > 1
                case .ports: Set(known.map(\.ports)).count > 1
                case .expiration: Set(known.map(\.expiration)).count > 1
                case .enforcement:
                    Set(known.map { [$0.isEnforced, $0.isEnforcedForUserAnchors] }).count > 1
                }
            }
        }

        /// Returns the row of the policies that pin something for the host, and their numbers.
        package func ofPinning() -> (policies: [Int], row: Row) {
            let policies = meanings.indices.filter { meanings[$0] != nil }
            return (policies, Row(host, policies.map { meanings[$0] }))
        }
    }

    /// The given hosts, and the hosts that the policies name, in their order.
    package let rows: [Row]

    /// Compares policies.
    ///
    /// - Parameters:
    ///   - policies: The policies.
    ///   - hosts: Hosts to compare even if no policy names them.
    ///   - time: The moment at which pins are enforced or have expired.
    ///   - digest: Computes a SHA-256.
    package init(
        _ policies: [any TrustPolicy],
        for hosts: [Host] = [],
        at time: Timestamp,
        digest: ([UInt8]) -> [UInt8]
    ) {
        let named = policies.flatMap(\.scopes).compactMap { scope in
            scope.example ?? (try? Host(scope.text)).flatMap { scope.matches($0) ? $0 : nil }
        }
        var seen: Set<Host> = []
        rows = (hosts + named).filter { seen.insert($0).inserted }.map { host in
            Row(host, policies.map { Self.meaning(of: $0, for: host, at: time, digest) })
        }
    }

    private static func meaning(
        of policy: any TrustPolicy,
        for host: Host,
        at time: Timestamp,
        _ digest: ([UInt8]) -> [UInt8]
    ) -> Meaning? {
        let (lists, pins) = pins(of: policy, for: host, digest)
        guard !lists.isEmpty else { return nil }
        let scopes = policy.scopes
        let ports = Set(scopes.filter { $0.matches(host) }.map(\.port))
        let authority = Authority(
            host: host,
            port: ports.contains(nil) ? 443 : ports.compactMap(\.self).min() ?? 443
        )
        return Meaning(
            lists: lists,
            pins: pins,
            subdomains: scopes.isEmpty || host.name == nil
                ? nil : depth(below: host) { self.pins(of: policy, for: $0, digest).lists == lists },
            ports: ports.contains(nil) ? [] : ports.compactMap(\.self).sorted(),
            expiration: policy.pinLists.filter { isCompared($0, for: host) }.compactMap(\.expiration).min(),
            isEnforced: refusesOtherKeys(policy, authority, time),
            isEnforcedForUserAnchors: refusesOtherKeys(policy, authority, time, isOfUser: true)
        )
    }

    private static func depth(below host: Host, _ isAlike: (Host) -> Bool) -> Depth {
        let below = HostStanding.host(below: host)
        guard isAlike(below) else { return .none }
        return isAlike(HostStanding.host(below: below)) ? .all : .oneLabel
    }

    private static func isCompared(_ list: PinList, for host: Host) -> Bool {
        list.comparison != .nothing && !list.values.isEmpty && list.holds(for: host)
    }

    private static func pins(
        of policy: any TrustPolicy,
        for host: Host,
        _ digest: ([UInt8]) -> [UInt8]
    ) -> (lists: Set<Set<String>>, pins: [String]) {
        let all = policy.pinLists
        let united = PinnedList.united(all) { isCompared($0, for: host) }
        let texts = united.map { list in
            zip(list.list.values, list.places).map { text(of: $0, all[$1.list].comparison, digest) }
        }
        var seen: Set<String> = []
        return (Set(texts.map { Set($0) }), texts.joined().filter { seen.insert($0).inserted })
    }

    private static func text(
        of value: PinnedValue,
        _ comparison: PinList.Comparison,
        _ digest: ([UInt8]) -> [UInt8]
    ) -> String {
        // A mechanism that compares keys reads no more than the key of a certificate.
        if let certificate = value.certificate, comparison == .keys { return certificate.pinText }
        return switch value.notation {
        case .keySHA256: "sha256/\(Base64.encode(value.bytes))"
        case .key: "sha256/\(Base64.encode(digest(value.bytes)))"
        case .keySHA1: "sha1/\(Base64.encode(value.bytes))"
        case .keySHA512: "sha512/\(Base64.encode(value.bytes))"
        case .rawKeySHA256: "raw key sha256/\(Base64.encode(value.bytes))"
        case .certificate: "certificate sha256/\(Base64.encode(digest(value.bytes)))"
        case .certificateSHA256: "certificate sha256/\(Base64.encode(value.bytes))"
        case .certificateSHA512: "certificate sha512/\(Base64.encode(value.bytes))"
        }
    }

    /// Whether a policy refuses a chain that is valid but has keys that nobody pinned.
    private static func refusesOtherKeys(
        _ policy: any TrustPolicy,
        _ authority: Authority,
        _ time: Timestamp,
        isOfUser: Bool = false
    ) -> Bool {
        let path = AssumedPath.unpinned(for: authority.host, at: time)
        let verdict = path.judged(
            by: policy,
            for: authority.host,
            port: authority.port,
            at: time,
            isOfUser: isOfUser
        )
        if case .rejected = verdict { return true }
        return false
    }
}
