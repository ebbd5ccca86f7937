import PinholeCrypto
import PinholeLab
import PinholeModel
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
        [0, 1, 2, 3, 5].filter { $0 != row.accepted.count }.map {
            "! \($0): \(misconception(row, of: $0, language))"
        }.joined(separator: "\n")
    }

    /// The idea behind the prediction that an app with a row accepts a number of servers, and the reason why it fails.
    private func misconception(_ row: Row, of count: Int, _ language: ClassLanguage) -> String {
        switch (row.mode, row.allowsInvalid, row.validatesName, count) {
        case (.none, true, true, _):
            language.say(
                "Both switches act together. Without pins, AFNetworking refuses to check a name in a chain that may be invalid, so it refuses everything.",
                "Beide Schalter wirken zusammen. Ohne Pins prüft AFNetworking keinen Namen in einer Kette, die ungültig sein darf, und lehnt alles ab."
            )
        case (.none, true, false, _):
            language.say(
                "Nothing is pinned, and neither chain nor name is checked. No check is left that could refuse a server.",
                "Nichts ist gepinnt, und weder Kette noch Name wird geprüft. Es bleibt keine Prüfung, die einen Server ablehnen könnte."
            )
        case (.none, false, _, 5):
            language.say(
                "“None trusts everything” is wrong: None pins nothing, and the system still checks the chain.",
                "„None vertraut allem“ ist falsch: None pinnt nichts, und das System prüft die Kette trotzdem."
            )
        case (.none, false, _, 0):
            language.say(
                "None is no ban: the system checks the chain, and that of the bank is in order.",
                "None ist kein Verbot: Das System prüft die Kette, und die der Bank stimmt."
            )
        case (.none, false, _, 1):
            language.say(
                "A trusted CA signed the stranger's certificate as well, and no pin is there to notice it.",
                "Auch das Zertifikat der fremden Person hat eine vertraute CA unterschrieben, und kein Pin bemerkt es."
            )
        case (.none, false, true, _):
            language.say(
                "validatesDomainName is YES, so the certificate of another host is refused.",
                "validatesDomainName ist YES, also wird das Zertifikat eines anderen Hosts abgelehnt."
            )
        case (.none, false, false, _):
            language.say(
                "validatesDomainName is NO, so the valid certificate of another host is accepted as well.",
                "validatesDomainName ist NO, also wird auch das gültige Zertifikat eines anderen Hosts angenommen."
            )
        case (.publicKey, _, _, 0), (.certificate, _, _, 0):
            language.say(
                "The bank presents the pinned certificate, and its chain and its name are in order.",
                "Die Bank zeigt das gepinnte Zertifikat, und Kette und Name stimmen."
            )
        case (.publicKey, true, _, 1):
            language.say(
                "The expired certificate has the pinned key, and allowInvalidCertificates leaves out the check of its dates.",
                "Das abgelaufene Zertifikat hat den gepinnten Schlüssel, und allowInvalidCertificates lässt die Prüfung der Daten weg."
            )
        case (.publicKey, false, _, 2):
            language.say(
                "The expired certificate has the pinned key, but the check of the chain refuses it.",
                "Das abgelaufene Zertifikat hat den gepinnten Schlüssel, doch die Prüfung der Kette lehnt es ab."
            )
        case (.certificate, _, _, 2):
            language.say(
                "The expired certificate has the key of the bank, and Certificate compares the whole certificate.",
                "Das abgelaufene Zertifikat hat den Schlüssel der Bank, doch Certificate vergleicht das ganze Zertifikat."
            )
        case (.publicKey, _, _, _), (.certificate, _, _, _):
            language.say(
                "A pin is compared in any case, and the other servers have other keys. allowInvalidCertificates leaves out the check of the chain, and not the pin.",
                "Ein Pin wird immer verglichen, und die anderen Server haben andere Schlüssel. allowInvalidCertificates lässt die Prüfung der Kette weg, nicht den Pin."
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

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        let predicted = try check.predicted(number, entry)
        let world = try check.world()
        let policy: any TrustPolicy
        do {
            policy = try check.studentPolicy(
                number,
                "policy.json",
                of: "afnetworking",
                check.say("the mechanism afnetworking", "der Mechanismus afnetworking")
            )
        } catch {
            return [predicted] + check.unusable("lesson-10/policy.json", ["works", "refuses"], error)
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
