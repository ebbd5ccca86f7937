import PinholeTrust

extension LabPolicy {
    /// The rows of Alamofire's evaluators.
    static let alamofire: [LabPolicy] = [
        LabPolicy("alamo-default", "DefaultTrustEvaluator", group: .alamofire) { _ in
            AlamofireDefaultPolicy()
        },
        LabPolicy("alamo-certs", "PinnedCertificates, the leaf", group: .alamofire) {
            AlamofirePinnedCertificatesPolicy(certificates: [$0.world.leaf])
        },
        LabPolicy("alamo-keys", "PublicKeys, the leaf and a backup", group: .alamofire) {
            AlamofirePublicKeysPolicy(certificates: $0.world.leafCertificates)
        },
        LabPolicy("alamo-off", "DisabledTrustEvaluator", .broken, group: .alamofire) { _ in
            AlamofireDisabledPolicy()
        },
    ]
}
