import PinholeTrust

@testable import PinholeLab

/// The rules by which the lab predicts what a row does, in their order (README.md).
enum PredictionRule: String, Hashable, Sendable, CaseIterable {
    /// What the libraries for TLS and HTTP refuse by themselves.
    case protocolBroken = "R01"
    /// A version or a cipher that the client does not speak.
    case notOffered = "R02"
    /// A cipher without a certificate: there is nothing to judge.
    case nothingToJudge = "R03"
    /// http.
    case cleartext = "R04"
    /// A redirect from https to http.
    case downgrade = "R05"
    /// An alternative service.
    case alternative = "R06"
    /// A question for a name and a password.
    case password = "R07"
    /// A session that is taken as it is.
    case resumedSession = "R08"
    /// Settings that contradict each other.
    case contradiction = "R09"
    /// A path that leads to no anchor.
    case anchor = "R10"
    /// A name that is not the host's.
    case name = "R11"
    /// A certificate that is for something else than servers.
    case purpose = "R12"
    /// A validity that is over or has not begun.
    case validity = "R13"
    /// Whatever else RFC 5280 forbids.
    case form = "R14"
    /// A server that was never met before.
    case firstContact = "R15"
    /// Pins of which none matches.
    case pins = "R16"
    /// A certificate that no log knows.
    case timestamps = "R17"
    /// A response that is missing although the certificate demands it.
    case staple = "R18"
    /// A server that did not ask for the client's certificate.
    case unaskedCertificate = "R19"
    /// A server that notices the man in the middle.
    case serverNotices = "R20"
    /// A report that arrives.
    case report = "R21"
    /// Nothing speaks against the server.
    case nothingAgainst = "R22"

    /// What decided, in a few words.
    var title: String {
        switch self {
        case .protocolBroken: "TLS or HTTP is broken"
        case .notOffered: "the client does not speak it"
        case .nothingToJudge: "there is no certificate to judge"
        case .cleartext: "http"
        case .downgrade: "a redirect to http"
        case .alternative: "an alternative service"
        case .password: "a question for a password"
        case .resumedSession: "a resumed session is not judged"
        case .contradiction: "the settings refuse everybody"
        case .anchor: "no path to an anchor"
        case .name: "another name"
        case .purpose: "another purpose"
        case .validity: "outside of its validity"
        case .form: "against RFC 5280"
        case .firstContact: "never met before"
        case .pins: "no pin matches"
        case .timestamps: "no timestamps"
        case .staple: "no fresh OCSP response"
        case .unaskedCertificate: "the client's certificate is not asked for"
        case .serverNotices: "the server notices"
        case .report: "a report arrives"
        case .nothingAgainst: "nothing speaks against it"
        }
    }

    /// Whether it is about a server that was judged and may be refused.
    var refusesServers: Bool {
        switch self {
        case .contradiction, .anchor, .name, .purpose, .validity, .form, .firstContact, .pins, .timestamps,
            .staple:
            true
        default: false
        }
    }

    /// What the rule says; `nil` where it has nothing to say.
    ///
    /// - Parameters:
    ///   - facts: What is the case.
    ///   - semantics: What the row does.
    /// - Returns: What the client has to do.
    func decision(_ facts: ScenarioFacts, _ semantics: PolicySemantics) -> Observation.Decision? {
        let client = semantics.client
        switch self {
        case .protocolBroken:
            let broken: Set<ScenarioFacts.Trick> = [
                .forgedHandshake, .changedHandshake, .strayRecord, .droppedHandshake, .cutAnswer,
                .answerWithoutTLS,
            ]
            return facts.trick.map(broken.contains) == true ? .rejected : nil
        case .notOffered:
            guard let offer = facts.trick?.neededOffer, !client.offers.contains(offer) else { return nil }
            return .rejected
        case .nothingToJudge: return facts.trick == .anonymousCipher ? .accepted : nil
        case .cleartext:
            guard facts.trick == .cleartext else { return nil }
            let isRefused = client.refusesCleartext || semantics.refusesCleartext
            return isRefused ? .rejected : .accepted
        case .downgrade:
            guard facts.trick == .redirectToCleartext else { return nil }
            let isRefused = !client.followsDowngrade || semantics.refusesCleartext
            return isRefused ? .rejected : nil
        // No client of the lab follows Alt-Svc.
        case .alternative: return facts.trick == .alternativeService ? .rejected : nil
        case .password:
            guard facts.trick == .asksForPassword else { return nil }
            return client.answersEverybody ? .accepted : .rejected
        case .resumedSession:
            let isTaken =
                facts.trick == .resumption && client.trustsResumedSessions
                || facts.trick == .earlyData && (client.trustsResumedSessions || client.asksEarly)
            return isTaken ? .accepted : nil
        case .unaskedCertificate:
            guard facts.trick == .unaskedClientCertificate, client.insistsOnClientCertificate else {
                return nil
            }
            return .rejected
        case .serverNotices:
            let isNoticed =
                facts.trick == .relayedClientCertificate
                || facts.trick == .relayedRequest && client.bindsChannel
            return isNoticed ? .rejected : nil
        case .report:
            guard facts.trick == .reportsArrive else { return nil }
            let isReported = facts.encounters.contains { encounter in
                semantics.judgings(encounter.asked).contains { judging in
                    judging.reports && !judging.pins.allSatisfy { $0.matches(encounter) }
                }
            }
            return isReported ? .rejected : nil
        case .nothingAgainst: return .accepted
        // What it got as new pins are the attacker's.
        case .pins where facts.trick == .pinUpdate && client.takesAnyPins: return nil
        case .contradiction, .anchor, .name, .purpose, .validity, .form, .firstContact, .pins, .timestamps,
            .staple:
            let isRefused = facts.judged(by: client).contains { encounter in
                semantics.judgings(encounter.asked).contains { refuses(encounter, $0, facts) }
            }
            return isRefused ? .rejected : nil
        }
    }

    /// Whether a rule about servers refuses this one.
    private func refuses(
        _ encounter: Encounter,
        _ judging: JudgingSemantics,
        _ facts: ScenarioFacts
    ) -> Bool {
        let isValidated = !judging.evaluations.isEmpty
        let faults = encounter.flaw.map(judging.permits.contains) == true ? [] : encounter.faults
        switch self {
        case .contradiction:
            return judging.refusesEverybody
                || judging.pinLifetime == .refusingAfterExpiry && facts.isAfterPinExpiry
        case .anchor: return !judging.evaluations.allSatisfy { $0.contains(where: encounter.reaches) }
        case .name:
            return isValidated && judging.checksName && faults.contains(.wrongName)
        case .purpose:
            return isValidated && judging.checksPurpose && faults.contains(.wrongPurpose)
        case .validity:
            return isValidated && !faults.isDisjoint(with: [.expired, .notYetValid])
        case .form:
            let told: Set<ChainFault.Kind> = [.wrongName, .wrongPurpose, .expired, .notYetValid]
            return isValidated && !faults.isSubset(of: told)
        case .firstContact: return judging.firstContact == .refused && encounter.isUnknown(in: facts)
        case .pins:
            guard judging.pinsCount(for: encounter, in: facts) else { return false }
            return !judging.pins.allSatisfy { $0.matches(encounter) }
        case .timestamps:
            switch judging.timestamps {
            case .none: return false
            case .twoLogs: return !encounter.isLogged
            case .platform: return !encounter.isLogged || encounter.flaw == .unlogged
            }
        case .staple:
            // A response out of date is none; one that nobody demanded is no loss.
            return judging.honoursStapling && encounter.demandsStaple && encounter.staple != .fresh
        case .protocolBroken, .notOffered, .nothingToJudge, .cleartext, .downgrade, .alternative, .password,
            .resumedSession, .unaskedCertificate, .serverNotices, .report, .nothingAgainst:
            return false
        }
    }
}

extension PolicySemantics {
    /// Whether http is refused for the host that is meant.
    fileprivate var refusesCleartext: Bool { judgings(.meant).contains(where: \.refusesCleartext) }
}

extension ScenarioFacts {
    /// The connections whose server a client judges.
    fileprivate func judged(by client: ClientSemantics) -> ArraySlice<Encounter> {
        trick == .sharedConnection && client.sharesConnectionsUnjudged
            ? encounters.prefix(1) : encounters[...]
    }
}

extension ScenarioFacts.Trick {
    /// What a client has to speak for it to come to something; `nil` for nothing in particular.
    fileprivate var neededOffer: ClientSemantics.Offer? {
        switch self {
        case .anonymousCipher: .anonymousCiphers
        case .oldVersion: .oldVersions
        case .cleartextCipher: .cleartextCiphers
        default: nil
        }
    }
}

extension Encounter {
    /// Whether the path leads to an anchor.
    fileprivate func reaches(_ anchor: JudgingSemantics.Anchor) -> Bool {
        switch anchor {
        case .system: end == .system
        case .user: end == .user
        // A CA's certificate stands in for every other one with its name and key; a leaf's does not.
        case .certificate(let holder):
            path.first == ChainLink(holder, isOriginal: true)
                || (path.dropFirst() + otherPath.dropFirst()).contains { $0.holder == holder }
        case .sentCertificate(let holder):
            presented.dropFirst().contains(ChainLink(holder, isOriginal: true))
                && path.dropFirst().contains { $0.holder == holder }
        case .sentKey(let holder):
            presented.dropFirst().contains { $0.holder == holder }
                && path.dropFirst().contains { $0.holder == holder }
        }
    }

    /// Whether a client that remembers keys has none for this server.
    fileprivate func isUnknown(in facts: ScenarioFacts) -> Bool { facts.isFirstContact || asked != .meant }
}

extension JudgingSemantics {
    /// Whether pins say anything about a server.
    fileprivate func pinsCount(for encounter: Encounter, in facts: ScenarioFacts) -> Bool {
        switch pinLifetime {
        case .over: return false
        case .untilExpiry where facts.isAfterPinExpiry: return false
        case .endless, .untilExpiry, .refusingAfterExpiry: break
        }
        if firstContact == .trusted, encounter.isUnknown(in: facts) { return false }
        return !pinsYieldTo.contains(where: encounter.reaches)
    }
}

extension JudgingSemantics.PinList {
    /// Whether one of the pins is there.
    fileprivate func matches(_ encounter: Encounter) -> Bool {
        let compared: ArraySlice<ChainLink> =
            switch place {
            case .leaf: encounter.presented.prefix(1)
            case .authorities: encounter.path.dropFirst()
            case .path: encounter.path[...]
            case .presented: encounter.presented[...]
            }
        return compared.contains { link in
            holders.contains(link.holder) && (part == .key || link.isOriginal)
        }
    }
}
