import Foundation
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime

extension Configuration {
    /// Lists the effects of the configuration that its user has to confirm, a phrase each.
    ///
    /// This is the only list of such settings. Somebody who can put a file into a folder must not be able to
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
        if case .named(let hop) = upstream.proxy, hop.authority.host.address?.isLoopback != true,
            hop.authority.host.name != "localhost"
        {
            found.append("sends requests through \(hop) (upstream.proxy)")
        }
        found += rules.rules.filter { $0.action.kind == .mapRemote }.map {
            "sends requests to another server (the rule \($0.name))"
        }
        found += pathsOutside(folder).map { "uses \($0), which is outside of its folder" }
        return found.map(Plain.printable)
    }

    /// The files and folders that lie neither below `folder` nor in the user's own directories of Pinhole.
    private func pathsOutside(_ folder: String) -> [String] {
        var paths: [String] = []
        var copy = self
        copy.changePaths { path in
            paths.append(path)
            return path
        }
        let places = Places()
        let inside = [
            folder.isEmpty ? "." : folder, try? places.dataDirectory(), try? places.stateDirectory(),
        ]
        .compactMap { $0.map(Self.real) }
        return paths.filter { path in
            let path = Self.real(path)
            return !inside.contains { path == $0 || path.hasPrefix("\($0)/") }
        }
    }

    /// Resolves the symbolic links of a path, as far as it exists.
    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
