import PinholeCrypto
import PinholeModel

/// Lesson 8: the limits of pins.
struct CasesLesson: ClassUnit {
    let number = 8

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        let hint = language.say(
            "Which side can notice it at all: the app, the CA, the owner of the device, the public?",
            "Wer kann es überhaupt bemerken: die App, die CA, die Besitzerin des Geräts, die Öffentlichkeit?"
        )
        let tasks = names.cases.enumerated().map { index, story in
            """
            ### case\(index + 1)
            \(story.story(language, bank: names.bank.description))
            > \(hint)
            """
        }
        return ["cases": tasks.joined(separator: "\n")]
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let cases = world.names.cases.enumerated().map { index, story in
            "case\(index + 1)\n  \(story.story(language, bank: world.names.bank.description))\n"
        }
        return [("cases.txt", cases.joined(separator: "\n"))]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        Dictionary(
            uniqueKeysWithValues: names.cases.enumerated().map {
                ("case\($0 + 1)", .text($1.rawValue, or: $1.german))
            }
        )
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let world = try check.world()
        let policy = try check.policy(
            #"{"mechanism": "spki", "policy": {"pins": ["sha256/\#(try world.names.pin("bank"))"]}}"#
        )
        // A thief with the stolen key presents the certificate of the bank itself.
        let met = trial == "stolen" ? world.bank : world.gateway
        return check.meet(policy, met, at: world.names.bank, trusting: world.deviceRoots)
    }
}
