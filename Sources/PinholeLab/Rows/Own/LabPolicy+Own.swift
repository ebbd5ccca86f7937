import PinholeCrypto
package import PinholeModel
package import PinholePolicies
import PinholeRuntime
import PinholeTrust

extension LabPolicy {
    /// Makes a row of the user's own policy: its settings as they are, with pins of the lab in the place of its own.
    ///
    /// - Parameters:
    ///   - file: The document.
    ///   - name: The name of the row.
    ///   - host: The host that the lab is made for; `nil` for the first host that the document has pins for, and that
    ///     the server's certificate names if it is known.
    ///   - server: The certificates of the real server; `nil` if they are not known.
    /// - Returns: The row, with notes on the assumptions.
    /// - Throws: ``LabFailure`` when the host is an address.
    package static func own(
        file: PolicyFile,
        name: String,
        host: Host? = nil,
        server: ServerPath? = nil
    ) throws(LabFailure) -> LabPolicy {
        let host = host ?? file.pinnedHost(of: server) ?? LabWorld.standardHost
        return try own(
            file.policy(ofOwnersIn: [.dane]),
            title: file.kinds.map(\.rawValue).joined(separator: " and "),
            of: file,
            name: name,
            host: host,
            labHost: host,
            server: server
        )
    }

    /// Makes a row of one client of a file, for one of the file's hosts.
    ///
    /// - Parameters:
    ///   - policy: The policy of the client.
    ///   - title: The client.
    ///   - file: The document.
    ///   - name: The name of the row.
    ///   - host: The host of the document.
    ///   - labHost: The host of the lab, whose servers stand for those of `host`.
    ///   - server: The certificates of the real server; `nil` if they are not known.
    /// - Returns: The row, with notes on the assumptions.
    /// - Throws: ``LabFailure`` when a host is an address.
    static func own(
        _ policy: any TrustPolicy,
        title: String,
        of file: PolicyFile,
        name: String,
        host: Host,
        labHost: Host,
        server: ServerPath?
    ) throws(LabFailure) -> LabPolicy {
        guard host.name != nil, labHost.name != nil else {
            throw LabFailure("expected the name of a host for \(name), found the address \(host)")
        }
        let lists = policy.pinnedLists(for: host)
        let known = completed(server?.certificates ?? [], with: lists)
        let roles = PinRoles(lists, chain: known)
        let guests = ForeignHostPins(policy, of: LabWorld.internationalHost(below: host), besides: lists)
        let port = policy.scopes.first { $0.port != nil && $0.matches(host) }?.port
        let make = { (roles: PinRoles) -> @Sendable (Target) throws(LabFailure) -> any TrustPolicy in
            { target throws(LabFailure) in
                guard target.world.host == labHost else {
                    throw LabFailure(
                        "\(name) is for \(labHost), the lab for \(target.world.host): make the lab for that host"
                    )
                }
                var moved = policy.withPins(for: host, roles.replacement(in: target.world))
                moved = guests.moved(in: moved, roles, to: target.world)
                let place = Authority(host: host, port: port ?? target.authority.port)
                if let seen = target.seen { moved = moved.afterVisit(to: seen.spki, at: place) }
                let actual = Authority(host: labHost, port: target.authority.port)
                return place == actual ? moved : RelocatedPolicy(moved, at: place, insteadOf: actual)
            }
        }
        var row = LabPolicy(
            name,
            title,
            .own,
            group: .own,
            host: labHost.description,
            notes: (server?.notes ?? []) + PinSilence(policy, for: host).notes + roles.notes + guests.notes,
            make: make(roles)
        )
        if host != labHost { row.subject = host }
        row.digest = file.digest
        var lint = PolicyLint(time: LoopClock().now(), hosts: [host], chain: known)
        lint.suffixes = .system
        row.findings = lint.findings(for: policy)
        row.line = file.lines?.line(of: lists)
        if roles.isGuess {
            row.otherReading = make(PinRoles(lists, chain: known, reading: .authorities))
        }
        return row
    }

    /// Extends the chain by the certificate of its issuer, if the document contains it.
    private static func completed(
        _ chain: [CertificateFacts],
        with lists: [PinnedList]
    ) -> [CertificateFacts] {
        var question = ChainQuestion(
            Evidence(
                host: nil,
                presented: PresentedChain(chain),
                anchors: lists.flatMap { $0.values.compactMap(\.certificate) },
                time: LoopClock().now()
            ),
            by: .openssl
        )
        question.allowsPartialChain = true
        return chain + ChainVerifier().evaluate(question).built.filter { !chain.contains($0) }
    }
}

extension PolicyFile {
    /// The hosts that the file names, in its order; for a pattern a host that it means.
    package var hosts: [Host] {
        var hosts: [Host] = []
        let named = policy.scopes.compactMap(\.example) + bystanders
        for host in named where !hosts.contains(host) {
            hosts.append(host)
        }
        return hosts
    }

    /// Returns the first host of the file for which it has pins, else the first that it names; `nil` if it names none.
    ///
    /// If the server is known, the host is one that its certificate names: first of those in the file, then of those in
    /// the certificate.
    func pinnedHost(of server: ServerPath?) -> Host? {
        let policy = policy
        let pinned = hosts.filter { !policy.pinnedLists(for: $0).isEmpty }
        guard let leaf = server?.certificates.first else { return pinned.first ?? hosts.first }
        let named = leaf.names.filter {
            !policy.pinnedLists(for: $0).isEmpty && $0.name?.hasPrefix("*") == false
        }
        return pinned.first { leaf.names($0) } ?? named.first ?? pinned.first ?? hosts.first
    }
}
