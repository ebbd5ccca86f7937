import PinholeModel
import PinholeTrust
import PinholeWire

@testable import PinholeClient

/// Fetches that were not made, with steps of every kind but those that hold certificates.
enum FetchStories {
    private static let start = Timestamp(seconds: 1_795_219_200)
    private static let noPaths = PathSet([], isComplete: true)

    private static func dial(_ address: String, _ failure: String?) -> DialRecord {
        DialRecord(address: address, started: start, duration: .milliseconds(1), failure: failure)
    }

    private static func outcome(
        _ steps: [FetchStep],
        _ result: (ClientURL) throws -> Result<ClientResponse, ClientFailure>
    ) throws -> FetchOutcome {
        let url = try ClientURL("https://alice:secret@shop.test:8443/a?b")
        var story = FetchTranscript(url, started: start)
        for (index, step) in steps.enumerated() {
            story.tell(step, at: start + .milliseconds(index * 20))
        }
        return FetchOutcome(result: try result(url), story: story)
    }

    /// Fetched, over the second address and through a redirect.
    static func fetched() throws -> FetchOutcome {
        let authority = try Authority("shop.test:8443")
        var hello = ClientHelloRecord()
        hello.serverName = "shop.test"
        hello.versions = [0x0304, 0x0303]
        hello.cipherSuites = [0x1301]
        hello.applicationProtocols = ["http/1.1"]
        var fields = HeaderFields()
        fields.append("Set-Cookie", "sid=secret; Path=/")
        fields.append("Server", "x")
        var trailers = HeaderFields()
        trailers.append("x-sum", "7\u{7}")
        let head = ResponseHead(status: 200, reason: "OK", fields: fields, framing: .none)
        let checks = [
            Check("chain", .passed, "it holds"), Check("pin", .skipped, "none \u{1b}[2J is wanted"),
        ]
        let steps: [FetchStep] = [
            .resolved(authority, took: .milliseconds(2)),
            .connected(
                address: "192.0.2.2:8443",
                isProxy: true,
                attempts: [dial("192.0.2.1:8443", "Connection refused"), dial("192.0.2.2:8443", nil)]
            ), .tunnel(authority, status: 200, reason: "Fine"), .clientHello(hello, offersSession: true),
            .judgement(mechanism: "spki", Judgement(.trusted, checks: checks), otherPaths: noPaths),
            .disposition(.performDefaultHandling, note: "as always"),
            .handshake(
                version: "TLSv1.3",
                cipher: "TLS_AES_128_GCM_SHA256",
                applicationProtocol: nil,
                isResumed: true
            ),
            .request(
                method: "GET",
                target: "/a?b",
                fields: ["Host: shop.test:8443", "Authorization: Basic …"]
            ),
            .response(head), .redirect(try ClientURL("http://shop.test/"), isFollowed: false, note: "no"),
            .note("a note"), .body(count: 5), .trailers(trailers),
        ]
        return try outcome(steps) { .success(ClientResponse(url: $0, head: head, body: Array("hello".utf8))) }
    }

    /// Refused at every address.
    static func refused() throws -> FetchOutcome {
        let failure = ClientFailure(
            .cannotConnectToHost,
            streamCode: -1,
            check: "connection",
            "nobody is there"
        )
        let steps: [FetchStep] = [
            .notConnected(
                try Authority("shop.test:8443"),
                isProxy: false,
                attempts: [
                    dial("[2001:db8::1]:8443", "Network is unreachable"),
                    dial("192.0.2.1:8443", "Connection refused"),
                ]
            ), .failed(failure),
        ]
        return try outcome(steps) { _ in .failure(failure) }
    }

    /// Rejected by a policy.
    static func rejected() throws -> FetchOutcome {
        let rejection = Rejection(.pinMismatch, "no pin matches")
        let failure = ClientFailure(.cancelled, check: "pin", "no pin matches", rejection: rejection)
        let checks = [Check("pins", .failed, "no pin matches")]
        let steps: [FetchStep] = [
            .judgement(
                mechanism: "spki",
                Judgement(.rejected(rejection), checks: checks),
                otherPaths: noPaths
            ), .failed(failure),
        ]
        return try outcome(steps) { _ in .failure(failure) }
    }
}
