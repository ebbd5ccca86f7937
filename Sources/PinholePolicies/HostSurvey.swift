package import PinholeModel
package import PinholeTrust

/// The hosts that a policy file names or exempts, and a host that it says nothing about, with their standing for each
/// client of the file.
package struct HostSurvey: Sendable {
    /// A host, or a group of hosts, for one client.
    package struct Entry: Sendable {
        /// The number of the client in ``PolicyFile/clients``.
        package let client: Int
        /// The hosts as the file writes them, `*.example.com` for those below a host.
        package let title: String
        /// The host that is asked for them.
        package let authority: Authority
        /// Whether the file names them for this client.
        package let isNamed: Bool
        /// The line of the file that names them; `nil` if it is unknown.
        package let line: Int?
        /// The standing of the host.
        package let standing: HostStanding
        /// Whether the client names hosts that another client of the file pins, and does not pin them.
        package let opensPinnedHost: Bool

        /// The host that is asked.
        package var host: Host { authority.host }
    }

    /// The title of the hosts that the file does not name.
    package static let others = "every other host"

    /// The hosts, client by client, in the order of the file; the hosts that it does not name are the last ones.
    package private(set) var entries: [Entry] = []

    /// Asks the clients of a file about its hosts.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - time: The present.
    ///   - hosts: Hosts to ask about even if the file does not name them.
    ///   - usual: The host to ask clients about that name none; `nil` for any.
    package init(_ file: PolicyFile, at time: Timestamp, hosts: [Host] = [], usual: Host? = nil) {
        let clients = file.clients.map(\.policy)
        for (number, policy) in clients.enumerated() {
            let others = HostStanding(
                policy,
                for: Authority(host: HostStanding.unnamedHost, port: 443),
                at: time
            )
            var known: Set<Authority> = []
            func add(_ title: String, _ host: Host, _ port: UInt16? = nil, isNamed: Bool = true) {
                let authority = Authority(host: host, port: port ?? 443)
                guard known.insert(authority).inserted else { return }
                let standing = HostStanding(policy, for: authority, at: time)
                let opens =
                    isNamed && standing.protection == .notPinned
                    && clients.contains { !$0.scopes.isEmpty && !$0.pinnedLists(for: host).isEmpty }
                entries.append(
                    Entry(
                        client: number,
                        title: title,
                        authority: authority,
                        isNamed: isNamed,
                        line: isNamed ? file.lines?.line(naming: title) : nil,
                        standing: standing,
                        opensPinnedHost: opens
                    )
                )
            }
            for scope in policy.scopes + policy.exemptions {
                guard let host = scope.example else { continue }
                add(scope.text, host, scope.port)
                let below = HostStanding.host(below: host)
                let isPattern = scope.text.hasPrefix("*")
                guard !isPattern, scope.matches(below),
                    HostStanding(policy, for: Authority(host: below, port: scope.port ?? 443), at: time)
                        .protection
                        != others.protection
                else { continue }
                add("*.\(scope.text)", below, scope.port)
            }
            if !file.isOfSeveralClients { for host in file.bystanders { add("\(host)", host) } }
            for host in hosts { add("\(host)", host, isNamed: policy.scopes.contains { $0.matches(host) }) }
            if let usual, policy.scopes.isEmpty { add("\(usual)", usual) }
            if known.isEmpty || others.protection != .pinned {
                add(Self.others, HostStanding.unnamedHost, isNamed: false)
            }
        }
    }

    /// Returns the entries by which servers of a host pass that nobody pinned; empty if there are none.
    ///
    /// - Parameter host: A host that was asked about.
    /// - Returns: The entries.
    package func openEntries(of host: Host) -> [Entry] {
        let asked = entries.filter { $0.host == host }
        let isPinned = asked.contains { $0.standing.protection == .pinned }
        return asked.filter { entry in
            switch entry.standing.protection {
            case .pinned, .refused: false
            case .anyName, .acceptsEverything: true
            // A client that does not know the host is none of its clients, if there is another one.
            case .notPinned: entry.isNamed || !isPinned
            }
        }
    }
}

extension PolicyFile {
    /// The clients of the file, each with the policy that it judges by.
    package var clients: [(title: String, policy: any TrustPolicy)] {
        guard isOfSeveralClients else {
            return [(kinds.map(\.rawValue).joined(separator: " and "), policy(ofOwnersIn: [.dane]))]
        }
        return zip(kinds, policies).map { ($0.rawValue, $1) }
    }
}
