package import PinholeClient
package import PinholeModel
package import PinholeTrust

/// A row of the matrix: a client that decides by one policy.
public struct LabPolicy: Sendable, Identifiable {
    /// The quality that the policy is meant to have.
    public enum Stance: String, Sendable, Hashable, CaseIterable {
        /// The user's own.
        case own
        /// A policy that is in use.
        case inUse
        /// A policy that is broken on purpose, to show which attacks go through.
        case broken
    }

    /// The groups of rows in the matrix.
    public enum Group: String, Sendable, Hashable, CaseIterable {
        /// The user's own.
        case own = "your policies"
        /// The modes of clients that every comparison begins with.
        case modes = "client modes"
        /// The settings of AFNetworking's AFSecurityPolicy.
        case afnetworking = "AFNetworking"
        /// Alamofire's evaluators.
        case alamofire = "Alamofire"
        /// The settings of TrustKit.
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

    /// The server and the world that a policy is made for.
    package struct Target: Sendable {
        /// The certificates of the run.
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
    /// A short description of the policy.
    public let title: String
    /// The quality that the policy is meant to have.
    public let stance: Stance
    /// The group of the row in the matrix.
    public let group: Group
    /// The host that it is for, and that the lab has to be made for; `nil` for any.
    public let host: String?
    /// The assumptions about the policy that are worth knowing, in sentences.
    public let notes: [String]
    /// The file that it was read from, as it was named; `nil` for none.
    package var file: String?
    /// A SHA-256 in hexadecimal that is equal for rows of equal contents; `nil` if none is known.
    package var digest: String?
    /// The line of the file at which its pins begin; `nil` if unknown.
    package var line: Int?
    /// The findings about the document of the policy, the worst first.
    package var findings: [LintFinding] = []
    /// The host of its document, if it is not the lab's.
    package var subject: Host?
    /// The hosts of its document, if it is the first row of the document.
    package var hosts: [JudgedHost] = []
    /// Whether its document decides nothing: there is no client to run, and the questions are its ``hosts``.
    package var isUndecided = false
    /// Whether the servers of another client's visit are judged in memory, where a visit of its own shows no more.
    package var isJudgedInMemory = false
    /// Whether its decisions may depend on earlier ones, as those of code may.
    package var mayRemember = false
    /// The way in which the app gets new pins; `nil` if it gets them only with a new version.
    package var pinUpdate: PinUpdate?
    /// The rules by which the client builds and checks paths, if the policy names none; `nil` for those of its
    /// mechanism.
    package var verifier: VerifierProfile?
    /// Makes the policy, with the pins of a world.
    package var make: @Sendable (Target) throws(LabFailure) -> any TrustPolicy
    /// Makes the policy with its pins read as those of CAs; `nil` if the owners of the pins are known.
    package var otherReading: (@Sendable (Target) throws(LabFailure) -> any TrustPolicy)?
    /// Changes the settings of the client for this row.
    package let adapt: @Sendable (inout ClientSettings, Target) -> Void
    /// The answer of the app when a server or a proxy asks for a name and a password; `nil` for default handling.
    package let answer: ClientDelegate.Handler?

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - id: A short name.
    ///   - title: A short description.
    ///   - stance: The quality that the policy is meant to have.
    ///   - group: The group in the matrix.
    ///   - host: The host that it is for; `nil` for any.
    ///   - notes: The assumptions about it that are worth knowing.
    ///   - adapt: Changes the settings of the client.
    ///   - answer: The answer to a demand for a name and a password.
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
