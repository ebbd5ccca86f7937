import PinholeModel
import PinholeTrust

extension CurlPolicy: ReadablePolicy {
    /// curl compares only the leaf's key, for every host of a transfer.
    func forms(_ context: SemanticsContext) -> [PolicySemantics] { [.leafForm] }

    /// curl (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        var judging = JudgingSemantics(insecure ? [] : [JudgingSemantics.device])
        switch pinnedPublicKey {
        case nil: break
        case .digests(let texts):
            let pinned = context.holders { texts.contains(Base64.encode($0.spkiSHA256)) }
            judging.pins = [.init(.key, of: pinned, in: .leaf)]
        case .unreadable: judging.refusesEverybody = true
        case .file(let bytes):
            let pinned = context.holders { $0.spki == bytes }
            guard !pinned.isEmpty else { return .unknown("whose key is in the file is for curl to say") }
            judging.pins = [.init(.key, of: pinned, in: .leaf)]
        }
        return .judges(judging)
    }
}

extension HPKPPolicy: ReadablePolicy {
    func forms(_ context: SemanticsContext) -> [PolicySemantics] { PolicySemantics.formsForHost }

    /// HPKP (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        guard context.host.name != nil else { return .silent() }
        let pinned = context.holders(header.pins)
        var judging = JudgingSemantics(pins: [.init(.key, of: pinned, in: .path)])
        judging.reports = header.reportURI != nil
        guard !reportOnly else {
            judging.pinLifetime = .over
            return .judges(judging)
        }
        guard header.maxAge != 0, Set(header.pins).count > 1 else { return .silent() }
        let holdsSpare = Set(header.pins).count > pinned.count
        let leaves: Set<KeyHolder> = [.leaf, .backupLeaf]
        let authorities: Set<KeyHolder> = [.intermediate, .backupIntermediate]
        guard holdsSpare || pinned.isSubset(of: leaves) || pinned.isSubset(of: authorities) else {
            return .unknown("whether every pin is in a chain depends on the chain")
        }
        return .judges(judging)
    }
}

extension DANEPolicy: ReadablePolicy {
    /// TLSA 3 1 1, 1 1 1 and 2 1 1 (RFC 7671 §5).
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        let authorities = PolicySemantics.authorityKeys.map { JudgingSemantics.Anchor.sentKey($0) }
        return [
            PolicySemantics.leafForm.judging { $0.evaluations = [] }, .leafForm,
            PolicySemantics(JudgingSemantics([Set(authorities)])),
        ].map { $0.forItsHost() }
    }

    /// DANE (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        guard let first = records.first else { return .silent() }
        guard records.allSatisfy({ $0.usage == first.usage && $0.selector == first.selector }) else {
            return .unknown("records of several kinds are alternatives")
        }
        guard records.allSatisfy({ $0.matching == .sha256 }), !nameChecksForEE else {
            return .unknown("of several digests the strongest counts, and full data need not be sent")
        }
        let isKey = first.selector == .spki
        let pinned = context.holders { certificate in
            records.contains { $0.data == (isKey ? certificate.spkiSHA256 : certificate.sha256) }
        }
        let part: JudgingSemantics.PinList.Part = isKey ? .key : .certificate
        switch first.usage {
        case .pkixTA:
            return .judges(JudgingSemantics(pins: [.init(part, of: pinned, in: .authorities)]))
        case .pkixEE:
            return .judges(JudgingSemantics(pins: [.init(part, of: pinned, in: .leaf)]))
        case .daneTA:
            let anchors = pinned.map { isKey ? JudgingSemantics.Anchor.sentKey($0) : .sentCertificate($0) }
            return .judges(JudgingSemantics([Set(anchors)]))
        case .daneEE:
            return .judges(JudgingSemantics([], pins: [.init(part, of: pinned, in: .leaf)]))
        }
    }
}

extension TOFUPolicy: ReadablePolicy {
    /// Trust on first use compares keys only, and trusts or refuses the first contact.
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        [.seenBefore(.trusted), .seenBefore(.refused)]
    }

    /// Trust on first use (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        guard store.entries.allSatisfy({ $0.expiration == 0 && !$0.host.hasPrefix("*") }) else {
            return .unknown("entries with a date, or for every host")
        }
        let known = store.entries.filter {
            $0.host == context.host.description
                && ["*", String(context.port), context.port == 443 ? "https" : nil].contains($0.service)
        }
        guard !known.isEmpty else {
            return .judges(JudgingSemantics([]) { $0.refusesEverybody = strict })
        }
        var keys: [[UInt8]] = []
        for entry in known {
            guard case .spki(let key) = entry.key else { return .unknown("digests of keys") }
            keys.append(key)
        }
        let pinned = context.holders { keys.contains($0.spki) || keys.contains($0.key) }
        return .judges(JudgingSemantics([], pins: [.init(.key, of: pinned, in: .leaf)]))
    }
}
