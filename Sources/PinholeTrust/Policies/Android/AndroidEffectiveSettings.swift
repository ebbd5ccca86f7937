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
    /// Whether certificates have to be logged (RFC 6962).
    package var requiresTransparency: Bool

    /// The defaults of the platform for an app's target SDK (`NetworkSecurityConfig.getDefaultBuilder`).
    static func platform(targetSdk: Int) -> AndroidEffectiveSettings {
        // Android 7 (24) no longer trusts the CAs of the user, and Android 9 (28) no longer permits http.
        let user = targetSdk <= 23 ? [AndroidCertificates(.user)] : []
        return AndroidEffectiveSettings(
            domain: nil,
            trustAnchors: [AndroidCertificates(.system)] + user,
            pinSet: nil,
            cleartextTrafficPermitted: targetSdk < 28,
            // Android 16 (36) demands it if the app does, and Android 17 (37) by default.
            requiresTransparency: targetSdk >= 37
        )
    }

    /// The effective settings of an element with `settings` that inherits from these.
    func adding(_ settings: AndroidSettings, debugAnchors: [AndroidCertificates]) -> AndroidEffectiveSettings
    {
        var result = self
        if let anchors = settings.trustAnchors {
            result.trustAnchors = anchors + debugAnchors
            // CAs of the app or of the user need not log their certificates.
            if result.trustAnchors.contains(where: { !$0.source.isPublic }) {
                result.requiresTransparency = false
            }
        }
        if let required = settings.requiresTransparency { result.requiresTransparency = required }
        if let permitted = settings.cleartextTrafficPermitted { result.cleartextTrafficPermitted = permitted }
        return result
    }
}
