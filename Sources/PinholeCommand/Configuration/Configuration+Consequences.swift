import PinholeFiles
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeTelemetry

extension Configuration {
    /// Lists the effects of the configuration that its user has to confirm, a phrase each.
    ///
    /// No other list of such settings exists. A person who can put a file into a folder must not be able to
    /// run programs, open listeners, weaken TLS, divert requests or use files elsewhere. TLS below 1.2 cannot
    /// be configured at all.
    ///
    /// - Parameter folder: The folder of the file; empty for that of the process.
    /// - Returns: The phrases; empty if nothing has to be confirmed.
    func consequences(in folder: String) -> [String] {
        var found = programs.map {
            "runs the program \($0.command.joined(separator: " ")) (programs.\($0.name))"
        }
        found += proxy.listen.filter { $0.address.isReachableFromOutside }.map {
            "listens on \($0.address), which other machines can reach (proxy.listen)"
        }
        if tls.badCertificate != .refuse {
            found.append("goes on with servers whose certificates are bad (tls.badCertificate)")
        }
        found += tls.exemptions.map { "accepts bad certificates of \($0.pattern) (tls.exemptions)" }
        found += tls.upstreamCAs.map { "trusts the CAs in \($0) for servers (tls.upstreamCAs)" }
        switch upstream.proxy {
        case .named(let hop): found.append("sends requests through \(hop) (upstream.proxy)")
        case .environment:
            found.append("sends requests through the proxies that the environment names (upstream.proxy)")
        case nil: break
        }
        if let url = telemetry.url {
            found.append("sends facts about all traffic to \(UserInfo.hidden(in: url)) (telemetry.url)")
        }
        found += resolve.map { "connects to another address for some hosts: \($0) (resolve)" }
        found += rules.rules.compactMap { rule in
            Self.harm(of: rule.action).map { "\($0) (the rule \(rule.name))" }
        }
        found += pathsOutside(folder).map { "uses \($0), which is outside of its folder" }
        return found.map(Plain.printable)
    }

    /// Returns the harm that such a rule could do to the user; `nil` if nothing has to be confirmed.
    private static func harm(of action: RuleAction) -> String? {
        switch action {
        case .mapRemote: "sends requests to another server"
        case .rewriteRequest(let edit) where !edit.url.isEmpty: "sends requests to another URL"
        case .redirect: "sends clients to another URL"
        case .mock, .mapLocal, .replay: "answers in place of the server"
        case .rewriteResponse(let edit) where !edit.body.isEmpty || !edit.fields.isEmpty:
            "changes what the server answers"
        default: nil
        }
    }

    /// Returns the files and folders that do not lie below `folder`.
    ///
    /// The CA and the capture may also lie in the user's own directories of Pinhole. Nothing else may: a rule
    /// could send the files there.
    private func pathsOutside(_ folder: String) -> [String] {
        let places = Places()
        let folder = folder.isEmpty ? "." : folder
        let own = [folder, try? places.dataDirectory(), try? places.stateDirectory()].compactMap(\.self)
        let kept = [authority.directory, capture.file].compactMap(\.self)
        var paths: [String] = []
        var others = self
        others.authority.directory = folder
        others.capture.file = nil
        others.changePaths { path in
            paths.append(path)
            return path
        }
        return kept.filter { !Self.lies($0, in: own) } + paths.filter { !Self.lies($0, in: [folder]) }
    }

    private static func lies(_ path: String, in folders: [String]) -> Bool {
        let path = FilePath.real(path)
        return folders.map(FilePath.real).contains { path == $0 || path.hasPrefix("\($0)/") }
    }
}
