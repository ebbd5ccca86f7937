import PinholeModel

extension PinningLab {
    /// Makes a lab for the host that a policy is for.
    ///
    /// - Throws: ``LabFailure`` when certificates cannot be made.
    public init(for policy: LabPolicy) async throws(LabFailure) {
        try await self.init(host: policy.host ?? LabWorld.standardHost.description)
    }
}
