import PinholeModel
package import PinholeTrust

/// The roles of a policy's pins: the keys of the lab that replace the user's.
///
/// The lab does not have the keys that the user pins, so it pins its own, each in the same notation. A pin without a
/// role stays as it is: the lab has no key for it.
package struct PinRoles: Sendable {
    /// The role of each pin that has one.
    package private(set) var roles: [PinnedValue: PinRole] = [:]
    /// The assumptions and findings about the pins, in sentences.
    package private(set) var notes: [String] = []

    /// The assumption about the owner of pins if nothing else is known.
    package enum Reading: Sendable {
        /// The server's and its backup's.
        case server
        /// The keys of the CA that issued the server's certificate, and of a backup CA.
        case authorities
    }

    /// Whether some roles are no more than a reading.
    package private(set) var isGuess = false
    private let chain: [CertificateFacts]
    private let reading: Reading

    /// Finds the roles.
    ///
    /// With a chain, a pin of one of its certificates has that certificate's role, and other pins in the same list are
    /// backups. A list without a pin of the chain stays as it is. Without a chain, pinned certificates show their own
    /// role, and other pins by the certificates that they are compared with: first the key in use, then the backup.
    ///
    /// - Parameters:
    ///   - lists: The pins that hold for the host.
    ///   - chain: The certificates of the real server, leaf first; empty if they are not known.
    ///   - reading: The assumption about the owner of pins if nothing else is known.
    package init(_ lists: [PinnedList], chain: [CertificateFacts] = [], reading: Reading = .server) {
        self.chain = chain
        self.reading = reading
        var seen: Set<PinnedList> = []
        for list in lists where seen.insert(list).inserted { assign(list) }
    }

    /// Returns the replacement of the pins that have a role by the lab's keys.
    package func replacement(in world: LabWorld) -> PinnedList.Replacement {
        { list in
            list.values.map { value in
                roles[value].flatMap { value.moved(to: world.certificate($0)) } ?? value
            }
        }
    }

    private mutating func assign(_ list: PinnedList) {
        for value in list.values where roles[value] == nil { roles[value] = roleInChain(value) }
        let known = Set(list.values.compactMap { roles[$0] })
        guard chain.isEmpty || !known.isEmpty else {
            let hasRoot = chain.contains { $0.isSelfSigned && $0.isAuthority }
            let root =
                hasRoot ? "" : " The lab cannot recognise a pin of the root: append the root to the chain."
            note(
                """
                None of \(Self.text(list.values)) is of the given chain, so the policy refuses the lab's honest server, \
                too.\(root) Without the chain, the lab replaces these pins by its own.
                """
            )
            return
        }
        var taken = known
        var strangers: [PinnedValue] = []
        var isGuess = false
        for value in list.values where roles[value] == nil && !strangers.contains(value) {
            let candidates = chain.isEmpty ? candidates(value, list) : Self.backups(list, beside: known)
            isGuess = isGuess || chain.isEmpty && value.certificate == nil && list.position == .any
            if let role = candidates.first(where: { !taken.contains($0) }) {
                roles[value] = role
                taken.insert(role)
            } else {
                strangers.append(value)
            }
        }
        self.isGuess = self.isGuess || isGuess
        tell(list, strangers, isGuess)
    }

    private mutating func tell(_ list: PinnedList, _ strangers: [PinnedValue], _ isGuess: Bool) {
        let told = PinRole.allCases.compactMap { role in
            let values = list.values.filter { roles[$0] == role }
            return values.isEmpty ? nil : "\(Self.text(values)) as \(role.title)"
        }
        let unknown = strangers.isEmpty ? [] : ["\(Self.text(strangers)) as pins of unknown keys"]
        note("The lab treats \((told + unknown).joined(separator: ", ")).")
        if isGuess {
            note(
                """
                The role of each pin is a guess by their order, so the lab also tries the pins as those of CAs. The \
                server's chain decides it.
                """
            )
        }
    }

    private mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    private func roleInChain(_ value: PinnedValue) -> PinRole? {
        guard let index = chain.firstIndex(where: value.matches) else { return nil }
        guard index > 0 else { return .leaf }
        return chain[index].isSelfSigned ? .root : .intermediate
    }

    /// Returns the roles that a pin can have if it is not in the chain but beside others that are.
    private static func backups(_ list: PinnedList, beside known: Set<PinRole>) -> [PinRole] {
        switch list.position {
        case .leaf: [.backupLeaf]
        case .authorities: [.backupIntermediate]
        case .any where known == [.leaf]: [.backupLeaf]
        case .any where known.contains(.leaf): [.backupLeaf, .backupIntermediate]
        case .any: [.backupIntermediate]
        }
    }

    /// Returns the roles that a pin can have if no chain is known.
    private func candidates(_ value: PinnedValue, _ list: PinnedList) -> [PinRole] {
        if let certificate = value.certificate {
            guard certificate.isAuthority else { return [.leaf, .backupLeaf] }
            return certificate.isSelfSigned ? [.root] : [.intermediate, .backupIntermediate]
        }
        let isOfAuthorities =
            list.position == .authorities || list.position == .any && reading == .authorities
        return isOfAuthorities ? [.intermediate, .backupIntermediate] : [.leaf, .backupLeaf]
    }

    private static func text(_ values: [PinnedValue]) -> String {
        ChainText.list(values.map(\.shortText))
    }
}

extension PinnedValue {
    /// Enough of it to find it again: the subject of a certificate, or the first characters.
    fileprivate var shortText: String {
        if let certificate { return certificate.title }
        return "“\(Base64.encode(bytes).prefix(8))…”"
    }
}
