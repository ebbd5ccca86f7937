import PinholeModel

/// The numbers of the leaf profile.
enum LeafProfile {
    /// How far a certificate starts in the past, for clients whose clock is slow.
    static let backdating: Duration = .seconds(2 * 3600)

    /// From notBefore to notAfter, both included, so one second less than 45 days: the ceiling that
    /// browsers put on servers falls to 47 days in 2029 (CA/Browser Forum ballot SC-081v3).
    static let validity: Duration = .seconds(45 * 86_400 - 1)

    /// The longest common name that is written; ub-common-name is 64, some verifiers stop at 63.
    static let longestCommonName = 63
}
