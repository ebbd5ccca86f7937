/// What a policy checks about a server.
package struct JudgingSemantics: Hashable, Sendable {
    /// Where a path may end.
    package enum Anchor: Hashable, Sendable {
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
    package struct PinList: Hashable, Sendable {
        /// What of a certificate is pinned.
        package enum Part: Hashable, Sendable {
            /// All of it.
            case certificate
            /// Its key.
            case key
        }

        /// What it is compared with.
        package enum Place: Hashable, Sendable {
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
        package var part: Part
        /// Whose.
        package var holders: Set<KeyHolder>
        /// What it is compared with.
        package var place: Place

        /// Creates a list.
        package init(_ part: Part, of holders: Set<KeyHolder>, in place: Place) {
            self.part = part
            self.holders = holders
            self.place = place
        }
    }

    /// When pins stop to count.
    package enum PinLifetime: Hashable, Sendable {
        /// Never.
        case endless
        /// They do not count any more, or not at all: they are past their date, or only reported.
        case over
        /// On the date on which pins of the lab expire.
        case untilExpiry
        /// Never, but on that date everything begins to be refused.
        case refusingAfterExpiry
    }

    /// What happens at a first contact, where keys that were seen before are what is pinned.
    package enum FirstContact: Hashable, Sendable {
        /// The key is taken as it comes.
        case trusted
        /// The server is refused.
        case refused
    }

    /// Evaluations of the chain, each with the anchors of which one has to be reached; none where the chain is
    /// not looked at.
    package var evaluations: [Set<Anchor>]
    /// Whether the chain's name has to be the host's.
    package var checksName = true
    /// Whether the chain has to be for servers.
    package var checksPurpose = true
    /// The lists of pins, each of which has to match.
    package var pins: [PinList]
    /// When they stop to count.
    package var pinLifetime = PinLifetime.endless
    /// The anchors under which they do not count.
    package var pinsYieldTo: Set<Anchor> = []
    /// What happens at a first contact; `nil` where pins are given.
    package var firstContact: FirstContact?
    /// Whether mismatches are reported, enforced or not.
    package var reports = false
    /// Whether timestamps of two logs are asked for.
    package var demandsTimestamps = false
    /// Whether a leaf that demands a stapled response has to have one.
    package var honoursStapling = false
    /// Whether http is refused.
    package var refusesCleartext = false
    /// Whether its settings contradict each other, so that it refuses everybody.
    package var refusesEverybody = false

    /// Creates a policy: default handling, where nothing is said.
    package init(
        _ evaluations: [Set<Anchor>] = [device],
        pins: [PinList] = [],
        _ change: (inout JudgingSemantics) -> Void = { _ in }
    ) {
        self.evaluations = evaluations
        self.pins = pins
        change(&self)
    }

    /// Every root that the device trusts.
    package static let device: Set<Anchor> = [.system, .user]
}
