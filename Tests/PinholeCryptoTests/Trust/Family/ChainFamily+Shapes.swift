import PinholeCrypto
import PinholeModel
import PinholeTrust

extension ChainFamily {
    /// Orders, duplicates, strangers and cross-certificates.
    mutating func addShapes() throws {
        let chain = try forge.chain(3)
        let (leaf, root) = (chain[0], chain[4])
        for (number, order) in Self.permutations(Array(chain[1...3])).enumerated() {
            try add("order \(number)", factor: "disordered", chain, presented: [leaf] + order)
            try add(
                "order \(number), root sent",
                factor: "disordered",
                chain,
                presented: [leaf, root] + order
            )
        }
        for place in 0...3 {
            var twice = Array(chain.dropLast())
            twice.insert(chain[place], at: place)
            try add("certificate \(place) twice", factor: "duplicate", chain, presented: twice)
        }
        let strangers = try forge.chain(2, .p384)
        try add(
            "strangers behind",
            factor: "strangers",
            chain,
            presented: chain.dropLast() + strangers
        )
        try add(
            "strangers between",
            factor: "strangers",
            chain,
            presented: [leaf] + strangers.dropFirst() + chain[1...3]
        )
        try add(
            "leaf last",
            factor: "leaf last",
            chain,
            presented: [chain[1], chain[2], chain[3], leaf],
            fault: .wrongPurpose
        )
        try addCrossed()
        try addSelfSigned()
    }

    /// One authority with certificates of two roots.
    private mutating func addCrossed() throws {
        let chain = try forge.chain(1)
        let now = forge.now
        let otherRoot = try forge.plain(2, of: 1, .p384, nil)
        let other = try forge.made(otherRoot, by: otherRoot)
        let forge = forge
        let cross = { (edit: ChainForge.Edit) throws -> Certificate in
            var template = try forge.plain(1, of: 1, .p256, nil)
            forge.setIdentifiers(&template, issuer: otherRoot.key)
            edit(&template)
            return try forge.made(template, by: otherRoot)
        }
        let valid = try cross { _ in }
        let expired = try cross { $0.notAfter = now - .seconds(86_400) }
        let (leaf, own, root) = (chain[0], chain[1], chain[2])
        for (label, sent, anchors, fault) in [
            ("own first, own root", [leaf, own, valid], [root], nil),
            ("cross first, own root", [leaf, valid, own], [root], ChainFault.Kind.untrusted),
            ("own first, other root", [leaf, own, valid], [other], .untrusted),
            ("cross first, other root", [leaf, valid, own], [other], nil),
            ("cross alone, own root", [leaf, valid], [root], .untrusted),
            ("cross alone, other root", [leaf, valid], [other], nil),
            ("both roots", [leaf, own, valid], [root, other], nil),
            ("expired cross first, both roots", [leaf, expired, own], [root, other], nil),
            ("expired cross alone, other root", [leaf, expired], [other], .expired),
        ] {
            try add("crossed: \(label)", chain, presented: sent, anchors: anchors, fault: fault)
        }
    }

    /// Leaves that nobody else signed.
    private mutating func addSelfSigned() throws {
        for (label, isAuthority) in [("leaf", false), ("authority", true)] {
            var template = try forge.plain(0, of: 0, .p256, nil)
            template.setBasicConstraints(authority: isAuthority)
            let alone = try forge.made(template, by: template)
            let stranger = try forge.chain(0, .p384).suffix(1)
            try add(
                "self-signed \(label)",
                [alone],
                presented: [alone],
                anchors: Array(stranger),
                fault: .selfSigned
            )
            try add("self-signed \(label), trusted", [alone], presented: [alone], anchors: [alone])
            try add(
                "self-signed \(label), trusted, another host",
                [alone],
                presented: [alone],
                anchors: [alone],
                host: "other.test",
                fault: .wrongName
            )
        }
    }

    /// What an anchor may be.
    mutating func addAnchors() throws {
        for depth in 1...2 {
            let chain = try forge.chain(depth)
            for place in 0...depth {
                for partial in [false, true] {
                    let role = place == 0 ? "leaf" : "authority"
                    try add(
                        "anchor is \(role) \(place) of \(depth), \(partial ? "partial" : "whole")",
                        factor: "anchor is \(role), \(partial ? "partial" : "whole")",
                        chain,
                        anchors: [chain[place]],
                        partial: partial,
                        fault: partial ? nil : .untrusted
                    )
                }
            }
        }
    }

    private static func permutations(_ items: [Certificate]) -> [[Certificate]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}
