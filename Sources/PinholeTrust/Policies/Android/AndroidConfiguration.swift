package import PinholeModel

/// The content of a `network_security_config.xml`.
package struct AndroidConfiguration: Hashable, Sendable {
    /// The `<base-config>`; `nil` if it is missing.
    package var base: AndroidSettings?
    /// The `<domain-config>`s of the first level.
    package var domainConfigurations: [AndroidDomainSettings]
    /// The `<debug-overrides>`, which apply only in debuggable builds; `nil` if it is missing.
    package var debugOverrides: AndroidSettings?

    /// Creates a configuration.
    package init(
        base: AndroidSettings? = nil,
        domainConfigurations: [AndroidDomainSettings] = [],
        debugOverrides: AndroidSettings? = nil
    ) {
        self.base = base
        self.domainConfigurations = domainConfigurations
        self.debugOverrides = debugOverrides
    }
}

/// The settings that every kind of element may contain.
///
/// `nil` means inherited.
package struct AndroidSettings: Hashable, Sendable {
    /// Whether plain http is permitted.
    package var cleartextTrafficPermitted: Bool?
    /// The certificates of `<trust-anchors>`; `nil` without the element.
    package var trustAnchors: [AndroidCertificates]?
    /// The `enabled` of `<certificateTransparency>`; `nil` without the element.
    package var requiresTransparency: Bool?

    /// Creates settings.
    package init(
        cleartextTrafficPermitted: Bool? = nil,
        trustAnchors: [AndroidCertificates]? = nil,
        requiresTransparency: Bool? = nil
    ) {
        self.cleartextTrafficPermitted = cleartextTrafficPermitted
        self.trustAnchors = trustAnchors
        self.requiresTransparency = requiresTransparency
    }
}

/// A `<domain-config>`.
package struct AndroidDomainSettings: Hashable, Sendable {
    /// The `<domain>`s in lower case.
    ///
    /// Their reach is `includeSubdomains`.
    package var domains: [DomainRule]
    /// The settings that every kind of element may contain.
    package var settings: AndroidSettings
    /// The `<pin-set>`; `nil` to inherit.
    package var pinSet: AndroidPinSet?
    /// The nested `<domain-config>`s, which inherit from this one.
    package var nested: [AndroidDomainSettings]

    /// Creates the settings of domains.
    package init(
        domains: [DomainRule],
        settings: AndroidSettings = AndroidSettings(),
        pinSet: AndroidPinSet? = nil,
        nested: [AndroidDomainSettings] = []
    ) {
        self.domains = domains
        self.settings = settings
        self.pinSet = pinSet
        self.nested = nested
    }
}

/// A `<pin-set>`.
package struct AndroidPinSet: Hashable, Sendable {
    /// The pins.
    ///
    /// An empty set switches inherited pinning off.
    package var pins: [Pin]
    /// The date after which nothing is pinned.
    package var expiration: Timestamp?

    /// Creates a set.
    package init(pins: [Pin], expiration: Timestamp? = nil) {
        self.pins = pins
        self.expiration = expiration
    }
}

/// A `<certificates>` element.
package struct AndroidCertificates: Hashable, Sendable {
    /// The source of the CAs.
    package enum Source: Hashable, Sendable {
        /// The CAs of the device's maker.
        case system
        /// The CAs that the user installed.
        case user
        /// The CAs of the Wi-Fi Alliance, which are not known here.
        case wifiAlliance
        /// A file of the app, `@raw/name`, and its certificates.
        case raw(String, [CertificateFacts])

        /// Whether the CAs are public ones, whose certificates are logged.
        var isPublic: Bool { self == .system || self == .wifiAlliance }

        /// The source as written in `src`.
        package var text: String {
            switch self {
            case .system: "system"
            case .user: "user"
            case .wifiAlliance: "wfa"
            case .raw(let name, _): name
            }
        }
    }

    /// The source of the CAs.
    package var source: Source
    /// Whether a chain to one of these CAs passes without a pin.
    package var overridePins: Bool

    /// Creates an entry.
    package init(_ source: Source, overridePins: Bool = false) {
        self.source = source
        self.overridePins = overridePins
    }
}
