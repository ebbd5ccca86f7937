/// What a policy checks about a server.
struct JudgingSemantics: Hashable, Sendable {
    /// Where a path may end.
    enum Anchor: Hashable, Sendable {
        /// At the device's own roots.
        case system
        /// At those that the user of the device installed.
        case user
        /// At this certificate, wherever it is known from.
        case certificate(KeyHolder)
        /// At this certificate, where it was sent (DANE-TA).
        case sentCertificate(KeyHolder)
        /// At a certificate that was sent and holds this key (DANE-TA).
        case sentKey(KeyHolder)
    }

    /// Pins one of which has to match.
    struct PinList: Hashable, Sendable {
        /// What of a certificate is pinned.
        enum Part: Hashable, Sendable {
            /// All of it.
            case certificate
            /// Its key.
            case key
        }

        /// What it is compared with.
        enum Place: Hashable, Sendable {
            /// The leaf.
            case leaf
            /// The CAs of the path.
            case authorities
            /// The path; where none is asked to be valid, as far as it was built.
            case path
            /// Whatever was sent.
            case presented
        }

        /// What is pinned.
        var part: Part
        /// Whose.
        var holders: Set<KeyHolder>
        /// What it is compared with.
        var place: Place

        /// Creates a list.
        init(_ part: Part, of holders: Set<KeyHolder>, in place: Place) {
            self.part = part
            self.holders = holders
            self.place = place
        }
    }

    /// When pins stop to count.
    enum PinLifetime: Hashable, Sendable {
        /// Never.
        case endless
        /// They do not count any more, or not at all: they are past their date, or only reported.
        case over
        /// On the date on which pins of the lab expire.
        case untilExpiry
        /// Never, but on that date everything begins to be refused.
        case refusingAfterExpiry
    }

    /// Timestamps that are asked for beside what the verifier asks for.
    enum Timestamps: Hashable, Sendable {
        /// None.
        case none
        /// Those of two logs.
        case twoLogs
        /// Those that platforms demand.
        case platform
    }

    /// What happens at a first contact, where keys that were seen before are what is pinned.
    enum FirstContact: Hashable, Sendable {
        /// The key is taken as it comes.
        case trusted
        /// The server is refused.
        case refused
    }

    /// Evaluations of the chain, each with the anchors of which one has to be reached; none where the chain is
    /// not looked at.
    var evaluations: [Set<Anchor>]
    /// Whether the chain's name has to be the host's.
    var checksName = true
    /// What the verifier permits.
    var permits: Set<Encounter.Flaw> = []
    /// Whether the chain has to be for servers.
    var checksPurpose = true
    /// The lists of pins, each of which has to match.
    var pins: [PinList]
    /// When they stop to count.
    var pinLifetime = PinLifetime.endless
    /// The anchors under which they do not count.
    var pinsYieldTo: Set<Anchor> = []
    /// What happens at a first contact; `nil` where pins are given.
    var firstContact: FirstContact?
    /// Whether mismatches are reported, enforced or not.
    var reports = false
    /// The timestamps that are asked for, whoever installed the CA.
    var timestamps = Timestamps.none
    /// Whether a leaf that demands a stapled response has to have one.
    var honoursStapling = false
    /// Whether http is refused.
    var refusesCleartext = false
    /// Whether its settings contradict each other, so that it refuses everybody.
    var refusesEverybody = false

    /// Creates a policy: default handling, where nothing is said.
    init(
        _ evaluations: [Set<Anchor>] = [device],
        pins: [PinList] = [],
        _ change: (inout JudgingSemantics) -> Void = { _ in }
    ) {
        self.evaluations = evaluations
        self.pins = pins
        change(&self)
    }

    /// Every root that the device trusts.
    static let device: Set<Anchor> = [.system, .user]
}
