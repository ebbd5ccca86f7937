import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeTrust

/// Lesson 4: six servers, some of which are attacked.
struct StationsLesson: ClassUnit {
    let number = 4

    func hosts(_ world: ClassWorld) -> [VirtualHost] {
        world.stations.map { VirtualHost($0.host, identity: $0.identity) }
    }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        let tasks = names.stations.map { host in
            language.say(
                """
                ### \(ClassNames.task(of: host))
                \(host): a word, and the pin of the key that it presents.
                > Compare the fingerprint with the card first, then the pin, then the name, the dates and the issuer.
                > Same pin, other fingerprint: renewed. Other pin: look at the issuer and at the name.
                """,
                """
                ### \(ClassNames.task(of: host))
                \(host): ein Wort und der Pin des Schlüssels, den der Server zeigt.
                > Vergleiche zuerst den Fingerabdruck mit der Karte, dann den Pin, den Namen, die Daten und die CA.
                > Gleicher Pin, anderer Fingerabdruck: renewed. Anderer Pin: Sieh dir die CA und den Namen an.
                """
            )
        }
        return [
            "stations": tasks.joined(separator: "\n"), "station": names.stations.first?.description ?? "",
            "words": ClassStation.Role.allCases.map(\.rawValue).joined(separator: ", "),
        ]
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let presented = world.stations.map { station in
            "\(station.host) \(language.say("presents", "zeigt"))\n"
                + CertificateText.text(station.identity.certificate, number: 1)
        }
        let cards = world.stations.map { station in
            """
            \(station.host)
              issuer       \(ClassNames.issuerName(world.names.organization))
              valid until  \(station.published.notAfter.iso8601.prefix(10))
              SHA-256      \(Digest.text(station.published.fingerprintSHA256))
              pin          \(station.published.pin)

            """
        }
        return [
            ("cards.txt", cards.joined(separator: "\n")),
            ("presented.txt", presented.joined(separator: "\n")),
        ]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        var answers: [String: ExpectedAnswer] = [:]
        for (host, role) in names.roles {
            answers[ClassNames.task(of: host)] = .station(role, pin: try names.pin(role.key(of: host)))
        }
        return answers
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let world = try check.world()
        let role: ClassStation.Role = trial == "device" ? .misissued : .renewed
        guard let station = world.stations.first(where: { $0.role == role }) else {
            throw ClassFailure("the world has no station for the experiment \(trial)")
        }
        let policy: any TrustPolicy =
            trial == "device"
            ? SystemPolicy(by: .openssl)
            : try check.policy(
                #"{"mechanism": "certificate", "policy": {"fingerprints": ["\#(Hexadecimal.encode(station.published.fingerprintSHA256))"]}}"#
            )
        // The evidence names neither the host nor its issuer, which the tasks ask for.
        let outcome = check.meet(policy, station.identity, at: station.host, trusting: world.deviceRoots)
        return TrialOutcome(
            choice: outcome.choice,
            [
                check.say(
                    "the device made \(outcome.choice == "accepts" ? "a connection" : "no connection") to such a server of your town",
                    "das Gerät hat \(outcome.choice == "accepts" ? "eine" : "keine") Verbindung mit einem solchen Server deiner Stadt hergestellt"
                )
            ]
        )
    }
}
