import PinholeModel
import PinholeRuntime
import PinholeWire
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("Client, redirects")
struct RedirectTests {
    private static func routes(
        _ status: Int,
        to location: @escaping @Sendable (OriginRequest) -> String
    ) -> OriginRoutes {
        var routes = OriginRoutes.standard
        routes.set("/from") { $0.reply(status, fields: ["Location: \(location($0))"]) }
        return routes
    }

    @Test("a redirect is followed over the same connection")
    func followed() async throws {
        try await ClientStage.run { stage in
            let outcome = try await stage.fetch("/redirect")
            #expect(outcome.text.contains("teapot"))
            #expect(outcome.requests == ["GET /redirect", "GET /json"])
            #expect(outcome.challenges.count == 1)
            #expect(stage.origin.acceptedCount == 1)
        }
    }

    @Test("another origin is judged anew, and gets no credentials")
    func otherOrigin() async throws {
        let routes = Self.routes(302) { request in
            let port = request.head.host?.authority(for: .https).port ?? 0
            return "https://api.example.test:\(port)/echo"
        }
        try await ClientStage.run(routes: routes) { stage in
            let client = try PinholeClient(try stage.settings())
            let outcome = await client.fetch(
                ClientRequest(
                    try stage.url("/from"),
                    fields: [("Authorization", "Bearer token"), ("Cookie", "a=b"), ("X-Plain", "yes")]
                )
            )
            #expect(outcome.response?.url.authority.host == VirtualHost.api, "\(outcome)")
            #expect(outcome.text.contains("X-Plain"))
            #expect(!outcome.text.contains("Bearer"))
            #expect(!outcome.text.contains("a=b"))
            #expect(
                outcome.challenges.map(\.challenge.protectionSpace.host) == [
                    VirtualHost.shop, VirtualHost.api,
                ]
            )
        }
    }

    @Test("a redirect to a host with a bad certificate, or with another key than the pinned one, fails")
    func judgedAnew() async throws {
        let routes = Self.routes(307) { request in
            let port = request.head.host?.authority(for: .https).port ?? 0
            return "https://untrusted.example.test:\(port)/json"
        }
        try await ClientStage.run(routes: routes) { stage in
            let outcome = try await stage.fetch("/from")
            #expect(outcome.failure?.code == .serverCertificateHasUnknownRoot)
            #expect(outcome.requests == ["GET /from"])
        }
    }

    @Test("https to http is refused, unless the settings say otherwise")
    func downgrade() async throws {
        let plain = Recorder<String>()
        let routes = Self.routes(302) { _ in plain.values.first ?? "" }
        try await ClientStage.run(routes: routes) { stage in
            plain.note("http://\(VirtualHost.shop):\(stage.origin.plainAddress.port)/json")
            let refused = try await stage.fetch("/from")
            #expect(refused.failure?.code == .appTransportSecurityRequiresSecureConnection)
            #expect(refused.failure?.check == "redirect")
            let followed = try await stage.fetch("/from") { $0.dangerFollowsDowngrade = true }
            #expect(followed.text.contains("teapot"), "\(followed)")
        }
    }

    @Test("a loop of redirects ends")
    func loop() async throws {
        try await ClientStage.run(routes: Self.routes(302) { _ in "/from" }) { stage in
            let outcome = try await stage.fetch("/from") { $0.redirectLimit = 3 }
            #expect(outcome.failure?.code == .httpTooManyRedirects)
            #expect(outcome.requests.count == 4)
        }
    }

    @Test(
        "a Location that is not a URL fails with a typed error",
        arguments: [("ftp://x/", URLErrorCode.unsupportedURL), ("https://", .badURL), ("/a b", .badURL)]
    )
    func badLocation(location: String, code: URLErrorCode) async throws {
        try await ClientStage.run(routes: Self.routes(302) { _ in location }) { stage in
            let outcome = try await stage.fetch("/from")
            #expect(outcome.failure?.code == code)
        }
    }

    @Test(
        "the method and the body go along, or not",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "PUT", "GET"), (307, "POST", "POST"),
            (308, "PUT", "PUT"), (301, "PUT", "PUT"), (303, "HEAD", "HEAD"),
        ]
    )
    func methods(status: Int, before: String, after: String) throws {
        var fields = HeaderFields()
        fields.append("Location", "/to")
        let head = ResponseHead(status: status, reason: "", fields: fields, framing: .none)
        let request = ClientRequest(
            try ClientURL("https://a.test/from"),
            method: before,
            fields: [("Content-Type", "text/plain")],
            body: [1]
        )
        let next = try #require(try FetchRedirect.next(after: head, to: request))
        #expect(next.method == after)
        #expect(next.body.isEmpty == (before != after))
        #expect(next.fields.isEmpty == (before != after))
        #expect(next.url.description == "https://a.test/to")
    }

    @Test("the target of a redirect gets neither the client certificate nor the given Host")
    func certificateStays() async throws {
        let routes = Self.routes(302) { request in
            let port = request.head.host?.authority(for: .https).port ?? 0
            return "https://bank.example.test:\(port)/echo"
        }
        try await ClientStage.run(routes: routes) { stage in
            let alice = try stage.origin.authority.clientIdentity(named: "Alice", now: stage.now)
            let outcome = try await stage.fetch("/from") { $0.identity = alice }
            #expect(outcome.failure?.code == .clientCertificateRequired, "\(outcome)")
            let asked = outcome.challenges.map(\.challenge).filter { $0.serverTrust == nil }
            #expect(asked.map { $0.proposedCredential == nil } == [true])
        }
        var fields = HeaderFields()
        fields.append("Location", "https://b.test/")
        let head = ResponseHead(status: 302, reason: "", fields: fields, framing: .none)
        let request = ClientRequest(try ClientURL("https://a.test/"), fields: [("Host", "inside")])
        #expect(try FetchRedirect.next(after: head, to: request)?.fields.isEmpty == true)
    }
}
