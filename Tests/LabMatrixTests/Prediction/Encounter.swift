import PinholeTrust

/// What a client meets on one connection: the facts about a chain of certificates, without any policy.
struct Encounter: Hashable, Sendable {
    /// Which host was asked for.
    enum Asked: Hashable, Sendable, CaseIterable {
        /// The one that policies are for, however it is spelled.
        case meant
        /// A name below it.
        case subdomain
        /// The same server, by its address.
        case address
        /// One that no policy names.
        case foreign
    }

    /// What the path leads to.
    enum End: Hashable, Sendable, CaseIterable {
        /// A root of the device's own.
        case system
        /// A root that the user of the device installed.
        case user
        /// Nothing that the device trusts.
        case nowhere
    }

    /// What some verifiers permit and others refuse.
    enum Flaw: Hashable, Sendable, CaseIterable {
        /// The host's name stands in the common name alone.
        case commonName
        /// A key of RSA has 1024 bits.
        case shortKey
        /// A signature is over SHA-1.
        case weakDigest
        /// The leaf is not logged as platforms demand it.
        case unlogged
    }

    /// A stapled OCSP response that says “good”.
    enum Staple: Hashable, Sendable, CaseIterable {
        /// In its time.
        case fresh
        /// Out of date.
        case stale
    }

    /// Which host was asked for.
    var asked = Asked.meant
    /// The chain that is sent, leaf first.
    var presented: [ChainLink]
    /// The path as far as names and signatures lead, leaf first.
    var path: [ChainLink]
    /// Another path, which verifiers find that try every certificate; empty if there is none.
    var otherPath: [ChainLink] = []
    /// What it leads to.
    var end: End
    /// What is wrong with it, were its end trusted.
    var faults: Set<ChainFault.Kind> = []
    /// The fault if some verifiers permit it.
    var flaw: Flaw?
    /// The number of logs that the leaf has timestamps of, valid or not.
    var logs = 2
    /// Whether timestamps of two logs are valid.
    var isLogged = true
    /// What is stapled; `nil` for nothing.
    var staple: Staple?
    /// Whether the leaf says that a response has to be stapled (RFC 7633).
    var demandsStaple = false

    /// Creates an encounter with a chain.
    init(_ presented: [ChainLink], path: [ChainLink], end: End = .system) {
        self.presented = presented
        self.path = path
        self.end = end
    }

    /// The honest server.
    static let honest = below(.leaf)

    /// A leaf by the server's own CA.
    static func below(_ leaf: ChainLink, _ faults: ChainFault.Kind...) -> Encounter {
        var encounter = Encounter([leaf, .intermediate], path: [leaf, .intermediate, .root])
        encounter.faults = Set(faults)
        return encounter
    }

    /// A leaf for anybody's key by the CA of anybody.
    static func foreign(_ end: End) -> Encounter {
        Encounter([.other, .other], path: [.other, .other] + (end == .system ? [.other] : []), end: end)
    }

    /// A leaf that the proxy minted.
    static func minted(_ end: End) -> Encounter {
        Encounter([.other, .other], path: [.other, .other], end: end).unlogged()
    }

    /// The encounter with a leaf that is not logged.
    func unlogged() -> Encounter {
        with {
            $0.logs = 0
            $0.isLogged = false
        }
    }

    /// A leaf by the server's own CA whose timestamps are not those that platforms demand.
    static func misissued(logs: Int, isLogged: Bool = false) -> Encounter {
        below(.other, .notLogged).with {
            $0.flaw = .unlogged
            $0.logs = logs
            $0.isLogged = isLogged
        }
    }

    /// The encounter, changed.
    func with(_ change: (inout Encounter) -> Void) -> Encounter {
        var encounter = self
        change(&encounter)
        return encounter
    }
}
