import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeSession
import PinholeTrust

/// The text of the steps of a fetch that need more than a line.
enum FetchStepText {
    /// Returns the addresses that did not answer, with the reasons.
    static func failures(_ attempts: [DialRecord]) -> [String] {
        attempts.compactMap { attempt in attempt.failure.map { "\(attempt.address): \($0)" } }
    }

    static func hello(_ hello: ClientHelloRecord, _ offersSession: Bool) -> [String] {
        let versions = hello.versions.map(TLSVersion.name(ofCode:)).joined(separator: ", ")
        var lines = [
            "server name \(hello.serverName ?? "none")",
            "versions \(versions); \(hello.cipherSuites.count) cipher suites",
            "ALPN \(hello.applicationProtocols.joined(separator: ", "))",
        ]
        if offersSession { lines.append("an earlier session is offered for resumption") }
        return lines
    }

    static func chain(_ presentation: ServerPresentation) -> [String] {
        let chain = presentation.chain
        let count = Plain.count(chain.count, "certificate")
        let source =
            presentation.isShared
            ? "presented for the host whose connection is to be shared"
            : presentation.isFromSession
                ? "kept with the session that was resumed" : "presented by the server"
        let staple = presentation.stapledResponse == nil ? "" : ", with a stapled OCSP response"
        return ["\(count), \(source)\(staple)"] + chain.enumerated().flatMap(certificate)
            + mustStaple(presentation) + timestamps(presentation.timestamps)
    }

    private static func mustStaple(_ presentation: ServerPresentation) -> [String] {
        guard presentation.mustStaple else { return [] }
        let came = presentation.stapledResponse == nil ? "no staple came" : "a staple came"
        return ["must-staple (RFC 7633): \(came)"]
    }

    private static func timestamps(_ collection: TimestampCollection) -> [String] {
        let broken = collection.malformed.map { "certificate timestamps that cannot be read: \($0.rawValue)" }
        guard !collection.entries.isEmpty else { return broken }
        let count = collection.entries.count
        let shown = collection.entries.prefix(8).map { entry in
            "   \(entry.source.rawValue): \(entry.timestamp.time.iso8601) by log \(Base64.encode(entry.timestamp.log))"
        }
        return broken
            + ["\(Plain.count(count, "certificate timestamp")), signatures not verified"] + shown
            + (count > shown.count ? ["   and \(count - shown.count) more"] : [])
    }

    static func challenge(_ challenge: AuthenticationChallenge, _ level: ClientDelegate.Level?) -> [String] {
        let space = challenge.protectionSpace
        var text = "\(space.authenticationMethod.shortName) of \(space.host.uriText):\(space.port)"
        if let realm = space.realm { text += ", realm “\(realm)”" }
        if space.isProxy { text += ", the proxy" }
        var lines = [text]
        let asked = level.map { "the \($0.rawValue)'s delegate is asked" } ?? "no delegate: default handling"
        let failures = challenge.previousFailureCount
        lines.append(failures == 0 ? asked : "\(asked); \(failures) failed before")
        for name in space.distinguishedNames.prefix(5) {
            lines.append("the server takes certificates by \(name)")
        }
        if let user = challenge.proposedCredential?.login?.user { lines.append("proposed: “\(user)”") }
        if let identity = challenge.proposedCredential?.identity {
            lines.append("proposed: “\(identity.certificate.subject)”")
        }
        return lines.map(Plain.printable)
    }

    private static func certificate(_ index: Int, _ facts: CertificateFacts) -> [String] {
        var names = facts.names.prefix(4).map(\.description)
        if facts.names.count > 4 { names.append("…") }
        var lines = ["\(index)  \(facts.subject)"]
        if !names.isEmpty { lines.append("   for \(names.joined(separator: ", "))") }
        lines.append("   by \(facts.isSelfSigned ? "itself" : facts.issuer)")
        lines.append("   \(facts.keyKind.title), \(facts.notBefore.iso8601) to \(facts.notAfter.iso8601)")
        lines.append("   sha256/\(Base64.encode(facts.spkiSHA256))")
        return lines.map(Plain.printable)
    }
}
