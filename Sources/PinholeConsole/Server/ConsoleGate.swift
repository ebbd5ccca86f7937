import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeWire

/// Accepts a request if it has the token, names this host, and comes from the console's own page or from no page.
struct ConsoleGate: Sendable {
    private let token: AccessToken
    private let origin: ConsoleOrigin
    /// The name of the cookie, with the port in it.
    ///
    /// Browsers share cookies between the ports of a host.
    private let cookie: String

    /// Creates the gate of a console that listens on `address`.
    init(token: AccessToken, address: SocketAddress) {
        self.token = token
        cookie = "pinhole-token-\(address.port)"
        origin = ConsoleOrigin(.http, address)
    }

    /// The account of everybody who knows the token.
    static let owner = 0

    /// Decides about a request by its head.
    func admission(of head: RequestHead) -> ConsoleAdmission {
        if let refusal = origin.refusal(of: head) { return .refused(refusal) }
        let path = head.target.path.prefix { $0 != "?" }
        if path == "/", head.method == "GET" || head.method == "HEAD", let answer = signIn(head) {
            return .refused(answer)
        }
        let candidates = candidates(of: head)
        guard candidates.contains(where: { token.matches($0) }) else {
            // Counts name no server, program or user, and the client is on this machine.
            if path == "/metrics" { return .open }
            guard ConsoleOrigin.isAPI(head) else { return .refused(TokenPage.answer(isWrong: false)) }
            let found = candidates.isEmpty ? "none" : "another one"
            var answer = Problem(
                401,
                candidates.isEmpty ? "token missing" : "token wrong",
                "expected the token of this console in Authorization: Bearer … or in its cookie, found \(found)",
                remedy:
                    "open the URL that was printed when it began; the token is in the file beside the capture"
            ).answer
            answer.fields.append(("WWW-Authenticate", "Bearer"))
            return .refused(answer)
        }
        return .account(Self.owner)
    }

    /// Answers a URL that contains the token with a cookie, and redirects to the page without it.
    private func signIn(_ head: RequestHead) -> ConsoleAnswer? {
        guard let candidate = ConsoleRequest(head: head).value("token") else { return nil }
        guard token.matches(candidate) else { return TokenPage.answer(isWrong: true) }
        return ConsoleAnswer(
            303,
            fields: [
                ("Location", "/"),
                ("Set-Cookie", "\(cookie)=\(token.text); HttpOnly; SameSite=Strict; Path=/"),
            ]
        )
    }

    /// Returns the texts that a request sends as its token.
    private func candidates(of head: RequestHead) -> [Substring] {
        var candidates: [Substring] = []
        for value in head.fields.all("authorization") {
            let parts = value.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer" { candidates.append(parts[1]) }
        }
        candidates += head.cookies(cookie)
        return candidates
    }
}
