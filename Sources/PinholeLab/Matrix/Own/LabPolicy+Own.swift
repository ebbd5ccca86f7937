import PinholeCrypto
package import PinholeModel
import PinholeRuntime
package import PinholeTrust

extension LabPolicy {
    /// The user's own policy as a row: its settings as they are, with pins of the lab in the place of its own.
    ///
    /// - Parameters:
    ///   - file: The document.
    ///   - name: What the row is called.
    ///   - host: The host that the lab is made for.
    ///   - chain: The certificates of the real server, leaf first; empty where they are not known. A root that the
    ///     document pins by its key alone is told from other keys only when it is there.
    /// - Returns: The row, with notes on what was assumed.
    /// - Throws: ``LabFailure`` when the host is an address.
    package static func own(
        file: PolicyFile,
        name: String,
        host: Host,
        chain: [CertificateFacts] = []
    ) throws(LabFailure) -> LabPolicy {
        guard host.name != nil else {
            throw LabFailure("expected the name of a host for \(name), found the address \(host)")
        }
        let policy = file.policyOfOwners
        let lists = policy.pinnedLists(for: host)
        let known = completed(chain, with: lists)
        let roles = PinRoles(lists, chain: known)
        let scopes = policy.namedScopes
        let port = scopes.first { $0.port != nil && $0.matches(host) }?.port
        let make = { (roles: PinRoles) -> @Sendable (Target) throws(LabFailure) -> any TrustPolicy in
            { target throws(LabFailure) in
                guard target.world.host == host else {
                    throw LabFailure(
                        "\(name) is for \(host), the lab for \(target.world.host): make the lab for that host"
                    )
                }
                let moved = policy.withPins(for: host, roles.replacement(in: target.world))
                guard let port else { return moved }
                return RehousedPolicy(moved, at: port, insteadOf: target.authority.port)
            }
        }
        var row = LabPolicy(
            name,
            file.kinds.map(\.rawValue).joined(separator: " and "),
            .own,
            group: .own,
            host: host.description,
            notes: silence(scopes, lists, host) + roles.notes,
            make: make(roles)
        )
        if roles.isGuess {
            row.otherReading = make(PinRoles(lists, chain: known, reading: .authorities))
        }
        return row
    }

    /// The chain with what issued it, where the document holds that certificate.
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
            )
        )
        question.allowsPartialChain = true
        return chain + ChainVerifier().evaluate(question).built.filter { !chain.contains($0) }
    }

    /// That the document says nothing about the host.
    private static func silence(
        _ scopes: [PolicyOutline.Scope],
        _ lists: [PinnedList],
        _ host: Host
    ) -> [String] {
        guard scopes.isEmpty || scopes.contains(where: { $0.matches(host) }) else {
            let named = ChainText.list(scopes.map(\.text))
            return ["Nothing in the document is for \(host); it names \(named)."]
        }
        return lists.isEmpty ? ["The document pins nothing for \(host)."] : []
    }
}

extension PolicyFile {
    /// The hosts that the file names, in its order; for a pattern a host that it means.
    package var hosts: [Host] {
        var hosts: [Host] = []
        let named = policy.namedScopes.compactMap(\.example) + bystanders
        for host in named where !hosts.contains(host) {
            hosts.append(host)
        }
        return hosts
    }
}
