import PinholeCrypto
import PinholeModel
import PinholeTrust

/// The family of chains: products of factors, each with what our verifier finds.
struct ChainFamily {
    let forge: ChainForge
    private(set) var chains: [FamilyChain] = []

    /// Makes all of it.
    init(now: Timestamp) throws {
        forge = ChainForge(now: now)
        try addSound()
        try addDates()
        try addSignatures()
        try addLinks()
        try addAuthorities()
        try addPathLengths()
        try addConstraints()
        try addNames()
        try addUsages()
        try addShapes()
        try addLeaves()
        try addAnchors()
    }

    /// Appends a chain, leaf first and root last.
    ///
    /// All but the root is sent and the root is trusted, where nothing else is said. Other programs' answers are
    /// listed by the factor, which is the name where it is `nil`.
    mutating func add(
        _ name: String,
        factor: String? = nil,
        _ chain: [Certificate],
        presented: [Certificate]? = nil,
        anchors: [Certificate]? = nil,
        host: String = ChainForge.host,
        level: Int = 2,
        partial: Bool = false,
        algorithm: ChainForge.Algorithm = .p256,
        fault: ChainFault.Kind? = nil
    ) throws {
        chains.append(
            FamilyChain(
                name: name,
                factor: factor ?? name,
                presented: presented ?? Array(chain.dropLast()),
                anchors: anchors ?? Array(chain.suffix(1)),
                host: try Host(host),
                securityLevel: level,
                allowsPartialChain: partial,
                fault: fault,
                key: try forge.key("leaf", algorithm)
            )
        )
    }

    // MARK: Sound chains, dates, signatures

    private mutating func addSound() throws {
        for algorithm in [ChainForge.Algorithm.p256, .p384, .rsa2048] {
            for depth in 0...3 {
                let chain = try forge.chain(depth, algorithm)
                let name = "sound, \(algorithm), \(depth) between"
                try add(name, factor: "sound", chain, algorithm: algorithm)
                try add(
                    "\(name), root sent",
                    factor: "sound",
                    chain,
                    presented: chain,
                    algorithm: algorithm
                )
            }
        }
        for depth in [6, 12, 30] {
            try add("\(depth) authorities", factor: "long, \(depth)", try forge.chain(depth))
        }
        try add("120 authorities", factor: "long, 120", try forge.chain(120), fault: .pathTooLong)
    }

    private mutating func addDates() throws {
        let now = forge.now
        let edits: [(String, ChainFault.Kind, ChainForge.Edit)] = [
            ("expired", .expired, { $0.notAfter = now - .seconds(86_400) }),
            ("not yet valid", .notYetValid, { $0.notBefore = now + .seconds(86_400) }),
        ]
        for (label, fault, edit) in edits {
            for depth in 0...2 {
                for place in 0...depth + 1 {
                    let role = place == 0 ? "leaf" : place == depth + 1 ? "root" : "authority"
                    try add(
                        "\(label), \(role) \(place) of \(depth)",
                        factor: "\(label), \(role)",
                        try forge.chain(depth, .p256, [place: edit]),
                        fault: fault
                    )
                }
            }
        }
    }

    private mutating func addSignatures() throws {
        for depth in 0...2 {
            for place in 0...depth + 1 {
                let role = place == 0 ? "leaf" : place == depth + 1 ? "root" : "authority"
                let suffix = "\(role) \(place) of \(depth)"
                // The signature of an anchor says nothing.
                let isChecked = place <= depth
                for algorithm in [ChainForge.Algorithm.p256, .rsa2048] {
                    try add(
                        "broken signature, \(suffix), \(algorithm)",
                        factor: "broken signature, \(role)",
                        try forge.chain(depth, algorithm, [place: { $0.breaksSignature = true }]),
                        algorithm: algorithm,
                        fault: isChecked ? .badSignature : nil
                    )
                    for level in [0, 2] {
                        try add(
                            "SHA-1, \(suffix), \(algorithm), level \(level)",
                            factor: "SHA-1, \(role), level \(level)",
                            try forge.chain(depth, algorithm, [place: { $0.digest = .sha1 }]),
                            level: level,
                            algorithm: algorithm,
                            fault: isChecked && level > 0 ? .weakSignature : nil
                        )
                    }
                }
                let weak = try forge.key("weak \(place)", .rsa1024)
                for level in [0, 2] {
                    let chain = try forge.chain(depth, .p256, [place: { $0.key = weak }])
                    try add(
                        "RSA 1024, \(suffix), level \(level)",
                        factor: "RSA 1024, \(role), level \(level)",
                        chain,
                        level: level,
                        fault: level > 0 ? .weakKey : nil
                    )
                    if place == 0 { chains[chains.count - 1].key = weak }
                }
            }
        }
        let other = try forge.chain(1, .p256, [0: { $0.namesOtherAlgorithmInside = true }])
        try add("two signature algorithms", other, fault: .malformed)
    }

    // MARK: Links between certificates

    private mutating func addLinks() throws {
        for depth in 1...3 {
            for place in 1...depth {
                var chain = try forge.chain(depth)
                chain.remove(at: place)
                try add("without authority \(place) of \(depth)", factor: "missing", chain, fault: .untrusted)
            }
        }
        let stranger = try forge.chain(0, .p384).suffix(1)
        for depth in 0...3 {
            let chain = try forge.chain(depth)
            try add(
                "another root, \(depth) between",
                factor: "another root",
                chain,
                anchors: Array(stranger),
                fault: .untrusted
            )
            try add(
                "another root, \(depth) between, root sent",
                factor: "another root",
                chain,
                presented: chain,
                anchors: Array(stranger),
                fault: .untrusted
            )
            try addFakes(chain, depth: depth)
        }
    }

    /// A root with the same name and another key, with and without its identifier.
    private mutating func addFakes(_ chain: [Certificate], depth: Int) throws {
        for (label, names) in [("identifiers", true), ("no identifiers", false)] {
            let fakeKey = try forge.key("fake")
            let fake = try forge.chain(
                depth,
                .p256,
                [
                    depth + 1: { $0.key = fakeKey },
                    depth: { template in
                        if !names { template.set(CraftedCertificate.authorityKeyIdentifier, nil) }
                    },
                ]
            )
            for sent in [false, true] {
                // The anchors hold the real root alone. Without identifiers it fits by name.
                try add(
                    "fake root, \(depth) between, \(label), \(sent ? "sent" : "not sent")",
                    factor: "fake root, \(label), \(sent ? "sent" : "not sent")",
                    fake,
                    presented: sent ? fake : Array(fake.dropLast()),
                    anchors: Array(chain.suffix(1)),
                    fault: names ? .untrusted : .malformed
                )
            }
        }
    }
}
