import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeSession
import PinholeTrust

/// The proxy's decision about a host, by the rules of the configuration.
struct Explanation: Encodable, Equatable {
    let authority: String
    let treatment: String
    let reason: String
    let verifier: String
    let badCertificate: String
    let exemption: String?
    let clientCertificate: String?
    let addresses: [String]?
    let through: String?
    /// The environment variable that names the next proxy; `nil` if the configuration does.
    let throughVariable: String?
    let bypass: String?
    /// The environment variable with the bypass; `nil` if it is from the configuration.
    let bypassVariable: String?
    let sources: [String]?

    /// Applies the rules of `configuration` to `target`.
    init(of target: Authority, by configuration: Configuration) throws {
        let directory = AuthorityDirectory(path: configuration.authority.directory)
        // The name constraints of the CA apply even if its key cannot be read.
        let limits = ((try? directory.certificates()) ?? []).compactMap(\.nameConstraints)
        let rules = InterceptionRules(passthrough: try HostRules(configuration.tls.passthrough)) { host in
            limits.allSatisfy { $0.permits(host) }
        }
        let decision = rules.decide(target)
        authority = target.description
        treatment = decision.treatment.rawValue
        reason = decision.reason
        let servers = ServerPolicy(
            badCertificate: configuration.tls.badCertificate,
            exemptions: configuration.tls.exemptions
        )
        verifier = configuration.tls.verifier.rawValue
        badCertificate = servers.badCertificate.rawValue
        exemption = servers.exemption(for: target).map { "\($0.pattern): \($0.reason)" }
        clientCertificate =
            configuration.tls.clientCertificates.last { entry in
                entry.hosts.contains { $0.matches(target) }
            }?.file
        let upstream = configuration.upstream
        let hop = upstream.hops.hop(for: target)
        through = hop?.description
        throughVariable = upstream.proxy?.proxies.first { $0.hop == hop }?.variable
        bypass = upstream.proxy == nil ? nil : upstream.hops.bypass.first { $0.matches(target) }?.description
        let isOwn = upstream.bypass.contains { $0.matches(target) }
        bypassVariable = bypass == nil || isOwn ? nil : upstream.proxy?.bypassVariable
        let own = configuration.upstream.addresses.all.map(\.description)
        sources = own.isEmpty ? nil : own
        addresses = Resolver.Override.chosen(among: configuration.resolve, for: target)?.addresses
            .map(\.description)
    }

    private var nextHop: String {
        if let through { return "\(through), by \(throughVariable ?? "upstream.proxy")" }
        return "none: reached directly"
            + (bypass.map { ", by “\($0)” of \(bypassVariable ?? "upstream.bypass")" } ?? "")
    }

    /// The rows of the explanation, for users.
    var rows: [(name: String, value: String)] {
        let from = sources.map { [("from", $0.joined(separator: ", ") + ", by upstream.addresses")] } ?? []
        return [
            ("host", authority),
            ("decision", reason),
            ("verifier", "\(verifier), by tls.verifier"),
            (
                "bad certificate",
                exemption.map { "accepted by the exemption \($0)" }
                    ?? "\(badCertificate), by tls.badCertificate"
            ),
            ("client certificate", clientCertificate ?? "none"),
            ("next hop", nextHop),
            (
                "address",
                through == nil
                    ? addresses?.joined(separator: ", ") ?? "looked up" : "looked up by the next hop"
            ),
        ] + from
    }
}
