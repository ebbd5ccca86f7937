import PinholeCrypto

/// Lesson 5: a policy of pins against six events.
struct PinsLesson: ClassUnit {
    let number = 5
    var edited: String? { "policy.json" }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        ["blind": names.blindChoices(language)]
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let pins = [("today", "bank"), ("backup", "backup")]
        let lines = try pins.map { title, key in "\(title): sha256/\(try world.names.pin(key))\n" }
        return [
            ("bank.txt", "\(world.names.bank)\n" + lines.joined()),
            ("policy.json", "{\"mechanism\": \"system\"}\n"),
        ]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        ["blind": .letters(names.blind)]
    }

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        try check.policy(until: isOver)
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let world = try check.world()
        let key = trial == "renewed" ? "bank" : ClassNames.issuerName(world.names.organization)
        let policy = try check.policy(
            #"{"mechanism": "spki", "policy": {"pins": ["sha256/\#(try world.names.pin(key))"]}}"#
        )
        let met = trial == "renewed" ? world.renewed : trial == "insider" ? world.insider : world.misissued
        return check.meet(policy, met, at: world.names.bank, trusting: world.deviceRoots)
    }
}
