/// The numbers of the leaf profile.
enum LeafProfile {
    /// The time by which a certificate's validity starts in the past, for clients whose clock is slow.
    static let backdating: Duration = .seconds(2 * 3600)

    /// The time from notBefore to notAfter.
    ///
    /// Both ends count, so it is one second less than 45 days. The limit that browsers set for servers falls
    /// to 47 days in 2029 (CA/Browser Forum ballot SC-081v3).
    static let validity: Duration = .seconds(45 * 86_400 - 1)

    /// The longest common name that is written.
    ///
    /// The limit of ub-common-name is 64; some verifiers stop at 63.
    static let longestCommonName = 63
}
