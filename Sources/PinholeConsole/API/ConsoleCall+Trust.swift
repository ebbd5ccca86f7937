package import PinholeModel

/// The TLS settings of single servers, from the configuration and from the console.
package struct TrustListing: Sendable, Encodable {
    /// A server whose bad certificate is accepted.
    package struct Exemption: Sendable, Encodable {
        let host: String
        let reason: String
        let isForSession: Bool

        /// Creates an entry; `isForSession` marks an entry of the console, which ends with the proxy.
        package init(host: String, reason: String, isForSession: Bool) {
            self.host = host
            self.reason = reason
            self.isForSession = isForSession
        }
    }

    /// A client certificate, and the server that gets it.
    package struct ClientCertificate: Sendable, Encodable {
        let host: String
        let file: String?
        let subject: String?
        let notAfter: String?
        let isForSession: Bool

        /// Creates an entry of the configuration, whose file is read when the proxy starts.
        package init(host: String, file: String) {
            self.host = host
            self.file = file
            subject = nil
            notAfter = nil
            isForSession = false
        }

        /// Creates an entry of the console.
        package init(host: String, subject: String, notAfter: Timestamp) {
            self.host = host
            file = nil
            self.subject = subject
            self.notAfter = notAfter.iso8601
            isForSession = true
        }
    }

    let exemptions: [Exemption]
    let clientCertificates: [ClientCertificate]

    /// Creates a listing.
    package init(exemptions: [Exemption], clientCertificates: [ClientCertificate]) {
        self.exemptions = exemptions
        self.clientCertificates = clientCertificates
    }
}

/// Requests that change the TLS settings of one server until the proxy ends.
extension ConsoleCall {
    func trust() throws -> ConsoleAnswer { .json(try hostTrust().listing()) }

    func acceptCertificate() async throws -> ConsoleAnswer { try answer(hostTrust().accept(host, true)) }

    func checkCertificate() async throws -> ConsoleAnswer { try answer(hostTrust().accept(host, false)) }

    /// Takes the file from the body, since browsers do not reveal its path, and keeps it in memory.
    func presentCertificate() async throws -> ConsoleAnswer {
        let members = try object()
        try members.refuse(besides: ["content", "password"])
        guard let text = try members.text("content"), let content = Base64.decode(text.utf8),
            !content.isEmpty
        else {
            throw Problem(
                400,
                "bad body",
                "expected {\"content\": \"…\", \"password\": \"…\"}: the file in Base64, and its password"
            )
        }
        return try answer(hostTrust().present(host, content, members.text("password") ?? ""))
    }

    func withdrawCertificate() async throws -> ConsoleAnswer { try answer(hostTrust().withdraw(host)) }

    private var host: String { parameters.first ?? "" }

    private func answer(_ problem: Problem?) throws -> ConsoleAnswer {
        if let problem { throw problem }
        return try trust()
    }

    private func hostTrust() throws(Problem) -> ConsoleSubject.Trust {
        guard let trust = api.subject.trust else { throw Problem.noProxy }
        return trust
    }
}
