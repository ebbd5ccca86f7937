import PinholeCrypto

/// Lesson 6: the change of a key that locks nobody out.
struct RotationLesson: ClassUnit {
    let number = 6
    var edited: String? { "plan.json" }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        let task = try RotationTask(names)
        return ["end": task.end, "change": task.change, "wishes": names.wishesChoices(language)]
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let task = try RotationTask(world.names)
        return [("plan.json", task.plan)] + task.policies.map { (name: $0.key, text: $0.value) }
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        let task = try RotationTask(names)
        return ["early": .days { task.daysTooEarly }, "wishes": .letters(names.conflict)]
    }

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        try check.plan()
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let names = check.names
        let world = try check.world()
        let pins = trial == "old" ? ["bank"] : ["bank", "backup"]
        let list = try pins.map { "\"\(names.bank) sha256/\(try names.pin($0))\"" }.joined(separator: ", ")
        let policy = try check.policy(#"{"mechanism": "okhttp", "policy": {"pins": [\#(list)]}}"#)
        return check.meet(policy, world.backup, at: names.bank, trusting: world.deviceRoots)
    }
}
