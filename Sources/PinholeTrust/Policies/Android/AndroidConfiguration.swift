package import PinholeModel

/// What a `network_security_config.xml` says.
package struct AndroidConfiguration: Hashable, Sendable {
    /// `<base-config>`; `nil` where it is missing.
    package var base: AndroidSettings?
    /// The `<domain-config>`s of the first level.
    package var domainConfigurations: [AndroidDomainSettings]
    /// `<debug-overrides>`, which count in debuggable builds only; `nil` where it is missing.
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

/// The settings that every kind of element may hold; what is `nil` is inherited.
package struct AndroidSettings: Hashable, Sendable {
    /// Whether http is allowed.
    package var cleartextTrafficPermitted: Bool?
    /// `<trust-anchors>`.
    package var trustAnchors: [AndroidCertificates]?

    /// Creates settings.
    package init(cleartextTrafficPermitted: Bool? = nil, trustAnchors: [AndroidCertificates]? = nil) {
        self.cleartextTrafficPermitted = cleartextTrafficPermitted
        self.trustAnchors = trustAnchors
    }
}

/// A `<domain-config>`.
package struct AndroidDomainSettings: Hashable, Sendable {
    /// `<domain>`s, in lower case; reach is `includeSubdomains`.
    package var domains: [DomainRule]
    /// What every kind of element may hold.
    package var settings: AndroidSettings
    /// `<pin-set>`; `nil` to inherit.
    package var pinSet: AndroidPinSet?
    /// Nested `<domain-config>`s, which inherit.
    package var nested: [AndroidDomainSettings]

    /// Creates settings of domains.
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
    /// The pins; empty switches inherited pinning off.
    package var pins: [Pin]
    /// After it nothing is pinned any more.
    package var expiration: Timestamp?

    /// Creates a set.
    package init(pins: [Pin], expiration: Timestamp? = nil) {
        self.pins = pins
        self.expiration = expiration
    }
}

/// A `<certificates>` element.
package struct AndroidCertificates: Hashable, Sendable {
    /// Where the CAs come from.
    package enum Source: Hashable, Sendable {
        /// What came with the device.
        case system
        /// What the user installed.
        case user
        /// A file of the app: `@raw/name`, and its certificates.
        case raw(String, [CertificateFacts])

        /// As it stands in `src`.
        package var text: String {
            switch self {
            case .system: "system"
            case .user: "user"
            case .raw(let name, _): name
            }
        }
    }

    /// Where the CAs come from.
    package var source: Source
    /// Whether a chain to one of them passes without a pin.
    package var overridePins: Bool

    /// Creates an entry.
    package init(_ source: Source, overridePins: Bool = false) {
        self.source = source
        self.overridePins = overridePins
    }
}
