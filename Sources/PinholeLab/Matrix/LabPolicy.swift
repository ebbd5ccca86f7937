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

    /// Whom a policy is made for.
    package struct Target: Sendable {
        /// The certificates.
        package let world: LabWorld
        /// The host and the port that clients mean.
        package let authority: Authority

        /// Creates a target.
        package init(world: LabWorld, authority: Authority) {
            self.world = world
            self.authority = authority
        }
    }

    /// A short name that stays the same: `SL`, `okhttp`.
    public let id: String
    /// What it is, in a few words.
    public let title: String
    /// How good it is meant to be.
    public let stance: Stance
    /// Makes the policy, with the pins of a world.
    package let make: @Sendable (Target) throws(LabFailure) -> any TrustPolicy
    /// What the client does otherwise.
    package let adapt: @Sendable (inout ClientSettings, Target) -> Void

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - id: A short name.
    ///   - title: What it is.
    ///   - stance: How good it is meant to be.
    ///   - adapt: What the client does otherwise.
    ///   - make: Makes the policy, with the pins of a world.
    package init(
        _ id: String,
        _ title: String,
        _ stance: Stance = .inUse,
        adapt: @escaping @Sendable (inout ClientSettings, Target) -> Void = { _, _ in },
        make: @escaping @Sendable (Target) throws(LabFailure) -> any TrustPolicy
    ) {
        self.id = id
        self.title = title
        self.stance = stance
        self.make = make
        self.adapt = adapt
    }
}
