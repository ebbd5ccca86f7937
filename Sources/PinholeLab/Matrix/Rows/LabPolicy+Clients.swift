import PinholeTrust

extension LabPolicy {
    /// The leaf's key and a backup, as in `SL`, in clients that behave otherwise.
    static let clients: [LabPolicy] = [
        LabPolicy(
            "check-late",
            "SL, checked after the handshake",
            group: .clients,
            adapt: { settings, _ in settings.checkPlace = .afterHandshake },
            make: pinned
        ),
        LabPolicy(
            "resume-unsafe",
            "SL, not asked again when TLS resumes",
            .broken,
            group: .clients,
            adapt: { settings, _ in settings.resumption = .dangerSkipsJudgement },
            make: pinned
        ),
        LabPolicy(
            "http-redirect",
            "SL, follows redirects from https to http",
            .broken,
            group: .clients,
            adapt: { settings, _ in settings.dangerFollowsDowngrade = true },
            make: pinned
        ),
    ]

    @Sendable private static func pinned(_ target: Target) throws(LabFailure) -> any TrustPolicy {
        SPKIPolicy(pins: target.world.leafPins, scope: .leaf)
    }
}
