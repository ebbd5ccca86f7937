import PinholeModel
package import PinholeTrust

/// The roles of a policy's pins: which keys of the lab are put in the place of the user's.
///
/// The lab does not have the keys that the user pins, so it puts its own there, each in the same notation. A pin
/// without a role stays as it is: nobody in the lab has its key.
package struct PinRoles: Sendable {
    /// The role of each pin that has one.
    package private(set) var roles: [PinnedValue: PinRole] = [:]
    /// What was assumed and what was found, in sentences.
    package private(set) var notes: [String] = []

    /// Whose keys pins are taken for where nothing tells.
    package enum Reading: Sendable {
        /// The server's and its backup's.
        case server
        /// Those of the CA that issued its certificate, and of a backup CA.
        case authorities
    }

    /// Whether some roles are no more than a reading.
    package private(set) var isGuess = false
    private let chain: [CertificateFacts]
    private let reading: Reading

    /// Finds the roles.
    ///
    /// With a chain, a pin that is of one of its certificates has that certificate's role, and others beside it
    /// are backups; a list of which no pin is of the chain stays as it is. Without, certificates tell by
    /// themselves, and pins by what they are compared with: first the one in use, then the backup.
    ///
    /// - Parameters:
    ///   - lists: The pins that hold for the host.
    ///   - chain: The certificates of the real server, leaf first; empty where they are not known.
    ///   - reading: Whose keys pins are taken for where nothing tells.
    package init(_ lists: [PinnedList], chain: [CertificateFacts] = [], reading: Reading = .server) {
        self.chain = chain
        self.reading = reading
        var seen: Set<PinnedList> = []
        for list in lists where seen.insert(list).inserted { assign(list) }
    }

    /// Puts the lab's keys in the place of those that have a role.
    package func replacement(in world: LabWorld) -> PinningPolicy.Replacement {
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
            let root = hasRoot ? "" : " A root's is known only if the root is in the chain: append it."
            note(
                """
                None of \(Self.text(list.values)) is of the given chain: what refuses it refuses here, too.\(root) \
                Without the chain the lab puts pins of its own in their place.
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
            return values.isEmpty ? nil : "\(Self.text(values)) for \(role.title)"
        }
        let nobody = strangers.isEmpty ? [] : ["\(Self.text(strangers)) for keys that nobody here has"]
        let reason =
            isGuess
            ? " (a guess by their order, and tried as keys of CAs, too: the server's chain would tell)" : ""
        note("Taken\(reason): \((told + nobody).joined(separator: "; ")).")
    }

    private mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    private func roleInChain(_ value: PinnedValue) -> PinRole? {
        guard let index = chain.firstIndex(where: value.matches) else { return nil }
        guard index > 0 else { return .leaf }
        return chain[index].isSelfSigned ? .root : .intermediate
    }

    /// What a pin beside those of the chain may be.
    private static func backups(_ list: PinnedList, beside known: Set<PinRole>) -> [PinRole] {
        switch list.position {
        case .leaf: [.backupLeaf]
        case .authorities: [.backupIntermediate]
        case .any where known == [.leaf]: [.backupLeaf]
        case .any where known.contains(.leaf): [.backupLeaf, .backupIntermediate]
        case .any: [.backupIntermediate]
        }
    }

    /// What a pin may be of which no chain tells.
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
