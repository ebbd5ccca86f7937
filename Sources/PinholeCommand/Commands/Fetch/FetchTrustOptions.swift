import ArgumentParser
import PinholeClient
import PinholeCrypto
import PinholePolicies
import PinholeSession
import PinholeTrust

/// The options that decide which servers a fetch trusts.
struct FetchTrustOptions: ParsableArguments {
    @Option(help: .value("file", "A policy of Pinhole or of a vendor (docs/PINS.md#policy-documents)."))
    var policy: String?

    @Option(
        help: .value("sha256/…", "A pin that the server's chain must hold; may be repeated."),
        transform: { text in
            guard let pin = FetchTrustOptions.pin(text) else {
                throw ValidationError(
                    "expected sha256/ and the Base64 of 32 bytes (a SHA-256 of a key), found “\(text)”"
                )
            }
            return pin
        }
    )
    var pin: [Pin] = []

    @Option(
        help: .value(
            "mode",
            "The way to judge: SYS, AO, LC, CC, SL, SC, PB, NV, NVC, NH or AA (docs/JUDGE.md#whom-to-trust)."
        )
    )
    var mode: FetchMode?

    @Option(help: .value("file", "Certificates that are pinned by LC and CC."))
    var pinnedCert: [String] = []

    @Option(help: .value("file", "CAs that are trusted besides the system's."))
    var cacert: [String] = []

    @Option(help: .value("file", "CAs that are trusted instead of the system's."))
    var anchorsOnly: [String] = []

    @OptionGroup var files: FilesOption
    @OptionGroup var rules: VerifierOption
    @OptionGroup var known: LogListOption

    func validate() throws {
        guard policy == nil || mode == nil && pin.isEmpty && pinnedCert.isEmpty else {
            throw ValidationError(
                "--policy replaces --mode, --pin and --pinned-cert: expected --policy alone"
            )
        }
        guard mode != nil || pin.isEmpty || pinnedCert.isEmpty else {
            throw ValidationError(
                "--pin means --mode SC, and --pinned-cert means --mode CC: expected one of them"
            )
        }
        guard pin.isEmpty || chosenMode.need == .pins else {
            throw ValidationError("--mode \(chosenMode.rawValue) compares no pins: leave --pin out")
        }
        guard pinnedCert.isEmpty || chosenMode.need == .certificates else {
            throw ValidationError(
                "--mode \(chosenMode.rawValue) compares no certificates: leave --pinned-cert out"
            )
        }
        switch chosenMode.need {
        case .anchors where anchorsOnly.isEmpty:
            throw ValidationError("--mode AO: expected --anchors-only with the CAs that are to be trusted")
        case .certificates where pinnedCert.isEmpty:
            throw ValidationError(
                "--mode \(chosenMode.rawValue): expected --pinned-cert with the certificates that are pinned"
            )
        case .pins where pin.isEmpty:
            throw ValidationError("--mode \(chosenMode.rawValue): expected one --pin or more")
        default: return
        }
    }

    /// The mode of the flag, or the mode that the other flags imply.
    private var chosenMode: FetchMode {
        if let mode { return mode }
        if !pin.isEmpty { return .chainKey }
        return pinnedCert.isEmpty ? .system : .chainCertificate
    }

    /// Returns the anchors and the delegate that judges servers.
    func settings() throws(CommandFailure) -> (settings: ClientSettings, delegate: ClientDelegate) {
        let additional = try certificates(cacert)
        let only = try certificates(anchorsOnly)
        let policy = try chosenPolicy(only.isEmpty ? [] : only + additional)
        var settings = ClientSettings(
            anchors: only.isEmpty ? try CertificateFiles.systemAnchors() + additional : only + additional,
            evaluator: ChainVerifier(),
            defaultPolicy: policy,
            reading: .whole(atMost: 256 << 20)
        )
        settings.userAnchors = Set(additional.map(\.sha256))
        settings.cleartextPolicy = policy
        settings.verifier = rules.verifier
        settings.logs = try known.logs()
        return (settings, PolicyDivision(policy).delegate)
    }

    /// Returns the policy with the given CAs in place of the system's; the system's CAs apply if none are given.
    private func chosenPolicy(_ anchors: [CertificateFacts]) throws(CommandFailure) -> any TrustPolicy {
        if let policy { return try files.policy(policy).policy }
        // The given CAs need not be roots: curl --cacert accepts an intermediate as well.
        let mode = chosenMode == .system && !anchors.isEmpty ? .anchorsOnly : chosenMode
        return mode.policy(pins: pin, certificates: try certificates(pinnedCert), anchors: anchors)
    }

    private func certificates(_ files: [String]) throws(CommandFailure) -> [CertificateFacts] {
        var facts: [CertificateFacts] = []
        for file in files { facts += try CertificateFiles.certificates(in: file) }
        return facts
    }

    private static func pin(_ text: String) -> Pin? { try? Pin(text) }
}
