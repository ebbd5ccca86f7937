import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeTrust

/// Lesson 12: one attack against the pins of six platforms, and the limits of transparency.
struct PlatformsLesson: ClassUnit {
    let number = 12
    var edited: String? { "fixed.xml" }

    /// A platform with a file of pins.
    enum Platform: String, CaseIterable {
        case android
        case okhttp
        case trustkit
        case apple
        case curl
        case tofu

        /// The name of the file.
        var file: String {
            switch self {
            case .android: "android.xml"
            case .okhttp: "okhttp.json"
            case .trustkit: "trustkit.json"
            case .apple: "Info.plist"
            case .curl: "curl.json"
            case .tofu: "tofu.json"
            }
        }
    }

    /// The state of a configuration; the raw value is the choice of the experiment.
    enum State: String {
        /// The attack is refused and the bank accepted.
        case holds
        /// The attack is accepted.
        case open
        /// The bank itself is refused.
        case locked
    }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        let trials = zip("abcdef", names.platforms).map { letter, platform in
            """
            ### \(letter)
            \(language.say("The app has the pins of \(platform.platform.file).", "Die App hat die Pins aus \(platform.platform.file)."))
            - holds: \(language.say("it refuses the attack and accepts the bank", "sie lehnt den Angriff ab und nimmt die Bank an"))
            - open: \(language.say("it accepts the attack", "sie nimmt den Angriff an"))
            - locked: \(language.say("it refuses the attack, and the bank as well", "sie lehnt den Angriff ab, und die Bank auch"))
            \(misconceptions(platform.state, language))
            """
        }
        return [
            "platforms": ClassNames.choices(names.platforms.map(\.platform.file)),
            "platformtrials": trials.joined(separator: "\n"),
            "log": ClassNames.choices(names.logFacts.map { language.say($0.english, $0.german) }),
        ]
    }

    /// The ideas behind wrong predictions of a configuration.
    private func misconceptions(_ state: State, _ language: ClassLanguage) -> String {
        let isNotLocked = language.say(
            "! locked: The bank is not refused: no pin of this file is of another key than those in bank.txt.",
            "! locked: Die Bank wird nicht abgelehnt: Kein Pin dieser Datei gehört zu einem anderen Schlüssel als denen in bank.txt."
        )
        return switch state {
        case .open:
            language.say(
                "! holds: Pins in a file do not mean that they are compared. Look at the host, at the date and at the switches beside them.",
                "! holds: Pins in einer Datei werden nicht immer verglichen. Achte auf den Host, das Datum und die Schalter daneben."
            ) + "\n\(isNotLocked)"
        case .locked:
            language.say(
                """
                ! holds: A pin refuses every other key, also that of the bank. Compare the pin with bank.txt.
                ! open: These pins are compared, and they are not of the attack's key. They are not of the bank's key either.
                """,
                """
                ! holds: Ein Pin lehnt jeden anderen Schlüssel ab, auch den der Bank. Vergleiche den Pin mit bank.txt.
                ! open: Diese Pins werden verglichen und gehören nicht zum Schlüssel des Angriffs. Zum Schlüssel der Bank gehören sie auch nicht.
                """
            )
        case .holds:
            language.say(
                "! open: The device trusts the CA of the attack, but the pin is of another key, and it is compared.",
                "! open: Das Gerät vertraut der CA des Angriffs, doch der Pin gehört zu einem anderen Schlüssel und wird verglichen."
            ) + "\n\(isNotLocked)"
        }
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let names = world.names
        let pins = [("today", "bank"), ("backup", "backup")]
        let lines = try pins.map { title, key in "\(title): sha256/\(try names.pin(key))\n" }
        let attack =
            language.say("the bank\n", "die Bank\n") + CertificateText.chain(world.bank.chain)
            + language.say("\nthe attack\n", "\nder Angriff\n") + CertificateText.chain(world.misissued.chain)
        let configurations = try names.platforms.map { platform, state in
            (name: platform.file, text: try document(platform, state, names))
        }
        return [("bank.txt", "\(names.bank)\n" + lines.joined()), ("attack.txt", attack)] + configurations
            + [("fixed.xml", try document(.android, .open, names))]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        func letters(_ state: State) -> ExpectedAnswer {
            .letters(ClassNames.letters(names.platforms.map { $0.state == state }))
        }
        return [
            "open": letters(.open), "locked": letters(.locked),
            "log": .letters(ClassNames.letters(names.logFacts.map(\.isTrue))),
        ]
    }

    // MARK: Configurations

    /// Returns the file of a platform in a state.
    func document(_ platform: Platform, _ state: State, _ names: ClassNames) throws(CryptoFailure) -> String {
        let isOpen = state == .open
        let keys = state == .locked ? ["retired", "retired backup"] : ["bank", "backup"]
        var pins: [String] = []
        for key in keys { pins.append(try names.pin(key)) }
        let bank = names.bank.description
        func quoted(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ", ") }
        switch platform {
        case .android:
            let lines = pins.map { "      <pin digest=\"SHA-256\">\($0)</pin>" }.joined(separator: "\n")
            return """
                <?xml version="1.0" encoding="utf-8"?>
                <network-security-config>
                  <domain-config>
                    <domain includeSubdomains="false">\(bank)</domain>
                    <pin-set expiration="\(names.year + (isOpen ? -1 : 5))-06-30">
                \(lines)
                    </pin-set>
                  </domain-config>
                </network-security-config>

                """
        case .okhttp:
            // The pattern with a star is for the hosts below the bank, and not for the bank.
            let lines = quoted(pins.map { "\(isOpen ? "*." : "")\(bank) sha256/\($0)" })
            return #"{"mechanism": "okhttp", "policy": {"pins": [\#(lines)]}}"# + "\n"
        case .trustkit:
            return """
                {"mechanism": "trustkit", "policy": {"pinnedDomains": {"\(bank)": {
                  "enforcePinning": \(!isOpen), "publicKeyHashes": [\(quoted(pins))]
                }}}}

                """
        case .apple:
            // The entry of the parent domain counts for the bank only with NSIncludesSubdomains.
            let host = isOpen ? names.domain : bank
            let identities = pins.map {
                "          <dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>"
            }.joined(separator: "\n")
            return """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict>
                  <key>NSAppTransportSecurity</key><dict>
                    <key>NSPinnedDomains</key><dict>
                      <key>\(host)</key><dict>
                        <key>NSPinnedLeafIdentities</key><array>
                \(identities)
                        </array>
                      </dict>
                    </dict>
                  </dict>
                </dict></plist>

                """
        case .curl:
            let list = pins.map { "sha256//\($0)" }.joined(separator: ";")
            return #"{"mechanism": "curl", "policy": {"pinnedPublicKey": "\#(list)"}}"# + "\n"
        case .tofu:
            // An empty store that is not strict takes the first key that it meets, also that of an attack.
            let key = Base64.encode(try names.seed.privateKey(keys[0]).spki)
            let store = isOpen ? "" : "\"|g0|\(bank)|443|0|\(key)\""
            return #"{"mechanism": "tofu", "policy": {"store": [\#(store)], "strict": \#(!isOpen)}}"# + "\n"
        }
    }

    /// Returns the state of a policy against the attack and the bank.
    func state(of policy: any TrustPolicy, _ world: ClassWorld, _ check: ClassCheck) -> (State, [String]) {
        func rejection(_ server: Identity) -> String? {
            check.rejection(policy, server, at: world.names.bank, trusting: world.deviceRoots)
        }
        let (attack, bank) = (rejection(world.misissued), rejection(world.bank))
        let lines = [
            "\(check.say("attack", "Angriff")): \(check.judgement(attack))",
            "\(check.say("bank", "Bank")): \(check.judgement(bank))",
        ]
        return (attack == nil ? .open : bank == nil ? .holds : .locked, lines)
    }

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        let predicted = try check.predicted(number, entry)
        let world = try check.world()
        let policy: any TrustPolicy
        do {
            policy = try check.studentPolicy(
                number,
                "fixed.xml",
                of: "android-nsc",
                check.say(
                    "a network security configuration of Android",
                    "eine Network Security Configuration von Android"
                )
            )
        } catch {
            return [predicted]
                + check.unusable("lesson-12/fixed.xml", ["refuses", "works"], error)
        }
        let evaluator = MeteredEvaluator(ChainVerifier(), until: isOver)
        func rejection(_ server: Identity) -> String? {
            check.rejection(
                policy,
                server,
                at: world.names.bank,
                trusting: world.deviceRoots,
                with: evaluator
            )
        }
        let attacks = [world.misissued, world.gateway, world.insider]
        let accepted = attacks.contains { rejection($0) == nil }
        let refused = [world.bank, world.renewed, world.backup].lazy.compactMap { rejection($0) }.first
        return [
            predicted,
            ClassCheck.result(
                "refuses",
                !accepted,
                check.say("the app still accepts an attack", "die App nimmt noch einen Angriff an")
            ),
            check.result(
                "works",
                refused == nil,
                whileOpen: accepted,
                check.say(
                    "the app refuses the bank, its renewal or its backup: \(refused ?? "")",
                    "die App lehnt die Bank, ihre Erneuerung oder ihren Ersatz ab: \(refused ?? "")"
                )
            ),
        ]
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let world = try check.world()
        guard let found = zip("abcdef", world.names.platforms).first(where: { "\($0.0)" == trial })?.1 else {
            throw ClassFailure("lesson \(number) has no configuration \(trial)")
        }
        // The student may change the file in the folder; the experiment is about the one of the lesson.
        let text = try document(found.platform, found.state, world.names)
        let policy = try PolicyFile.read(
            Array(text.utf8),
            name: found.platform.file,
            files: .memory([:])
        ).policy
        let (state, lines) = state(of: policy, world, check)
        return TrialOutcome(choice: state.rawValue, lines)
    }
}

extension ClassNames {
    /// A statement about logs of certificates.
    struct LogFact: Sendable {
        let english: String
        let german: String
        let isTrue: Bool
    }

    /// The configurations of lesson 12 in the order of the worksheet: two are open, two locked, and two hold.
    var platforms: [(platform: PlatformsLesson.Platform, state: PlatformsLesson.State)] {
        let all = PlatformsLesson.Platform.allCases
        // A pin of curl has no switch that turns it off, and no host.
        let open = seed.shuffled("open platforms", all.filter { $0 != .curl }).prefix(2)
        let locked = seed.shuffled("locked platforms", all.filter { !open.contains($0) }).prefix(2)
        return seed.shuffled("platforms", all).map { platform in
            (
                platform: platform,
                state: open.contains(platform) ? .open : locked.contains(platform) ? .locked : .holds
            )
        }
    }

    /// The statements about logs in the order of the worksheet.
    var logFacts: [LogFact] {
        seed.shuffled(
            "log facts",
            [
                LogFact(
                    english: "the owner of the bank can find the attack's certificate afterwards",
                    german: "die Bank kann das Zertifikat des Angriffs nachträglich finden",
                    isTrue: true
                ),
                LogFact(
                    english:
                        "a client that demands timestamps of logs refuses a certificate that nobody logged",
                    german:
                        "ein Client, der Zeitstempel von Logs verlangt, lehnt ein nirgends eingetragenes Zertifikat ab",
                    isTrue: true
                ),
                LogFact(
                    english: "the log tells the app which key is the right one",
                    german: "das Log sagt der App, welcher Schlüssel der richtige ist",
                    isTrue: false
                ),
                LogFact(
                    english: "a logged certificate of an attack is refused by every client",
                    german: "ein eingetragenes Zertifikat eines Angriffs wird von jedem Client abgelehnt",
                    isTrue: false
                ),
                LogFact(
                    english: "the log shows certificates that the gateway of a company makes",
                    german: "das Log zeigt Zertifikate, die das Gateway einer Firma ausstellt",
                    isTrue: false
                ),
            ]
        )
    }
}
