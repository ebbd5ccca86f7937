import PinholeClient
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeTrust

/// The result of one experiment: a real client sent a password or refused to, and each party's observations.
struct ClassroomLesson: Sendable, Encodable {
    /// The parties that can read the bytes of a step.
    enum Readers: String, Sendable, Encodable {
        /// Everybody on the path.
        case anybody
        /// Only the man in the middle, since the bytes are encrypted for him.
        case middle
        /// Only the client and the server.
        case ends
    }

    /// An event of the experiment, described for a class.
    struct Step: Sendable, Encodable {
        /// The party that acts, and the party that it acts on: `client`, `middle` or `server`.
        let from: String
        let to: String
        /// A short description of the event.
        let title: String
        /// The reason why the event matters.
        let text: String
        /// The bytes or names themselves; empty for none.
        var wire = ""
        /// The parties that can read ``wire``.
        var readers = Readers.ends
    }

    /// A certificate with the facts that a class needs.
    struct Card: Sendable, Encodable {
        let subject: String
        let issuer: String
        let names: [String]
        let notAfter: String
        let pin: String
        /// Whether the honest server presents this certificate.
        let isHonest: Bool
    }

    let host: String
    let switches: ClassroomSwitches
    /// `accepted`, `rejected` or `undecided`.
    let decision: String
    /// Whether the man in the middle got the password.
    let isStolen: Bool
    /// The result in one sentence.
    let headline: String
    /// The reason for the result, in one or two sentences.
    let reason: String
    /// The client's alert, `bad_certificate (42)`; `nil` for none.
    let alert: String?
    let honest: [Card]
    let presented: [Card]
    let checks: [Check]
    let steps: [Step]
    /// The request as the man in the middle read it; `nil` if he could not read it.
    let plaintext: String?

    /// The form that the client sends, with an invented password.
    static let form = "user=\(LabWorld.login.user)&password=open+sesame"
    static let path = "/login"
    private static let patience = Duration.seconds(20)

    /// Runs an experiment.
    ///
    /// - Parameters:
    ///   - switches: The settings of the experiment.
    ///   - world: The certificates.
    ///   - language: The language of the texts.
    /// - Returns: The result.
    /// - Throws: ``Problem`` if the experiment could not be run.
    static func make(
        _ switches: ClassroomSwitches,
        in world: LabWorld,
        _ language: ClassLanguage
    ) async throws -> ClassroomLesson {
        var staging = try switches.staging(in: world)
        staging.path = path
        staging.routes.set(path) { request in
            request.reply(200, type: "text/plain", body: Array("Welcome, \(LabWorld.login.user).\n".utf8))
        }
        let bench = try await ScenarioBench.start(staging, world, patience: patience, keepsBodies: true)
        defer { bench.stop() }
        let client = try bench.client(of: switches.policy(in: world))
        let request = ClientRequest(
            try bench.url(),
            method: "POST",
            fields: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
            body: Array(form.utf8)
        )
        let visit = await bench.visit(client, request)
        return ClassroomLesson(switches, world, visit.observation, bench.authority.description, language)
    }

    private init(
        _ switches: ClassroomSwitches,
        _ world: LabWorld,
        _ observation: Observation,
        _ authority: String,
        _ language: ClassLanguage
    ) {
        let exchange = observation.wire.exchanges.first
        let honestChain = world.identity.chain.map(\.facts)
        self.switches = switches
        host = world.host.description
        decision = observation.decision.rawValue
        isStolen = exchange != nil
        alert = observation.wire.alert.map { "\($0.name) (\($0.code))" }
        honest = honestChain.map { Card($0, honest: honestChain) }
        presented = observation.presented.map { Card($0, honest: honestChain) }
        checks = observation.checks
        plaintext = exchange.map { String(decoding: $0.request.head + $0.request.body.inline, as: UTF8.self) }
        let words = ClassroomWords(switches, observation, language)
        headline = words.headline
        reason = words.reason
        steps = words.steps(authority: authority, plaintext: plaintext)
    }
}

extension ClassroomLesson.Card {
    init(_ facts: CertificateFacts, honest: [CertificateFacts]) {
        subject = facts.subject
        issuer = facts.issuer
        names = facts.names.map(\.description)
        notAfter = facts.notAfter.iso8601
        pin = "sha256/" + Base64.encode(facts.spkiSHA256)
        isHonest = honest.contains(facts)
    }
}
