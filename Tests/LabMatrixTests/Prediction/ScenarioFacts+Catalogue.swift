import PinholeTrust

@testable import PinholeLab

extension Scenario {
    /// What is the case in it; `nil` where nobody has written that down.
    var facts: ScenarioFacts? { ScenarioFacts.catalogue[id] }
}

extension ScenarioFacts {
    /// The facts of each scenario, by its identifier.
    static let catalogue: [String: ScenarioFacts] =
        [issuers, fitness, protocols, application, evidence, changes]
        .reduce(into: ["C0": ScenarioFacts(.honest)]) { all, part in all.merge(part) { first, _ in first } }

    /// Who issued the chain, and by which right.
    private static let issuers: [String: ScenarioFacts] = [
        "A01": ScenarioFacts(.minted(.nowhere)),
        "A02": ScenarioFacts(.minted(.user)),
        "A03": ScenarioFacts(.foreign(.system)),
        "A04": ScenarioFacts(.below(.other)),
        "A05": ScenarioFacts(.below(.other, .wrongName)),
        "A06": ScenarioFacts(Encounter([.other], path: [.other], end: .nowhere).unlogged()),
        "A07": ScenarioFacts(
            Encounter([.other, .other, .other], path: [.other, .other, .other], end: .nowhere)
        ),
        "A08": ScenarioFacts(Encounter([.other, .intermediate], path: [.other], end: .nowhere)),
        "A09": ScenarioFacts(
            Encounter([.other, .other, .leaf, .intermediate], path: [.other, .other, .other])
        ),
        "A10": ScenarioFacts(
            Encounter([.other, .intermediate, .leaf, .other], path: [.other, .other], end: .user)
                .unlogged()
        ),
        "A21": ScenarioFacts(.foreign(.system).with { $0.faults = [.nameConstraints] }),
        "A22": ScenarioFacts(.twoAuthorities(.notAuthority)),
        "A23": ScenarioFacts(.twoAuthorities(.pathTooLong)),
        "A28": ScenarioFacts(.honest),
        "A29": ScenarioFacts(.twoAuthorities(.notAuthority)),
    ]

    /// What the leaf says.
    private static let fitness: [String: ScenarioFacts] = [
        "A11": ScenarioFacts(.below(.newLeaf, .expired)),
        "A12": ScenarioFacts(.below(.newLeaf, .notYetValid)),
        "A13": ScenarioFacts(.below(.newLeaf, .wrongName).with { $0.flaw = .commonName }),
        "A14": ScenarioFacts(.below(.other, .wrongName)),
        "A15": ScenarioFacts(.below(.other, .wrongName)),
        "A16": ScenarioFacts(.below(.newLeaf, .wrongName)),
        "A17": ScenarioFacts(.below(.newLeaf, .wrongName)),
        "A18": ScenarioFacts(.below(.newLeaf, .wrongName)),
        "A19": ScenarioFacts(.below(.newLeaf, .wrongName).with { $0.asked = .address }),
        "A20": ScenarioFacts(.below(.newLeaf, .wrongName)),
        "A24": ScenarioFacts(.below(.newLeaf, .wrongPurpose)),
        "A25": ScenarioFacts(.below(.other, .weakKey).with { $0.flaw = .shortKey }),
        "A26": ScenarioFacts(.below(.newLeaf, .weakSignature).with { $0.flaw = .weakDigest }),
        "A27": ScenarioFacts(.below(.newLeaf, .unknownExtension)),
    ]

    /// What goes wrong in TLS.
    private static let protocols: [String: ScenarioFacts] = [
        "B01": ScenarioFacts(.honest, trick: .forgedHandshake),
        "B02": ScenarioFacts(.honest, trick: .anonymousCipher),
        "B03": ScenarioFacts(.honest, trick: .oldVersion),
        "B04": ScenarioFacts(.honest, trick: .changedHandshake),
        "B05": ScenarioFacts(.honest, trick: .cleartextCipher),
        "B06": ScenarioFacts(.honest, trick: .droppedHandshake),
        "B07": ScenarioFacts(.minted(.nowhere), trick: .resumption),
        "B08": ScenarioFacts(.minted(.nowhere), trick: .earlyData),
        "B29": ScenarioFacts(.below(.sibling, .wrongName), trick: .changedHandshake),
        "B35": ScenarioFacts(.honest, trick: .cutAnswer),
        "B37": ScenarioFacts(.honest, trick: .strayRecord),
    ]

    /// What HTTP and the app do.
    private static let application: [String: ScenarioFacts] = [
        "B09": ScenarioFacts(
            .foreign(.system).with { $0.asked = .foreign },
            .foreign(.system),
            trick: .sharedConnection
        ),
        "B10": ScenarioFacts(.honest, trick: .alternativeService),
        "B11": ScenarioFacts(.honest, .foreign(.system).with { $0.asked = .foreign }),
        "B12": ScenarioFacts(.honest, trick: .redirectToCleartext),
        "B13": ScenarioFacts(.honest, trick: .cleartext),
        "B14": ScenarioFacts(.honest, trick: .cleartext),
        "B15": ScenarioFacts(.minted(.user)),
        "B16": ScenarioFacts(.honest, trick: .asksForPassword),
        "B17": ScenarioFacts(.honest, trick: .answerWithoutTLS),
        "B18": ScenarioFacts(.honest, trick: .asksForPassword),
        "B21": ScenarioFacts(.minted(.user), trick: .unaskedClientCertificate),
        "B22": ScenarioFacts(.minted(.user), trick: .relayedClientCertificate),
        "B23": ScenarioFacts(.minted(.user), trick: .relayedRequest),
        "B36": ScenarioFacts(.minted(.user)),
    ]

    /// What is known of a certificate from elsewhere, and what a policy's own settings decide.
    private static let evidence: [String: ScenarioFacts] = [
        "B19": ScenarioFacts(.foreign(.nowhere)).with { $0.isFirstContact = true },
        "B20": ScenarioFacts(.foreign(.nowhere)),
        "B24": ScenarioFacts(.misissued(logs: 0)),
        "B39": ScenarioFacts(.misissued(logs: 1)),
        "B40": ScenarioFacts(.misissued(logs: 2, isLogged: true)),
        "B41": ScenarioFacts(.misissued(logs: 2, isLogged: true)),
        "B42": ScenarioFacts(.misissued(logs: 2)),
        "B43": ScenarioFacts(.misissued(logs: 2)),
        "B25": ScenarioFacts(.honest.with { $0.staple = .stale }),
        "B26": ScenarioFacts(.below(.newLeaf).with { $0.demandsStaple = true }),
        "B27": ScenarioFacts(.foreign(.nowhere)),
        "B28": ScenarioFacts(.foreign(.system)),
        "B30": ScenarioFacts(.below(.sibling, .wrongName)),
        "B31": ScenarioFacts(.minted(.user)).with { $0.isAfterPinExpiry = true },
        "B32": ScenarioFacts(.minted(.system)),
        "B33": ScenarioFacts(.minted(.user), trick: .reportsArrive),
        "B34": ScenarioFacts(.minted(.user)),
        "B38": ScenarioFacts(.minted(.user), trick: .pinUpdate),
    ]

    /// Legitimate changes.
    private static let changes: [String: ScenarioFacts] = [
        "L01": ScenarioFacts(.honest.with { $0.presented = [.leaf, .root, .leaf, .other, .intermediate] }),
        "L02": ScenarioFacts(.below(.newLeaf)),
        "L03": ScenarioFacts(.below(.backupLeaf)),
        "L04": ScenarioFacts(.below(.other)),
        "L05": ScenarioFacts(
            Encounter([.newLeaf, .backupIntermediate], path: [.newLeaf, .backupIntermediate, .root])
        ),
        "L06": ScenarioFacts(
            Encounter([.leaf, .crossedIntermediate], path: [.leaf, .crossedIntermediate, .other])
        ),
        "L07": ScenarioFacts(.below(.newLeaf)),
        "L08": ScenarioFacts(.below(.newLeaf).with { $0.asked = .address }),
        "L09": ScenarioFacts(.below(.newLeaf).with { $0.asked = .subdomain }),
        "L10": ScenarioFacts(.honest),
        "L11": ScenarioFacts(Encounter([.leaf], path: [.leaf], end: .nowhere)),
        "L12": ScenarioFacts(
            Encounter(Array(repeating: .other, count: 9), path: Array(repeating: .other, count: 10))
        ),
        "L13": ScenarioFacts(
            Encounter(
                [.leaf, .crossedIntermediate, .intermediate],
                path: [.leaf, .crossedIntermediate, .other]
            ).with { $0.otherPath = [.leaf, .intermediate, .root] }
        ),
        "L14": ScenarioFacts(.honest),
        "L15": ScenarioFacts(.honest),
        "L16": ScenarioFacts(.honest),
        "L17": ScenarioFacts(.honest.with { $0.staple = .fresh }),
        "L18": ScenarioFacts(.honest),
        "L19": ScenarioFacts(.honest),
        "L20": ScenarioFacts(.honest).with { $0.isAfterPinExpiry = true },
        "L21": ScenarioFacts(.below(.other)),
        "L22": ScenarioFacts(
            Encounter(
                [.leaf, .intermediate, .crossedRoot],
                path: [.leaf, .intermediate, .crossedRoot, .other]
            )
        ),
        "L23": ScenarioFacts(.honest),
    ]

    private func with(_ change: (inout ScenarioFacts) -> Void) -> ScenarioFacts {
        var facts = self
        change(&facts)
        return facts
    }
}

extension Encounter {
    /// A leaf by somebody whose certificate the server's CA signed.
    fileprivate static func twoAuthorities(_ fault: ChainFault.Kind) -> Encounter {
        var encounter = Encounter(
            [.other, .other, .intermediate],
            path: [.other, .other, .intermediate, .root]
        )
        encounter.faults = [fault]
        return encounter
    }
}
