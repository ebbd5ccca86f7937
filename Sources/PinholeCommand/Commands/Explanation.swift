import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// What would be done with a host.
struct Explanation: Encodable, Equatable {
    let authority: String
    let treatment: String
    let reason: String
    let badCertificate: String
    let exemption: String?
    let clientCertificate: String?
    let addresses: [String]?
    let through: String?
    let bypass: String?
    let sources: [String]?

    /// Applies the rules of `configuration` to `target`.
    init(of target: Authority, by configuration: Configuration) throws {
        let directory = AuthorityDirectory(path: configuration.authority.directory)
        // Its limits count, also where the key cannot be read.
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
        badCertificate = servers.badCertificate.rawValue
        exemption = servers.exemption(for: target).map { "\($0.pattern): \($0.reason)" }
        clientCertificate =
            configuration.tls.clientCertificates.last { entry in
                entry.hosts.contains { $0.matches(target) }
            }?.file
        let hops = NextHops(proxy: configuration.upstream.proxy, bypass: configuration.upstream.bypass)
        through = hops.hop(for: target)?.description
        bypass = hops.proxy == nil ? nil : hops.bypass.first { $0.matches(target) }?.description
        let own = configuration.upstream.addresses.all.map(\.description)
        sources = own.isEmpty ? nil : own
        addresses = configuration.resolve.last { $0.matches(target) }?.addresses.map(\.description)
    }

    private var nextHop: String {
        if let through { return "\(through), by upstream.proxy" }
        return "none: reached directly" + (bypass.map { ", by “\($0)” of upstream.bypass" } ?? "")
    }

    /// What people read.
    var rows: [(name: String, value: String)] {
        let from = sources.map { [("from", $0.joined(separator: ", ") + ", by upstream.addresses")] } ?? []
        return [
            ("host", authority),
            ("decision", reason),
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
