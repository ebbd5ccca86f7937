import PinholeTrust

extension LabPolicy {
    /// `AFSecurityPolicy` in its modes and versions.
    package static let afnetworking: [LabPolicy] = [
        LabPolicy("af-none", "AFSSLPinningModeNone", group: .afnetworking) { _ in AFSecurityPolicy() },
        LabPolicy("af-cert-leaf", "Certificate, the leaf", group: .afnetworking) {
            AFSecurityPolicy(pinningMode: .certificate, pinnedCertificates: [$0.world.leaf])
        },
        LabPolicy("af-cert-ca", "Certificate, the issuing CA", group: .afnetworking) {
            AFSecurityPolicy(pinningMode: .certificate, pinnedCertificates: [$0.world.intermediate])
        },
        LabPolicy("af-key-leaf", "PublicKey, the leaf and a backup", group: .afnetworking) {
            AFSecurityPolicy(pinningMode: .publicKey, pinnedCertificates: $0.world.leafCertificates)
        },
        LabPolicy(
            "af-invalid-leaf",
            "PublicKey of the leaf, allowInvalidCertificates",
            .broken,
            group: .afnetworking
        ) {
            AFSecurityPolicy(
                pinningMode: .publicKey,
                allowInvalidCertificates: true,
                pinnedCertificates: $0.world.leafCertificates
            )
        },
        LabPolicy(
            "af-invalid-ca",
            "PublicKey of the CA, allowInvalidCertificates",
            .broken,
            group: .afnetworking
        ) {
            AFSecurityPolicy(
                pinningMode: .publicKey,
                allowInvalidCertificates: true,
                pinnedCertificates: $0.world.authorityCertificates
            )
        },
        LabPolicy("af-2.5.1", "2.5.1 without pins: nothing is validated", .broken, group: .afnetworking) {
            _ in AFSecurityPolicy(version: .version251)
        },
        LabPolicy("af-2.5.0", "2.5.0 without pins: the host is not checked", .broken, group: .afnetworking) {
            _ in AFSecurityPolicy(version: .version250)
        },
    ]
}

extension LabWorld {
    /// The certificate of the server and the one for its backup key.
    var leafCertificates: [CertificateFacts] { [certificate(.leaf), certificate(.backupLeaf)] }

    /// The certificate of the issuing CA and that of the backup CA.
    var authorityCertificates: [CertificateFacts] {
        [certificate(.intermediate), certificate(.backupIntermediate)]
    }
}
