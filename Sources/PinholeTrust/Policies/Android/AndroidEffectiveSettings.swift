/// The settings for a host after inheritance from domain, parent domains, base and platform.
package struct AndroidEffectiveSettings: Hashable, Sendable {
    /// The domain that applies; `nil` for the base.
    package var domain: DomainRule?
    /// The sources of the CAs, those that override pins first.
    package var trustAnchors: [AndroidCertificates]
    /// The pins; `nil` if there are none.
    package var pinSet: AndroidPinSet?
    /// Whether plain http is permitted.
    package var cleartextTrafficPermitted: Bool

    /// The defaults of the platform for an app's target SDK (`NetworkSecurityConfig.getDefaultBuilder`).
    static func platform(targetSdk: Int) -> AndroidEffectiveSettings {
        // Android 7 (24) no longer trusts the CAs of the user, and Android 9 (28) no longer permits http.
        let user = targetSdk <= 23 ? [AndroidCertificates(.user)] : []
        return AndroidEffectiveSettings(
            domain: nil,
            trustAnchors: [AndroidCertificates(.system)] + user,
            pinSet: nil,
            cleartextTrafficPermitted: targetSdk < 28
        )
    }

    /// The effective settings of an element with `settings` that inherits from these.
    func adding(_ settings: AndroidSettings, debugAnchors: [AndroidCertificates]) -> AndroidEffectiveSettings
    {
        var result = self
        if let anchors = settings.trustAnchors { result.trustAnchors = anchors + debugAnchors }
        if let permitted = settings.cleartextTrafficPermitted { result.cleartextTrafficPermitted = permitted }
        return result
    }
}
