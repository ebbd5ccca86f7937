extension TrustKitDomain {
    /// What is found where there are fewer pins than TrustKit wants; `nil` where there are enough.
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - path: Where it stands.
    /// - Returns: The finding.
    package func shortage(of name: String, at path: String) -> LintFinding? {
        let count = Set(publicKeyHashes).count
        guard !excludeSubdomainFromParentPolicy, count < (enforcePinning ? 2 : 1), let fault = fault(at: name)
        else { return nil }
        return LintFinding(
            count == 0 ? .noPins : count < publicKeyHashes.count ? .duplicate : .noBackup,
            .error,
            at: path,
            "TrustKit refuses the configuration: \(fault).",
            remedy: "Add the pin of a backup key that is kept offline (docs/PINS.md#a-backup-key)."
        )
    }
}
