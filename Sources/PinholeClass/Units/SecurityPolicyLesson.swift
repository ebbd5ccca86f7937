import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeTrust

/// Lesson 10: the twelve settings of AFNetworking's AFSecurityPolicy against five servers.
struct SecurityPolicyLesson: ClassUnit {
    let number = 10
    var edited: String? { "policy.json" }

    /// A server that the app meets.
    enum Server: String, CaseIterable {
        /// The bank as it is today, whose certificate is pinned.
        case bank
        /// A certificate for the bank that signs itself.
        case unknown
        /// The certificate of another host.
        case other
        /// A certificate for the bank that a trusted CA issued to a stranger.
        case misissued
        /// An expired certificate for the pinned key.
        case expired
    }

    /// A row of the experiment: the settings of a policy.
    struct Row: Hashable, Sendable {
        let mode: AFSecurityPolicy.PinningMode
        let allowsInvalid: Bool
        let validatesName: Bool

        /// All rows.
        static let all = AFSecurityPolicy.PinningMode.allCases.flatMap { mode in
            [false, true].flatMap { allows in
                [true, false].map { Row(mode: mode, allowsInvalid: allows, validatesName: $0) }
            }
        }

        /// The settings as an app writes them.
        var text: String {
            "\(mode.rawValue)  allowInvalidCertificates \(allowsInvalid ? "YES" : "NO")  validatesDomainName \(validatesName ? "YES" : "NO")"
        }

        /// The servers that an app with these settings accepts if the certificate of the bank is pinned.
        var accepted: Set<Server> {
            switch (mode, allowsInvalid, validatesName) {
            case (.none, false, true): [.bank, .misissued]
            case (.none, false, false): [.bank, .other, .misissued]
            // Names cannot be checked for invalid chains without pins, so AFNetworking refuses everything.
            case (.none, true, true): []
            case (.none, true, false): Set(Server.allCases)
            case (.publicKey, true, _): [.bank, .expired]
            case (.publicKey, false, _), (.certificate, _, _): [.bank]
            }
        }
    }

    private static let unknown = "self-signed bank"
    private static let expired = "expired bank"

    func leaves(_ names: ClassNames) -> [ClassLeaf] {
        [
            ClassLeaf(label: Self.unknown, host: names.bank, issuer: .itself),
            ClassLeaf(label: Self.expired, key: "bank", host: names.bank, isExpired: true),
        ]
    }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        let rows = names.policyRows
        let trials = zip("abcdefghijkl", rows).map { letter, row in
            """
            ### \(letter)
            \(row.text)
            \(language.say("How many of the five servers does the app accept?", "Wie viele der fünf Server nimmt die App an?"))
            - 0: \(language.say("none", "keinen"))
            - 1: \(language.say("one", "einen"))
            - 2: \(language.say("two", "zwei"))
            - 3: \(language.say("three", "drei"))
            - 5: \(language.say("all five", "alle fünf"))
            \(misconceptions(row, language))
            """
        }
        return [
            "rows": ClassNames.choices(rows.map(\.text)), "rowtrials": trials.joined(separator: "\n"),
        ]
    }

    /// The ideas behind wrong predictions of a row.
    private func misconceptions(_ row: Row, _ language: ClassLanguage) -> String {
        switch (row.mode, row.allowsInvalid) {
        case (.none, false):
            language.say(
                "! 5: “None trusts everything” is wrong: None pins nothing, and the system still checks the chain.",
                "! 5: „None vertraut allem“ ist falsch: None pinnt nichts, und das System prüft die Kette trotzdem."
            )
        case (.none, true):
            language.say(
                "! 1: Both switches act together. With validatesDomainName, AFNetworking refuses everything; without it, it accepts everything.",
                "! 1: Beide Schalter wirken zusammen. Mit validatesDomainName lehnt AFNetworking alles ab, ohne nimmt es alles an."
            )
        case (.publicKey, _), (.certificate, _):
            language.say(
                "! 5: A pin is compared in any case; allowInvalidCertificates leaves out the check of the chain, and not the pin.",
                "! 5: Ein Pin wird immer verglichen; allowInvalidCertificates lässt die Prüfung der Kette weg, nicht den Pin."
            )
        }
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let servers = try Server.allCases.map { server in
            "\(server.rawValue)\n" + CertificateText.text(try identity(server, world).certificate, number: 1)
        }
        return [
            ("servers.txt", servers.joined(separator: "\n")), ("bank.pem", world.bank.certificate.pem),
            ("backup.pem", world.backup.certificate.pem),
            (
                "policy.json",
                """
                {"mechanism": "afnetworking", "policy": {
                  "pinningMode": "none",
                  "allowInvalidCertificates": true,
                  "validatesDomainName": false,
                  "pinnedCertificates": ["bank.pem"]
                }}

                """
            ),
        ]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        let rows = names.policyRows
        func letters(_ isNamed: (Row) -> Bool) -> ExpectedAnswer {
            .letters(ClassNames.letters(rows.map(isNamed)))
        }
        return [
            "open": letters { $0.accepted.contains(.unknown) },
            "closed": letters { !$0.accepted.contains(.bank) },
            "claim": letters { $0.mode == .none && !$0.accepted.contains(.unknown) },
            "old": letters { $0.accepted.contains(.expired) },
        ]
    }

    /// Returns the certificate and key of a server.
    func identity(_ server: Server, _ world: ClassWorld) throws(ClassFailure) -> Identity {
        switch server {
        case .bank: world.bank
        case .unknown: try world.identity(Self.unknown)
        case .other: world.clinic
        case .misissued: world.misissued
        case .expired: try world.identity(Self.expired)
        }
    }

    func facts(
        _ check: ClassCheck,
        _ entry: ClassRecord.Lesson,
        until isOver: @escaping @Sendable () -> Bool
    ) async throws -> [ClassCheck.Result] {
        let predicted = try check.predicted(number, entry)
        let world = try check.world()
        let policy: any TrustPolicy
        do {
            policy = try check.studentPolicy(number, "policy.json")
            guard policy.mechanism == "afnetworking" else {
                throw ClassFailure(
                    check.say(
                        "expected the mechanism afnetworking",
                        "erwartet ist der Mechanismus afnetworking"
                    )
                )
            }
        } catch {
            return [predicted]
                + ["works", "refuses"].map { check.unusable("lesson-10/policy.json", $0, error) }
        }
        let evaluator = MeteredEvaluator(ChainVerifier(), until: isOver)
        func faults(_ servers: [(String, Identity)], accepting isAccepted: Bool) -> [String] {
            servers.filter { _, server in
                let rejection = check.rejection(
                    policy,
                    server,
                    at: world.names.bank,
                    trusting: world.deviceRoots,
                    with: evaluator
                )
                return (rejection == nil) != isAccepted
            }.map(\.0)
        }
        let refused = faults([("bank", world.bank), ("backup", world.backup)], accepting: true)
        let attacks = try Server.allCases.filter { $0 != .bank }.map {
            ($0.rawValue, try identity($0, world))
        }
        let accepted = faults(attacks + [("gateway", world.gateway)], accepting: false)
        return [
            predicted,
            check.result(
                "works",
                refused.isEmpty,
                whileOpen: !accepted.isEmpty,
                check.say(
                    "the policy refuses \(refused.joined(separator: ", "))",
                    "die Regel lehnt ab: \(refused.joined(separator: ", "))"
                )
            ),
            ClassCheck.result(
                "refuses",
                accepted.isEmpty,
                check.say(
                    "the policy accepts \(accepted.joined(separator: ", "))",
                    "die Regel nimmt an: \(accepted.joined(separator: ", "))"
                )
            ),
        ]
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let world = try check.world()
        guard let row = zip("abcdefghijkl", world.names.policyRows).first(where: { "\($0.0)" == trial })?.1
        else { throw ClassFailure("lesson \(number) has no row \(trial)") }
        let policy = AFSecurityPolicy(
            pinningMode: row.mode,
            allowInvalidCertificates: row.allowsInvalid,
            validatesDomainName: row.validatesName,
            pinnedCertificates: [world.bank.certificate.facts]
        )
        var count = 0
        let lines = try Server.allCases.map { server in
            let rejection = check.rejection(
                policy,
                try identity(server, world),
                at: world.names.bank,
                trusting: world.deviceRoots
            )
            if rejection == nil { count += 1 }
            return "\(server.rawValue): \(check.judgement(rejection))"
        }
        return TrialOutcome(choice: "\(count)", lines)
    }
}

extension ClassNames {
    /// The rows of lesson 10 in the order of the worksheet.
    var policyRows: [SecurityPolicyLesson.Row] { seed.shuffled("policy rows", SecurityPolicyLesson.Row.all) }
}

extension ClassCheck {
    /// Reads a policy that the student edited; it may name the files of the lesson's own folder.
    func studentPolicy(_ lesson: Int, _ name: String) throws -> any TrustPolicy {
        let path = "lesson-\(lesson)/\(name)"
        let content = try InputFile.content(of: folder.file(path))
        return try PolicyFile.read(content, name: path, files: folder.lessonFiles(lesson)).policy
    }

    /// Returns the result of a task that a policy passes only if it refuses the attacks as well: the file of the
    /// lesson accepts everything.
    func result(_ task: String, _ isPassed: Bool, whileOpen isOpen: Bool, _ message: String) -> Result {
        guard isPassed, isOpen else { return Self.result(task, isPassed, message) }
        return Result(
            task: task,
            state: .open,
            message: say(
                "a configuration that accepts an attack proves nothing",
                "eine Konfiguration, die einen Angriff annimmt, beweist nichts"
            )
        )
    }

    /// Returns the result of a task whose file cannot be used.
    func unusable(_ name: String, _ task: String, _ error: any Error) -> Result {
        // A student who is served does not see where the teacher's folder lies.
        let reason = "\(error)".replacing(folder.path + "/", with: "")
        return Result(
            task: task,
            state: .wrong,
            message: say("\(name) cannot be used: \(reason)", "\(name) ist nicht brauchbar: \(reason)")
        )
    }
}
