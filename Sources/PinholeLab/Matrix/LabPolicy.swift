package import PinholeModel
package import PinholeTrust

/// A row of the matrix: a client that decides by one policy.
public struct LabPolicy: Sendable, Identifiable {
    /// How good the policy is meant to be.
    public enum Stance: String, Sendable, Hashable, CaseIterable {
        /// The user's own.
        case own
        /// A policy that is in use.
        case inUse
        /// Broken on purpose, to show what goes through.
        case broken
    }

    /// What rows are listed under.
    public enum Group: String, Sendable, Hashable, CaseIterable {
        /// The user's own.
        case own = "your policies"
        /// What every comparison begins with.
        case modes = "client modes"
        /// AFSecurityPolicy.
        case afnetworking = "AFNetworking"
        /// Alamofire's evaluators.
        case alamofire = "Alamofire"
        /// TrustKit.
        case trustKit = "TrustKit"
        /// OkHttp's CertificatePinner.
        case okHttp = "OkHttp"
        /// Android's Network Security Configuration.
        case android = "Android NSC"
        /// Apple's NSPinnedDomains.
        case apple = "Apple NSPinnedDomains"
        /// curl, HPKP, DANE, trust on first use, raw keys.
        case others = "other mechanisms"
        /// The same pins in clients with other behaviour.
        case clients = "clients with other behaviour"
    }

    /// Whom a policy is made for.
    package struct Target: Sendable {
        /// The certificates.
        package let world: LabWorld
        /// The host and the port that clients mean.
        package let authority: Authority
        /// The server that was met before, for clients that trust on first use; `nil` at a first contact.
        package let seen: CertificateFacts?

        /// Creates a target; without more it is a server that was met before.
        package init(world: LabWorld, authority: Authority, isFirstContact: Bool = false) {
            self.world = world
            self.authority = authority
            seen = isFirstContact ? nil : world.leaf
        }
    }

    /// A short name that stays the same: `SL`, `okhttp`.
    public let id: String
    /// What it is, in a few words.
    public let title: String
    /// How good it is meant to be.
    public let stance: Stance
    /// What it is listed under.
    public let group: Group
    /// The host that it is for, and that the lab has to be made for; `nil` for any.
    public let host: String?
    /// What was assumed about it and is worth knowing, in sentences.
    public let notes: [String]
    /// The file that it was read from, as it was named; `nil` for none.
    package var file: String?
    /// A SHA-256 in hexadecimal that tells whether two rows of one name are of the same; `nil` where nothing does.
    package var digest: String?
    /// The line of the file at which its pins begin; `nil` if unknown.
    package var line: Int?
    /// The findings about the document of the policy, the worst first.
    package var findings: [LintFinding] = []
    /// How the app gets new pins; `nil` where it gets none but with a new version.
    package var pinUpdate: PinUpdate?
    /// Makes the policy, with the pins of a world.
    package var make: @Sendable (Target) throws(LabFailure) -> any TrustPolicy
    /// The same policy where its pins are taken for those of CAs; `nil` where it is known whose they are.
    package var otherReading: (@Sendable (Target) throws(LabFailure) -> any TrustPolicy)?
    /// What the client does otherwise.
    package let adapt: @Sendable (inout ClientSettings, Target) -> Void
    /// What the app answers when a server or a proxy asks for a name and a password; `nil` for default handling.
    package let answer: ClientDelegate.Handler?

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - id: A short name.
    ///   - title: What it is.
    ///   - stance: How good it is meant to be.
    ///   - group: What it is listed under.
    ///   - host: The host that it is for; `nil` for any.
    ///   - notes: What is worth knowing about it.
    ///   - adapt: What the client does otherwise.
    ///   - answer: What the app answers when somebody asks for a name and a password.
    ///   - make: Makes the policy, with the pins of a world.
    package init(
        _ id: String,
        _ title: String,
        _ stance: Stance = .inUse,
        group: Group = .modes,
        host: String? = nil,
        notes: [String] = [],
        adapt: @escaping @Sendable (inout ClientSettings, Target) -> Void = { _, _ in },
        answer: ClientDelegate.Handler? = nil,
        make: @escaping @Sendable (Target) throws(LabFailure) -> any TrustPolicy
    ) {
        self.id = id
        self.title = title
        self.stance = stance
        self.group = group
        self.host = host
        self.notes = notes
        self.make = make
        self.adapt = adapt
        self.answer = answer
    }
}
