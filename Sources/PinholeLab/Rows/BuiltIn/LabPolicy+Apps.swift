import PinholeClient
import PinholeModel
import PinholeTrust

extension LabPolicy {
    /// The rows of TrustKit for iOS.
    static let trustKit: [LabPolicy] = [
        LabPolicy("trustkit", "the leaf's key and a backup, enforced", group: .trustKit) {
            target throws(LabFailure) in try trustKit(target) { _ in }
        },
        LabPolicy("trustkit-report", "kTSKEnforcePinning NO: only reported", .broken, group: .trustKit) {
            target throws(LabFailure) in
            try trustKit(target) {
                $0.enforcePinning = false
                $0.reportURIs = ["https://\(LabWorld.reportHost)\(LabWorld.reportPath)"]
            }
        },
        LabPolicy("trustkit-expired", "kTSKExpirationDate is past", .broken, group: .trustKit) {
            target throws(LabFailure) in
            try trustKit(target) { $0.expirationDate = target.world.lastMonth }
        },
        LabPolicy("trustkit-expires", "kTSKExpirationDate is in a week", group: .trustKit) {
            target throws(LabFailure) in
            try trustKit(target) { $0.expirationDate = target.world.pinExpiry }
        },
    ]

    /// The rows of OkHttp's `CertificatePinner`.
    static let okHttp: [LabPolicy] = [
        okHttp("okhttp-leaf", "the leaf's key and a backup") { okHttp($0, $0.world.leafPins) },
        okHttp("okhttp-ca", "a CA's key and a backup") { okHttp($0, $0.world.authorityPins) },
        okHttp("okhttp-android", "the leaf's key and a backup, on Android") {
            VerifiedPolicy(okHttp($0, $0.world.leafPins), by: .android)
        },
    ]

    /// A client that follows redirects to plain http, unless `followSslRedirects` is `false`.
    private static func okHttp(
        _ id: String,
        _ title: String,
        make: @escaping @Sendable (Target) -> any TrustPolicy
    ) -> LabPolicy {
        LabPolicy(
            id,
            title,
            group: .okHttp,
            adapt: { settings, _ in settings.dangerFollowsDowngrade = true },
            make: make
        )
    }

    private static func okHttp(_ target: Target, _ pins: [Pin]) -> any TrustPolicy {
        OkHttpPolicy(pins: pins.map { OkHttpPin(.exact(target.authority.host), $0) })
    }

    /// The rows of Android's Network Security Configuration.
    static let android: [LabPolicy] = [
        LabPolicy("nsc", "pin-set of the leaf's key and a backup", group: .android) {
            target throws(LabFailure) in try android(target) { _ in }
        },
        LabPolicy("nsc-expired", "pin-set whose expiration is past", .broken, group: .android) {
            target throws(LabFailure) in
            try android(target) { $0.pinSet?.expiration = target.world.lastMonth }
        },
        LabPolicy("nsc-override", "user CAs with overridePins", .broken, group: .android) {
            target throws(LabFailure) in
            try android(target) {
                $0.settings.trustAnchors = [
                    AndroidCertificates(.system), AndroidCertificates(.user, overridePins: true),
                ]
            }
        },
        LabPolicy("nsc-23", "targetSdk 23 without pins: user CAs trusted", group: .android) {
            _ throws(LabFailure) in
            try LabFailure.telling { () throws(PolicyFailure) in
                try AndroidPolicy(configuration: AndroidConfiguration(), targetSdk: 23)
            }
        },
        LabPolicy("nsc-37", "targetSdk 37 without pins: certificates logged", group: .android) {
            _ throws(LabFailure) in
            try LabFailure.telling { () throws(PolicyFailure) in
                try AndroidPolicy(configuration: AndroidConfiguration(), targetSdk: 37)
            }
        },
    ]

    /// The rows of Apple's `NSPinnedDomains`.
    package static let apple: [LabPolicy] = [
        LabPolicy("apple-leaf", "NSPinnedLeafIdentities, with a backup", group: .apple) {
            target throws(LabFailure) in
            try apple(target, ApplePinnedDomain(leafIdentities: target.world.leafPins))
        },
        LabPolicy("apple-ca", "NSPinnedCAIdentities, with a backup", group: .apple) {
            target throws(LabFailure) in
            try apple(target, ApplePinnedDomain(caIdentities: target.world.authorityPins))
        },
        LabPolicy("apple-both", "both lists, each with a backup", group: .apple) {
            target throws(LabFailure) in
            let domain = ApplePinnedDomain(
                leafIdentities: target.world.leafPins,
                caIdentities: target.world.authorityPins
            )
            return try apple(target, domain)
        },
    ]

    private static func trustKit(
        _ target: Target,
        _ change: (inout TrustKitDomain) -> Void
    ) throws(LabFailure) -> any TrustPolicy {
        var domain = TrustKitDomain(publicKeyHashes: target.world.leafPins)
        change(&domain)
        return try LabFailure.telling { () throws(PolicyFailure) in
            try TrustKitPolicy(pinnedDomains: [target.hostName: domain])
        }
    }

    private static func android(
        _ target: Target,
        _ change: (inout AndroidDomainSettings) -> Void
    ) throws(LabFailure) -> any TrustPolicy {
        var domain = AndroidDomainSettings(
            domains: [DomainRule(target.hostName, .exact)],
            pinSet: AndroidPinSet(pins: target.world.leafPins)
        )
        change(&domain)
        return try LabFailure.telling { () throws(PolicyFailure) in
            try AndroidPolicy(configuration: AndroidConfiguration(domainConfigurations: [domain]))
        }
    }

    private static func apple(
        _ target: Target,
        _ domain: ApplePinnedDomain
    ) throws(LabFailure) -> any TrustPolicy {
        try LabFailure.telling { () throws(PolicyFailure) in
            // An app without exceptions has all of App Transport Security.
            try ApplePolicy(
                domains: [target.hostName: domain],
                transportSecurity: AppleTransportSecurity()
            )
        }
    }
}

extension LabWorld {
    /// The time at which settings that are expired have expired.
    fileprivate var lastMonth: Timestamp { now - .seconds(30 * 86_400) }
}
