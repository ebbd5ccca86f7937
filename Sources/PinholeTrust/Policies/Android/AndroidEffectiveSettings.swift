/// What holds for a host after inheritance: domain, its parents, base, platform.
package struct AndroidEffectiveSettings: Hashable, Sendable {
    /// The domain that won; `nil` for the base.
    package var domain: DomainRule?
    /// Where the CAs come from, those that override pins first.
    package var trustAnchors: [AndroidCertificates]
    /// The pins; `nil` for none.
    package var pinSet: AndroidPinSet?
    /// Whether http is allowed.
    package var cleartextTrafficPermitted: Bool

    /// What the platform says, by the SDK that an app was made for (`NetworkSecurityConfig.getDefaultBuilder`).
    static func platform(targetSdk: Int) -> AndroidEffectiveSettings {
        // Android 7 (24) stopped trusting the CAs of the user, Android 9 (28) stopped allowing http.
        let user = targetSdk <= 23 ? [AndroidCertificates(.user)] : []
        return AndroidEffectiveSettings(
            domain: nil,
            trustAnchors: [AndroidCertificates(.system)] + user,
            pinSet: nil,
            cleartextTrafficPermitted: targetSdk < 28
        )
    }

    /// What holds where `settings` inherit these.
    func adding(_ settings: AndroidSettings, debugAnchors: [AndroidCertificates]) -> AndroidEffectiveSettings
    {
        var result = self
        if let anchors = settings.trustAnchors { result.trustAnchors = anchors + debugAnchors }
        if let permitted = settings.cleartextTrafficPermitted { result.cleartextTrafficPermitted = permitted }
        return result
    }
}
