import PinholeCrypto
import PinholeModel
import PinholeTrust

/// Lesson 2: a chain, its root and its key.
struct SignersLesson: ClassUnit {
    let number = 2

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        ["bank": names.bank.description]
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let roots = world.deviceRoots.enumerated().map { CertificateText.text($1, number: $0 + 1) }
        return [
            ("chain.txt", CertificateText.chain(world.bank.chain)),
            ("device-roots.txt", roots.joined(separator: "\n")),
        ]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        [
            "issuer": .commonName(ClassNames.issuerName(names.organization)),
            "anchor": .commonName(ClassNames.rootName(names.organization)), "until": .day(names.until),
            "pin": .pin(try names.pin("bank")),
        ]
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let world = try check.world()
        let system = SystemPolicy(by: .openssl)
        guard trial == "name" else {
            let own = ClassNames.rootName(world.names.organization)
            let others = world.deviceRoots.filter { !$0.subject.contains(own) }
            return check.meet(system, world.bank, at: world.names.bank, trusting: others)
        }
        return check.meet(system, world.bank, at: world.names.other, trusting: world.deviceRoots)
    }
}
