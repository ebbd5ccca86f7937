package import PinholeCrypto
import PinholeModel
package import PinholeProxy
import PinholeRuntime

extension ProxyPolicy {
    /// Creates the policy of a proxy whose clients trust an authority.
    ///
    /// The proxy intercepts all hosts that the authority may sign for, offers the authority's certificate on its page,
    /// and answers to the names of this machine.
    ///
    /// - Parameters:
    ///   - authority: The authority.
    ///   - passthrough: The hosts that are passed through, as patterns.
    ///   - page: The page of the proxy; `nil` for the page with the authority's certificate.
    /// - Throws: ``AddressFailure`` for a bad pattern, or ``CryptoFailure`` when a trust store cannot be made.
    package init(
        _ authority: CertificateAuthority,
        passthrough: [String] = [],
        page: Onboarding? = nil
    ) throws {
        self.init(
            interception: InterceptionRules(passthrough: try HostRules(passthrough)) { host in
                authority.permits(host)
            },
            onboarding: try page ?? Onboarding(authority),
            machineNames: MachineNames.all()
        )
    }
}
