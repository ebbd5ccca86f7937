import PinholeClient
import PinholeLab
import PinholeModel
import PinholeTrust

/// Describes for a class the result of an experiment; every sentence follows from an observation.
struct ClassroomWords {
    private let switches: ClassroomSwitches
    private let observation: Observation

    init(_ switches: ClassroomSwitches, _ observation: Observation) {
        self.switches = switches
        self.observation = observation
    }

    private var isAccepted: Bool { observation.decision == .accepted }
    private var isAttacked: Bool { switches.middle != .nobody }

    /// The result in one sentence.
    var headline: String {
        switch (observation.decision, isAttacked) {
        case (.accepted, true): "The man in the middle reads the password."
        case (.accepted, false): "The password reaches the server, and nobody else can read it."
        case (.rejected, true): "The client refuses, and the password never leaves it."
        case (.rejected, false): "The client refuses its own server: a false alarm."
        case (.undecided, _): "The experiment could not be made."
        }
    }

    /// The reason for the result.
    var reason: String {
        guard observation.decision != .undecided else { return observation.summary }
        guard isAccepted else { return refusal }
        guard isAttacked else {
            return
                "The server has a certificate for its name by a CA that the device trusts, and the key that "
                + "belongs to it. The proxy only passes encrypted bytes on."
        }
        return acceptance
    }

    private var refusal: String {
        let why = observation.summary
        switch observation.failure?.rejection?.reason {
        case .contradictorySettings:
            return
                "AFNetworking refuses this combination of settings before it looks at any certificate: to let "
                + "invalid certificates pass and still compare the name says nothing, since anybody can write a name. "
                + "(\(why))"
        case .pinMismatch:
            let trust =
                switches.middle == .trustedAuthority
                ? "The device trusts the CA that signed it. Only the pin notices: it" : "It"
            return "\(trust) is not the \(pinned) that the app knows. (\(why))"
        case .chain(.untrusted) where switches.pin == .leaf, .chain(.selfSigned) where switches.pin == .leaf:
            return
                "The app accepts the server's certificate that it knows, and nothing else: no CA can speak for "
                + "another one. (\(why))"
        case .chain(.wrongName): return "The certificate is genuine, but it is for another name. (\(why))"
        case .chain where switches.middle == .proxy:
            return "The certificate is signed by a CA that the device does not trust. This is what protects "
                + "everybody, with pins and without. (\(why))"
        default: return why
        }
    }

    private var acceptance: String {
        if switches.allowsInvalid {
            let rest =
                switches.pin == .none
                ? "Nothing is checked any more: any certificate will do."
                : "The pin is all that is left to check, and what was shown satisfies it."
            return "The client lets invalid certificates pass. \(rest)"
        }
        switch switches.middle {
        case .nobody: return observation.summary
        case .proxy:
            return
                "The device trusts the proxy's CA, so that a certificate by it is as good as any other. Who "
                + "installs a CA lets its owner read everything that is not pinned."
        case .otherHost where !switches.checksName:
            return
                "The name is not compared: the certificate of any other site by the same CA will do, and anybody can "
                + "buy one."
        case .otherHost: return observation.summary
        case .trustedAuthority:
            return switches.pin == .none
                ? "One of the many CAs that the device trusts signed it, by mistake or by force. For the client it is as "
                    + "good as the real one. Only a pin notices the difference."
                : "The pin does not tell the certificates apart."
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
                title: "The client asks for a way",
                text: "It tells the proxy the name and the port of the server. That much is never secret.",
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
            title: "TLS begins",
            text:
                "The ClientHello names the server once more, and what the client can do. It has a half of what the "
                + "keys will be made from; nothing in it is secret.",
            wire: "ClientHello, server_name \(name)",
            readers: .anybody
        )
    }

    private var certificate: Step {
        Step(
            from: "server",
            to: "client",
            title: "The server shows its certificate",
            text:
                "A CA says in it: this key belongs to this name. The server proves with a signature that it has the "
                + "key; the proxy has not, and can only pass the bytes on.",
            wire: observation.presented.first.map { "\($0.subject), issued by \($0.issuer)" } ?? ""
        )
    }

    private var lookup: Step {
        Step(
            from: "middle",
            to: "server",
            title: "The man in the middle speaks with the server himself",
            text:
                "He is an ordinary client there. He gets the real certificate, but not the key that belongs to it: "
                + "he cannot show it to anybody as his own."
        )
    }

    private var forgery: Step {
        let wire = observation.presented.first.map { "\($0.subject), issued by \($0.issuer)" } ?? ""
        let (title, text) =
            switch switches.middle {
            case .nobody: ("", "")
            case .proxy:
                (
                    "He makes a certificate",
                    "He writes the server's name beside a key of his own, and signs it with his own CA. Whether "
                        + "that is worth anything depends on who trusts that CA."
                )
            case .otherHost:
                (
                    "He shows a genuine certificate",
                    "A CA that everybody trusts sold it to him for a site of his own. Everything in it is true, "
                        + "except that this is not the site that the client asked for."
                )
            case .trustedAuthority:
                (
                    "He shows a certificate that should not exist",
                    "Another CA that the device trusts signed the server's name beside his key: it was deceived, "
                        + "broken into or forced. This has happened (DigiNotar, 2011)."
                )
            }
        return Step(from: "middle", to: "client", title: title, text: text, wire: wire, readers: .middle)
    }

    private var judgement: Step {
        let failed = observation.checks.first { $0.outcome == .failed }
        let text =
            observation.checks.isEmpty
            ? observation.summary
            : failed.map { "It stops at “\($0.name)”: \($0.detail)" }
                ?? passed
        return Step(from: "client", to: "client", title: "The client decides", text: text)
    }

    /// The text for a client that found no fault.
    private var passed: String {
        switch observation.checks.count(where: { $0.outcome == .passed }) {
        case 0: "It checks nothing: whoever shows whatever certificate is accepted."
        case 1: "It made one check, which passed."
        case let count: "It made \(count) checks, and all of them passed."
        }
    }

    private var farewell: String {
        if !isAttacked {
            return "It says why in an alert of TLS, which travels encrypted, and closes the connection."
        }
        return observation.wire.alert == nil
            ? "It closes the connection." : "It says why in an alert of TLS, and closes the connection."
    }

    private func ending(_ plaintext: String?) -> [Step] {
        guard isAccepted else {
            let alert = observation.wire.alert
            return [
                Step(
                    from: "client",
                    to: isAttacked ? "middle" : "server",
                    title: "The client hangs up",
                    text: "\(farewell) There is no request: the password was never sent.",
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
                    title: "The password travels encrypted",
                    text:
                        "Whoever looks on sees how many bytes pass, and when. The keys are known at both ends alone.",
                    wire: "\(flow?.bytesFromClient ?? 0) bytes, \(flow?.bytesFromServer ?? 0) bytes back"
                )
            ]
        }
        return [
            Step(
                from: "client",
                to: "middle",
                title: "The password is sent, encrypted for the wrong one",
                text: "The encryption is as strong as ever. It ends in the wrong hands.",
                wire: plaintext,
                readers: .middle
            ),
            Step(
                from: "middle",
                to: "server",
                title: "He passes it on",
                text:
                    "He encrypts it anew for the server, and the answer for the client. Neither of them notices "
                    + "anything: the login works."
            ),
        ]
    }
}
