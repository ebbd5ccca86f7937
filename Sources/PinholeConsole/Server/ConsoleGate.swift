import PinholeModel
import PinholeRuntime
import PinholeWire

/// Accepts a request if it has the token, names this host, and comes from the console's own page or from no page.
struct ConsoleGate: Sendable {
    private let token: AccessToken
    private let names: Set<Authority>
    /// The name of the cookie, with the port in it.
    ///
    /// Browsers share cookies between the ports of a host.
    private let cookie: String

    /// Creates the gate of a console that listens on `address`.
    init(token: AccessToken, address: SocketAddress) {
        self.token = token
        cookie = "pinhole-token-\(address.port)"
        let hosts: [Host] =
            [.address(address.address), .name("localhost")]
            + ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.map { .address($0) }
        names = Set(hosts.map { Authority(host: $0, port: address.port) })
    }

    /// Refuses a request by its head; `nil` if the request may be answered.
    func refusal(of head: RequestHead) -> ConsoleAnswer? {
        guard let authority = head.authority(for: .http), names.contains(authority) else {
            let name = head.host.map { _ in head.fields.first("host") ?? "" } ?? "nothing"
            return Problem(
                421,
                "misdirected request",
                "expected Host to be 127.0.0.1, localhost or [::1] with the port of the console, found \(name.prefix(100))"
            ).answer
        }
        guard case .origin = head.target else {
            return Problem(
                421,
                "misdirected request",
                "expected a path, as a server gets it: this is no proxy"
            ).answer
        }
        let path = head.target.path.prefix { $0 != "?" }
        // The path is compared after decoding, as it is answered: /%61pi is /api.
        let isAPI = ConsoleRequest(head: head).path.first == "api"
        if Self.changes(head) || isAPI, let refusal = foreignPage(head, authority) {
            return refusal
        }
        if path == "/", head.method == "GET" || head.method == "HEAD", let answer = signIn(head) {
            return answer
        }
        // Counts name no server, program or user, and whoever asks is on this machine.
        if path == "/metrics" { return nil }
        let candidates = candidates(of: head)
        guard candidates.contains(where: { token.matches($0) }) else {
            guard isAPI else { return TokenPage.answer(isWrong: false) }
            let found = candidates.isEmpty ? "none" : "another one"
            var answer = Problem(
                401,
                candidates.isEmpty ? "token missing" : "token wrong",
                "expected the token of this console in Authorization: Bearer … or in its cookie, found \(found)",
                remedy:
                    "open the URL that was printed when it began; the token is in the file beside the capture"
            ).answer
            answer.fields.append(("WWW-Authenticate", "Bearer"))
            return answer
        }
        return nil
    }

    private static func changes(_ head: RequestHead) -> Bool { head.method != "GET" && head.method != "HEAD" }

    /// Refuses a request that a page of another origin sends, since the browser may add the console's cookie to it.
    private func foreignPage(_ head: RequestHead, _ authority: Authority) -> ConsoleAnswer? {
        let origins = head.fields.all("origin")
        let sites = head.fields.all("sec-fetch-site")
        let isOwn = origins.allSatisfy {
            $0 == "http://\(authority)" || $0 == "http://\(authority.text(defaultPort: 80))"
        }
        guard !isOwn || !sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return nil }
        return Problem(
            403,
            "foreign page",
            "expected a request from the console's own page or from no page; Origin: \(origins.first ?? "none"), "
                + "Sec-Fetch-Site: \(sites.first ?? "none")"
        ).answer
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
        for line in head.fields.all("cookie") {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix("\(cookie)=") { candidates.append(pair.dropFirst(cookie.count + 1)) }
            }
        }
        return candidates
    }
}
