import PinholeClient
import PinholeLab
import PinholeModel
import PinholeTrust

/// Describes for a class the result of an experiment; every sentence follows from an observation.
struct ClassroomWords {
    private let switches: ClassroomSwitches
    private let observation: Observation
    private let language: ClassLanguage

    init(_ switches: ClassroomSwitches, _ observation: Observation, _ language: ClassLanguage) {
        self.switches = switches
        self.observation = observation
        self.language = language
    }

    private func say(_ english: String, _ german: String) -> String { language.say(english, german) }

    private var isAccepted: Bool { observation.decision == .accepted }
    private var isAttacked: Bool { switches.middle != .nobody }

    /// The result in one sentence.
    var headline: String {
        switch (observation.decision, isAttacked) {
        case (.accepted, true):
            say("The man in the middle reads the password.", "Der Angreifer in der Mitte liest das Passwort.")
        case (.accepted, false):
            say(
                "The password reaches the server, and nobody else can read it.",
                "Das Passwort erreicht den Server, und niemand sonst kann es lesen."
            )
        case (.rejected, true):
            say(
                "The client refuses, and the password never leaves it.",
                "Der Client lehnt ab, und das Passwort verlässt ihn nie."
            )
        case (.rejected, false):
            say(
                "The client refuses its own server: a false alarm.",
                "Der Client lehnt seinen eigenen Server ab: ein Fehlalarm."
            )
        case (.undecided, _):
            say("The experiment could not be made.", "Das Experiment ließ sich nicht durchführen.")
        }
    }

    /// The reason for the result.
    var reason: String {
        guard observation.decision != .undecided else { return observation.summary }
        guard isAccepted else { return refusal }
        guard isAttacked else {
            return say(
                "The server has a certificate for its name by a CA that the device trusts, and the key that "
                    + "belongs to it. The proxy only passes encrypted bytes on.",
                "Der Server hat ein Zertifikat für seinen Namen von einer CA, der das Gerät vertraut, und den "
                    + "Schlüssel dazu. Der Proxy reicht nur verschlüsselte Bytes weiter."
            )
        }
        return acceptance
    }

    private var refusal: String {
        let why = observation.summary
        switch observation.failure?.rejection?.reason {
        case .contradictorySettings:
            return say(
                "AFNetworking refuses this combination of settings before it looks at any certificate: to let "
                    + "invalid certificates pass and still compare the name says nothing, since anybody can write a name. "
                    + "(\(why))",
                "AFNetworking lehnt diese Kombination ab, bevor es ein Zertifikat ansieht: Ungültige Zertifikate "
                    + "anzunehmen und trotzdem den Namen zu vergleichen sagt nichts aus, denn jeder kann einen Namen "
                    + "hineinschreiben."
            )
        case .pinMismatch:
            let isTrusted = switches.middle == .trustedAuthority
            let trust = isTrusted ? "The device trusts the CA that signed it. Only the pin notices: it" : "It"
            let german =
                isTrusted
                ? "Das Gerät vertraut der CA, die unterschrieben hat. Nur der Pin bemerkt es: " : ""
            return say(
                "\(trust) is not the \(pinned) that the app knows. (\(why))",
                "\(german)Die App kennt \(pinnedInGerman), und dieses ist es nicht."
            )
        case .chain(.untrusted) where switches.pin == .leaf, .chain(.selfSigned) where switches.pin == .leaf:
            return say(
                "The app accepts the server's certificate that it knows, and nothing else: no CA can speak for "
                    + "another one. (\(why))",
                "Die App nimmt das Zertifikat des Servers an, das sie kennt, und sonst nichts: Keine CA kann für ein "
                    + "anderes sprechen."
            )
        case .chain(.wrongName):
            return say(
                "The certificate is genuine, but it is for another name. (\(why))",
                "Das Zertifikat ist echt, aber es gilt für einen anderen Namen."
            )
        case .chain where switches.middle == .proxy:
            return say(
                "The certificate is signed by a CA that the device does not trust. This is what protects "
                    + "everybody, with pins and without. (\(why))",
                "Das Zertifikat ist von einer CA unterschrieben, der das Gerät nicht vertraut. Das schützt alle, mit "
                    + "Pins und ohne."
            )
        default: return say(why, "Eine Prüfung des Clients schlägt fehl.")
        }
    }

    private var acceptance: String {
        if switches.allowsInvalid {
            let rest =
                switches.pin == .none
                ? say(
                    "Nothing is checked any more: any certificate will do.",
                    "Nichts wird mehr geprüft: Jedes Zertifikat genügt."
                )
                : say(
                    "The pin is all that is left to check, and what was shown satisfies it.",
                    "Nur der Pin wird noch geprüft, und das gezeigte Zertifikat erfüllt ihn."
                )
            return say(
                "The client lets invalid certificates pass.",
                "Der Client nimmt ungültige Zertifikate an."
            )
                + " \(rest)"
        }
        switch switches.middle {
        case .nobody: return accepted
        case .proxy:
            return say(
                "The device trusts the proxy's CA, so that a certificate by it is as good as any other. Who "
                    + "installs a CA lets its owner read everything that is not pinned.",
                "Das Gerät vertraut der CA des Proxys, also ist ein Zertifikat von ihr so gut wie jedes andere. Wer eine "
                    + "CA installiert, lässt deren Besitzer alles lesen, was nicht gepinnt ist."
            )
        case .otherHost where !switches.checksName:
            return say(
                "The name is not compared: the certificate of any other site by the same CA will do, and anybody can "
                    + "buy one.",
                "Der Name wird nicht verglichen: Das Zertifikat irgendeiner anderen Seite von derselben CA genügt, und "
                    + "jeder kann eins kaufen."
            )
        case .otherHost: return accepted
        case .trustedAuthority:
            return switches.pin == .none
                ? say(
                    "One of the many CAs that the device trusts signed it, by mistake or by force. For the client it is as "
                        + "good as the real one. Only a pin notices the difference.",
                    "Eine der vielen CAs, denen das Gerät vertraut, hat es unterschrieben, aus Versehen oder unter Zwang. "
                        + "Für den Client ist es so gut wie das echte. Nur ein Pin bemerkt den Unterschied."
                )
                : say(
                    "The pin does not tell the certificates apart.",
                    "Der Pin unterscheidet die Zertifikate nicht."
                )
        }
    }

    /// The reason for which a client accepts its server, in the words of the observation.
    private var accepted: String { say(observation.summary, "Alle Prüfungen des Clients sind bestanden.") }

    private var pinnedInGerman: String {
        switch switches.pin {
        case .none, .leaf: "das Zertifikat des Servers"
        case .key: "das Zertifikat mit dem Schlüssel des Servers"
        case .authority: "das Zertifikat einer bestimmten CA"
        }
    }

    private var pinned: String {
        switch switches.pin {
        case .none: "certificate"
        case .leaf: "server's certificate"
        case .key: "server's key"
        case .authority: "server's CA"
        }
    }
}

// MARK: Steps

extension ClassroomWords {
    typealias Step = ClassroomLesson.Step

    /// Returns the events of the experiment in order.
    func steps(authority: String, plaintext: String?) -> [Step] {
        var steps = [
            Step(
                from: "client",
                to: "middle",
                title: say("The client asks for a way", "Der Client fragt nach dem Weg"),
                text: say(
                    "It tells the proxy the name and the port of the server. That much is never secret.",
                    "Er nennt dem Proxy den Namen und den Port des Servers. Das ist nie geheim."
                ),
                wire: "CONNECT \(authority) HTTP/1.1",
                readers: .anybody
            ), hello,
        ]
        steps += isAttacked ? [lookup, forgery] : [certificate]
        steps.append(judgement)
        steps += ending(plaintext)
        return steps
    }

    private var hello: Step {
        let record = observation.wire.flows.first?.clientHello
        let name = record?.serverName ?? "the host"
        return Step(
            from: "client",
            to: isAttacked ? "middle" : "server",
            title: say("TLS begins", "TLS beginnt"),
            text:
                say(
                    "The ClientHello names the server once more, and what the client can do. It has a half of what the "
                        + "keys will be made from; nothing in it is secret.",
                    "Das ClientHello nennt den Server noch einmal und was der Client kann. Es enthält eine Hälfte dessen, "
                        + "woraus die Schlüssel entstehen; nichts darin ist geheim."
                ),
            wire: "ClientHello, server_name \(name)",
            readers: .anybody
        )
    }

    private var certificate: Step {
        Step(
            from: "server",
            to: "client",
            title: say("The server shows its certificate", "Der Server zeigt sein Zertifikat"),
            text:
                say(
                    "A CA says in it: this key belongs to this name. The server proves with a signature that it has the "
                        + "key; the proxy has not, and can only pass the bytes on.",
                    "Eine CA sagt darin: Dieser Schlüssel gehört zu diesem Namen. Der Server beweist mit einer Unterschrift, "
                        + "dass er den Schlüssel hat; der Proxy hat ihn nicht und kann die Bytes nur weiterreichen."
                ),
            wire: observation.presented.first.map { "\($0.subject)\(issued) \($0.issuer)" } ?? ""
        )
    }

    private var lookup: Step {
        Step(
            from: "middle",
            to: "server",
            title: say(
                "The man in the middle speaks with the server himself",
                "Der Angreifer in der Mitte spricht selbst mit dem Server"
            ),
            text:
                say(
                    "He is an ordinary client there. He gets the real certificate, but not the key that belongs to it: "
                        + "he cannot show it to anybody as his own.",
                    "Dort ist er ein gewöhnlicher Client. Er bekommt das echte Zertifikat, aber nicht den Schlüssel dazu: "
                        + "Er kann es niemandem als seines zeigen."
                )
        )
    }

    private var forgery: Step {
        let wire = observation.presented.first.map { "\($0.subject)\(issued) \($0.issuer)" } ?? ""
        let (title, text) =
            switch switches.middle {
            case .nobody: ("", "")
            case .proxy:
                (
                    say("He makes a certificate", "Er macht ein Zertifikat"),
                    say(
                        "He writes the server's name beside a key of his own, and signs it with his own CA. Whether "
                            + "that is worth anything depends on who trusts that CA.",
                        "Er schreibt den Namen des Servers neben einen eigenen Schlüssel und unterschreibt mit seiner eigenen "
                            + "CA. Ob das etwas wert ist, hängt davon ab, wer dieser CA vertraut."
                    )
                )
            case .otherHost:
                (
                    say("He shows a genuine certificate", "Er zeigt ein echtes Zertifikat"),
                    say(
                        "A CA that everybody trusts sold it to him for a site of his own. Everything in it is true, "
                            + "except that this is not the site that the client asked for.",
                        "Eine CA, der alle vertrauen, hat es ihm für seine eigene Seite verkauft. Alles darin stimmt, nur ist "
                            + "es nicht die Seite, nach der der Client gefragt hat."
                    )
                )
            case .trustedAuthority:
                (
                    say(
                        "He shows a certificate that should not exist",
                        "Er zeigt ein Zertifikat, das es nicht geben dürfte"
                    ),
                    say(
                        "Another CA that the device trusts signed the server's name beside his key: it was deceived, "
                            + "broken into or forced. This has happened (DigiNotar, 2011).",
                        "Eine andere CA, der das Gerät vertraut, hat den Namen des Servers neben seinem Schlüssel "
                            + "unterschrieben: Sie wurde getäuscht, angegriffen oder gezwungen. Das ist geschehen (DigiNotar, "
                            + "2011)."
                    )
                )
            }
        return Step(from: "middle", to: "client", title: title, text: text, wire: wire, readers: .middle)
    }

    private var judgement: Step {
        let failed = observation.checks.first { $0.outcome == .failed }
        let text =
            observation.checks.isEmpty
            ? say(observation.summary, headline)
            : failed.map {
                say("It stops at “\($0.name)”: \($0.detail)", "Die Prüfung „\($0.name)“ schlägt fehl.")
            }
                ?? passed
        return Step(
            from: "client",
            to: "client",
            title: say("The client decides", "Der Client entscheidet"),
            text: text
        )
    }

    /// The text for a client that found no fault.
    private var passed: String {
        switch observation.checks.count(where: { $0.outcome == .passed }) {
        case 0:
            say(
                "It checks nothing: every certificate is accepted.",
                "Er prüft nichts: Jedes Zertifikat wird angenommen."
            )
        case 1: say("It made one check, which passed.", "Er hat eine Prüfung gemacht, und sie ist bestanden.")
        case let count:
            say(
                "It made \(count) checks, and all of them passed.",
                "Er hat \(count) Prüfungen gemacht, und alle sind bestanden."
            )
        }
    }

    /// The words between a subject and its issuer.
    private var issued: String { say(", issued by", ", ausgestellt von") }

    private var farewell: String {
        if !isAttacked {
            return say(
                "It says why in an alert of TLS, which travels encrypted, and closes the connection.",
                "Er nennt den Grund in einem Alert von TLS, der verschlüsselt reist, und schließt die Verbindung."
            )
        }
        return observation.wire.alert == nil
            ? say("It closes the connection.", "Er schließt die Verbindung.")
            : say(
                "It says why in an alert of TLS, and closes the connection.",
                "Er nennt den Grund in einem Alert von TLS und schließt die Verbindung."
            )
    }

    private func ending(_ plaintext: String?) -> [Step] {
        guard isAccepted else {
            let alert = observation.wire.alert
            return [
                Step(
                    from: "client",
                    to: isAttacked ? "middle" : "server",
                    title: say("The client hangs up", "Der Client legt auf"),
                    text: "\(farewell) "
                        + say(
                            "There is no request: the password was never sent.",
                            "Es gibt keine Anfrage: Das Passwort wurde nie geschickt."
                        ),
                    wire: alert.map { "alert \($0.name) (\($0.code))" } ?? "",
                    readers: isAttacked ? .middle : .ends
                )
            ]
        }
        let flow = observation.wire.flows.first
        guard let plaintext else {
            return [
                Step(
                    from: "client",
                    to: "server",
                    title: say("The password travels encrypted", "Das Passwort reist verschlüsselt"),
                    text:
                        say(
                            "An observer sees how many bytes pass, and when. Only the two ends know the keys.",
                            "Wer zusieht, sieht, wie viele Bytes wann vorbeikommen. Die Schlüssel kennen nur die beiden Enden."
                        ),
                    wire: "\(flow?.bytesFromClient ?? 0) bytes, \(flow?.bytesFromServer ?? 0) bytes back"
                )
            ]
        }
        return [
            Step(
                from: "client",
                to: "middle",
                title: say(
                    "The password is sent, encrypted for the wrong one",
                    "Das Passwort wird geschickt, verschlüsselt für den Falschen"
                ),
                text: say(
                    "The encryption is as strong as ever. It ends in the wrong hands.",
                    "Die Verschlüsselung ist so stark wie immer. Sie endet in den falschen Händen."
                ),
                wire: plaintext,
                readers: .middle
            ),
            Step(
                from: "middle",
                to: "server",
                title: say("He passes it on", "Er reicht es weiter"),
                text:
                    say(
                        "He encrypts it anew for the server, and the response for the client. Neither of them notices "
                            + "anything: the login works.",
                        "Er verschlüsselt es neu für den Server und die Antwort für den Client. Keiner von beiden bemerkt "
                            + "etwas: Die Anmeldung funktioniert."
                    )
            ),
        ]
    }
}
