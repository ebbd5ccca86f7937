/// Compares the names of a path with the name constraints of its authorities (RFC 5280 §6.1.3 (b) and (c)).
struct NameConstraintCheck {
    let profile: VerifierProfile
    /// The path, leaf first, anchor last.
    let path: [PathCertificate]

    private var rules: NameConstraintRules { profile.nameConstraints }

    /// The first fault; `nil` if every name is permitted.
    func fault() -> ChainFault? {
        for depth in path.indices.reversed() {
            let isAnchor = depth == path.count - 1
            if !isAnchor, let fault = textFault(of: path[depth], at: depth) { return fault }
            guard depth > 0, !isAnchor || profile.anchors.checksNames, let trees = path[depth].fields.subtrees
            else { continue }
            if let fault = fault(of: trees, at: depth) { return fault }
            for lower in path.indices.prefix(depth).reversed() {
                let certificate = path[lower]
                if rules.skipsSelfIssued, lower > 0, certificate.isSelfIssued { continue }
                if let fault = fault(of: certificate, at: lower, in: trees) { return fault }
            }
        }
        return nil
    }

    // MARK: Malformed names and constraints

    private func textFault(of certificate: PathCertificate, at depth: Int) -> ChainFault? {
        let names = certificate.fields.alternativeNames ?? []
        if rules.refusesMalformedNames, let name = names.first(where: isMalformedName) {
            let what = "“\(certificate.facts.subject)” has a malformed name in subjectAltName: \(name.title)"
            return profile.fault(.malformed, depth, what)
        }
        guard
            (rules.refusesEmptyDomain && names.contains(.domain("")))
                || (rules.mail.malformed == .emptyRefused && names.contains(.email("")))
        else { return nil }
        let what = "“\(certificate.facts.subject)” has an empty name in subjectAltName"
        return profile.fault(.malformed, depth, what)
    }

    private func isMalformedName(_ name: GeneralName) -> Bool {
        switch name {
        case .address(let bytes): bytes.count != 4 && bytes.count != 16
        case .uri(let text):
            text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
                || DomainComparison.host(ofURI: text).map { $0.contains("%") || !isHost($0) } ?? false
        default: false
        }
    }

    private func isHost(_ text: some StringProtocol) -> Bool {
        DomainComparison.isHost(text, rules.hostForm)
    }

    private func fault(of trees: NameSubtrees, at depth: Int) -> ChainFault? {
        let name = "“\(path[depth].facts.subject)”"
        let all = trees.permitted + trees.excluded
        if trees.hasDistances {
            return profile.fault(.nameConstraints, depth, "the name constraints of \(name) have distances")
        }
        if let malformed = all.first(where: isMalformed) {
            let what = "\(name) has a name constraint that cannot be compared: \(malformed.title)"
            return profile.fault(.nameConstraints, depth, what)
        }
        let isRefused =
            all.contains { rules.refusedKinds.contains($0.kind) }
            || isRefused(trees, all)
        guard isRefused else { return nil }
        let what = "\(name) has name constraints of a kind that is not supported"
        return profile.fault(.nameConstraints, depth, what)
    }

    private func isRefused(_ trees: NameSubtrees, _ all: [GeneralName]) -> Bool {
        switch rules.uncompared {
        case .ignored, .refusedIfNamed: false
        case .refusedIfCritical: trees.isCritical && all.contains { !rules.kinds.contains($0.kind) }
        case .refusedIfExcluded:
            trees.excluded.contains { !rules.kinds.contains($0.kind) && !$0.isEmptyDirectory }
        }
    }

    private func isMalformed(_ tree: GeneralName) -> Bool {
        switch tree {
        case .email(let text):
            rules.mail.malformed == .refused && !MailComparison.isConstraint(text, rules.hostForm)
        case .domain(let text):
            !DomainComparison.isConstraint(text, rules.hostForm)
                || (text == "." && rules.hostForm == .names && rules.refusesEmptyDomain)
        case .uri(let text):
            rules.hostForm != .any
                && (!DomainComparison.isConstraint(text, rules.hostForm) || DomainComparison.isAddress(text))
        case .address(let bytes):
            (bytes.count != 8 && bytes.count != 32)
                || (rules.refusesMalformedMasks && !Self.isPrefix(bytes.suffix(bytes.count / 2)))
        default: false
        }
    }

    /// Whether a mask has ones and then zeros only.
    private static func isPrefix(_ mask: some Sequence<UInt8>) -> Bool {
        var isOver = false
        for byte in mask {
            let zeros = ~byte
            // The zeros of a byte are its last bits if their number plus one is a power of two.
            guard isOver ? byte == 0 : zeros & (zeros &+ 1) == 0 else { return false }
            if zeros != 0 { isOver = true }
        }
        return true
    }

    // MARK: Names

    private func fault(
        of certificate: PathCertificate,
        at depth: Int,
        in trees: NameSubtrees
    ) -> ChainFault? {
        let names = names(of: certificate, at: depth)
        let permitted = Dictionary(grouping: trees.permitted, by: \.kind)
        let excluded = Dictionary(grouping: trees.excluded, by: \.kind)
        var comparisons: [GeneralName.Kind: Int] = [:]
        for name in names {
            let allowed = permitted[name.kind] ?? []
            let forbidden = excluded[name.kind] ?? []
            guard !allowed.isEmpty || !forbidden.isEmpty else { continue }
            if !rules.kinds.contains(name.kind) {
                guard rules.uncompared == .refusedIfNamed else { continue }
                return refused(
                    name,
                    certificate,
                    depth,
                    "is of a kind that cannot be compared with the constraints"
                )
            }
            let count = (comparisons[name.kind] ?? 0) + allowed.count + forbidden.count
            comparisons[name.kind] = count
            guard count <= profile.limits.nameComparisons else {
                return refused(name, certificate, depth, "needs too many comparisons with the constraints")
            }
            if isUnreadable(name) {
                return refused(name, certificate, depth, "cannot be compared with the constraints")
            }
            // RFC 5280 §4.2.1.10 applies permitted directoryNames to subjects that are not empty.
            let isPermitted = allowed.isEmpty || (name.isEmptyDirectory && !rules.comparesEmptySubject)
            if !isPermitted, !allowed.contains(where: { covers($0, name, isExcluding: false) }) {
                return refused(name, certificate, depth, "is not among the permitted names")
            }
            if forbidden.contains(where: { covers($0, name, isExcluding: true) }) {
                return refused(name, certificate, depth, "is among the excluded names")
            }
        }
        return nil
    }

    private func refused(
        _ name: GeneralName,
        _ certificate: PathCertificate,
        _ depth: Int,
        _ reason: String
    ) -> ChainFault {
        let what =
            "a name of “\(certificate.facts.subject)” \(reason) of an authority above it: \(name.title)"
        return profile.fault(.nameConstraints, depth, what)
    }

    private func names(of certificate: PathCertificate, at depth: Int) -> [GeneralName] {
        let fields = certificate.fields
        var names = fields.alternativeNames ?? []
        let kinds = Set(names.map(\.kind))
        if rules.kinds.contains(.directory) { names.append(.directory(fields.subject)) }
        if rules.readsSubjectMail, !kinds.contains(.email) {
            names += fields.subject.texts(of: .emailAddress).map(GeneralName.email)
        }
        if rules.commonName != .ignored, depth == 0, !kinds.contains(.domain) {
            names += fields.subject.texts(of: .commonName)
                .filter { rules.commonName == .anyText || DomainComparison.isHost($0) }.map(
                    GeneralName.domain
                )
        }
        return names
    }

    private func isUnreadable(_ name: GeneralName) -> Bool {
        switch name {
        case .email(let text):
            (rules.mail.malformed == .refused && !MailComparison.isMailbox(text, rules.hostForm))
                || (rules.mail.refusesAddressLiterals && text.hasSuffix("]"))
        case .uri(let text): !(DomainComparison.host(ofURI: text).map { isHost($0) } ?? false)
        case .domain(let text):
            rules.hostForm == .names
                ? (text.isEmpty && rules.refusesEmptyDomain)
                    || !isHost(text.dropFirst(text.hasPrefix("*.") ? 2 : 0)) : !isHost(text)
        default: false
        }
    }

    private func covers(_ tree: GeneralName, _ name: GeneralName, isExcluding: Bool) -> Bool {
        switch (tree, name) {
        case (.domain(let tree), .domain(let name)):
            DomainComparison(rules: rules).covers(
                tree.lowercased(),
                name.lowercased(),
                isExcluding: isExcluding
            )
        case (.email(let tree), .email(let name)): MailComparison(rules: rules.mail).covers(tree, name)
        case (.uri(let tree), .uri(let name)):
            DomainComparison.host(ofURI: name).map { host in
                DomainComparison(rules: rules).coversURI(tree.lowercased(), host, isExcluding: isExcluding)
            } ?? false
        case (.directory(let tree), .directory(let name)): covers(tree, name)
        case (.address(let tree), .address(let name)): Self.covers(tree, name)
        case (.registeredID(let tree), .registeredID(let name)): tree == name
        default: false
        }
    }

    private func covers(_ tree: DistinguishedName, _ name: DistinguishedName) -> Bool {
        switch rules.directories {
        case .prefix: name.isWithin(tree)
        case .nonEmptyPrefix: !tree.isEmpty && name.isWithin(tree)
        case .commonPrefix: zip(tree.parts, name.parts).allSatisfy { $0 == $1 }
        }
    }

    private static func covers(_ tree: [UInt8], _ name: [UInt8]) -> Bool {
        guard tree.count == 2 * name.count else { return false }
        // The mask follows the address (RFC 5280 §4.2.1.10).
        return name.indices.allSatisfy { (tree[$0] ^ name[$0]) & tree[$0 + name.count] == 0 }
    }
}

extension GeneralName {
    /// Whether this is a directoryName without attributes.
    fileprivate var isEmptyDirectory: Bool {
        guard case .directory(let name) = self else { return false }
        return name.isEmpty
    }
}
