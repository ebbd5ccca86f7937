package import PinholeModel

/// What a lint looks at: the pins of a policy, wherever its mechanism keeps them.
package struct PolicyOutline: Sendable {
    /// One list of pins, and what it is for.
    package struct PinList: Sendable {
        /// Which certificates of a chain the mechanism compares.
        package enum Position: Hashable, Sendable {
            /// The leaf.
            case leaf
            /// Everything above the leaf.
            case authorities
            /// Any.
            case any
        }

        /// Where the list is in its document.
        package var path: String
        /// What decides whether the list holds for a host; `nil` where it holds for all.
        package var scope: Scope?
        /// The pins.
        package var pins: [Pin]
        /// Which certificates they are compared with.
        package var position = Position.any
        /// When they end.
        package var expiration: Timestamp?
        /// Whether what is compared is the raw key, not the SubjectPublicKeyInfo.
        package var isRaw = false
        /// The certificates that are compared whole; empty where keys are.
        package var certificates: [CertificateFacts] = []
        /// Whether the mechanism refuses pins none of which is a spare key (HPKP).
        package var demandsBackup = false

        /// Creates a list.
        package init(path: String, scope: Scope?, pins: [Pin]) {
            self.path = path
            self.scope = scope
            self.pins = pins
        }
    }

    /// The hosts that a list holds for.
    package struct Scope: Sendable {
        /// As the document writes it.
        package var text: String
        /// Why no host can match; `nil` where one can.
        package var fault: String?
        /// The port that it is for; `nil` for every port.
        package var port: UInt16?
        /// Whether a host matches.
        package var matches: @Sendable (Host) -> Bool

        /// Creates a scope.
        package init(_ text: String, fault: String? = nil, matches: @escaping @Sendable (Host) -> Bool) {
            self.text = text
            self.fault = fault
            self.matches = matches
        }

        /// The scope of a domain.
        package init(_ rule: DomainRule) {
            self.init(rule.domain, fault: rule.fault) { rule.matches($0.description) }
        }
    }

    /// The lists of pins.
    package var lists: [PinList]
    /// Keys that were seen before.
    package var knownKeys: [KnownHosts.Entry]
    /// What the mechanism's settings give away.
    package var findings: [LintFinding]

    /// Creates an outline.
    package init(
        lists: [PinList] = [],
        knownKeys: [KnownHosts.Entry] = [],
        findings: [LintFinding] = []
    ) {
        self.lists = lists
        self.knownKeys = knownKeys
        self.findings = findings
    }
}

/// A policy that a lint can look into.
package protocol OutlinedPolicy: TrustPolicy {
    /// Its pins and what its settings give away.
    var outline: PolicyOutline { get }
}
