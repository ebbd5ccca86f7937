/// The certificate timestamps that a client demands (RFC 6962).
///
/// Apple's and Chrome's rules ask for timestamps within the certificate or, instead, for two that come with the
/// handshake or with the stapled OCSP response.
package enum TransparencyRules: Hashable, Sendable {
    /// The rules of Apple's platforms (support.apple.com/103214).
    ///
    /// Of one operator, one timestamp counts for lifetimes up to 180 days, and two for longer ones.
    case apple
    /// The rules of Chrome (googlechrome.github.io/CertificateTransparency/ct_policy.html), which Android's Conscrypt
    /// applies, too: the logs have two operators at least, and the list of logs is at most 70 days old.
    case chrome
    /// Any timestamps of this number of different logs.
    case logs(Int)
}

extension TransparencyRules {
    /// The days of a lifetime up to which two timestamps are enough.
    private static let shortLifetime = 180

    /// The number of days for which a list of logs may be used; `nil` for no limit.
    package var mostDaysOfList: Int? { self == .chrome ? 70 : nil }

    /// Returns the number of different logs whose timestamps a certificate needs.
    func logs(forDays lifetime: Int) -> Int {
        if case .logs(let count) = self { return count }
        return lifetime <= Self.shortLifetime ? 2 : 3
    }

    /// Returns the number of timestamps that count for one operator; `nil` for all.
    func mostOfOperator(forDays lifetime: Int) -> Int? {
        guard self == .apple else { return nil }
        return lifetime <= Self.shortLifetime ? 1 : 2
    }
}
