import ArgumentParser
import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeRuntime
import PinholeSession
import PinholeTrust

/// The options that select the policies to run.
struct LabPolicyOptions: ParsableArguments {
    @Option(
        help: .value(
            "file",
            "Your own policy, any file that pinhole pins check reads; it gets the first row; “-” for standard input. May be repeated."
        )
    )
    var policy: [String] = []

    @Option(
        help: .value("host", "The only host to try (every host that the policy names)."),
        transform: FlagValue.host
    )
    var host: Host?

    @Option(
        help: .value("host", "A host that the policy must pin; may be repeated."),
        transform: FlagValue.host
    )
    var requireHost: [Host] = []

    @Flag(help: "Count every host that is neither pinned nor refused, named by the policy or not.")
    var strict = false

    @Flag(help: "Judge as a debuggable Android build, in which debug-overrides count.")
    var debug = false

    @Option(
        help: .value(
            "file",
            "The chain of your server (PEM), which tells the pins of the leaf from those of its CAs."
        )
    )
    var chain: String?

    @Option(
        help: .value("host", "The same chain, fetched from the server: host or host:port."),
        transform: FlagValue.server
    )
    var chainFrom: Authority?

    @Option(
        help: .value(
            "id",
            "A built-in policy, as pinhole lab list names it; may be repeated, or a list with commas."
        )
    )
    var row: [String] = []

    @Flag(help: "Leave the built-in policies out.")
    var onlyOwn = false

    @OptionGroup var files: FilesOption
    @OptionGroup var rules: VerifierOption

    func validate() throws {
        guard !policy.isEmpty || chain == nil && chainFrom == nil else {
            throw ValidationError("--chain and --chain-from: expected --policy beside them")
        }
        guard chain == nil || chainFrom == nil else {
            throw ValidationError("expected --chain or --chain-from, found both")
        }
        for (flag, isGiven) in [
            ("--only-own", onlyOwn), ("--require-host", !requireHost.isEmpty), ("--strict", strict),
            ("--debug", debug),
        ] where isGiven && policy.isEmpty {
            throw ValidationError("\(flag): expected --policy beside it")
        }
        guard row.isEmpty || !onlyOwn else {
            throw ValidationError("expected --row or --only-own, found both")
        }
        if let host, host.name == nil {
            throw ValidationError("--host: expected the name of a host, found the address \(host)")
        }
    }

    /// Returns the selected policies.
    ///
    /// - Returns: At least one policy; the user's own are first.
    /// - Throws: ``CommandFailure`` or ``LabFailure`` if a file cannot be read, or if a policy is unknown.
    func policies() async throws -> [LabPolicy] {
        var policies: [LabPolicy] = []
        let server = policy.isEmpty ? nil : try await server()
        for (path, name) in PolicyRowName.names(of: policy) {
            policies += try own(path, name, server)
        }
        guard !onlyOwn else { return try checked(policies) }
        do throws(LabFailure) {
            for id in row.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
                policies.append(try LabPolicy.named(String(id)))
            }
        } catch {
            throw CommandFailure(.usage, "--row: \(error)")
        }
        return try checked(row.isEmpty ? policies + LabPolicy.builtIn : policies)
    }

    private func checked(_ policies: [LabPolicy]) throws(CommandFailure) -> [LabPolicy] {
        let ids = policies.map(\.id)
        if let twice = ids.first(where: { id in ids.count { $0 == id } > 1 }) {
            throw CommandFailure(.usage, "expected each row once, found “\(twice)” twice")
        }
        return policies.map { policy in
            var policy = policy
            policy.verifier = policy.verifier ?? rules.verifier
            return policy
        }
    }

    private func own(
        _ path: String,
        _ name: String,
        _ server: ServerPath?
    ) throws -> [LabPolicy] {
        var options = PolicyFile.Options()
        options.debug = debug
        options.hosts = (host.map { [$0] } ?? []) + requireHost
        let file = try files.policy(path, options: options, takesUnproven: true)
        var demands = HostDemands()
        demands.required = requireHost
        demands.isStrict = strict
        var rows = try LabPolicy.rows(file: file, name: name, host: host, server: server, demands: demands)
        if !DocumentFile.isPipe(path) { for index in rows.indices { rows[index].file = path } }
        return rows
    }

    private func server() async throws -> ServerPath? {
        if let chain {
            let file = PolicyRowName.file(chain)
            let content = try InputFile.content(of: file, limit: NamedFiles.evidenceBytes)
            return try ServerPath(content: content, from: chain, roots: TrustBundle.systemRoots)
        }
        guard let chainFrom else { return nil }
        do {
            let trust = try TrustAnchors(system: true, additional: [])
            let finding = try await ServerProbe(overrides: [], trust: trust).look(at: chainFrom)
            let verification = finding.verification
            return try ServerPath(
                verification.presented.map(\.facts),
                from: "the chain of \(chainFrom)",
                roots: TrustBundle.systemRoots,
                fault: verification.fault.map { "\($0)" }
            )
        } catch let failure as PolicyFailure {
            throw failure
        } catch {
            throw CommandFailure("no chain of \(chainFrom): \(error)")
        }
    }
}
