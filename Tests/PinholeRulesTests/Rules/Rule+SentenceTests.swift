import PinholeModel
import Testing

@testable import PinholeRules

@Suite("The sentence of a rule")
struct RuleSentenceTests {
    private static func sentence(_ members: String) throws -> String {
        try Rule(JSONValue(parsing: Array("{\(members)}".utf8)), number: 1, path: "rule").sentence
    }

    @Test(
        "names the requests and the effect",
        arguments: [
            (
                #""do": "mock", "when": "method == GET & host == api.test & path == /pay", "status": 404, "body": "no""#,
                "Answers GET requests to api.test for /pay with status 404 and 2 bytes of content."
            ),
            (
                #""do": "mock", "fields": ["A: 1", "B: 2"], "file": "a.json""#,
                "Answers all requests with status 200, A, B and the content of the file a.json."
            ),
            (
                #""do": "block", "when": "~d ads & port == 8443""#,
                "Answers requests to hosts that match “ads” at port 8443 with status 403 and without content."
            ),
            (
                #""do": "block", "with": "reset", "when": "host ~ *.a.test & path startswith /v2/""#,
                "Resets the connection of requests to *.a.test for paths that begin with /v2/ without a response."
            ),
            (
                #""do": "mapRemote", "to": "http://127.0.0.1:3000", "when": "status == 404 | path == /x""#,
                "Sends requests that match “status == 404 | path == /x” to http://127.0.0.1:3000, with the same path."
            ),
            (
                #""do": "mapRemote", "to": "https://b.test/v1", "from": "/api", "keepHost": true"#,
                "Sends all requests to https://b.test/v1, in the place of /api. The request keeps the name of the old server."
            ),
            (
                #""do": "setAuthentication", "bearer": "hunter2""#, "Sends a token with all requests."
            ),
            (
                #""do": "delay", "seconds": 0.5, "chance": 0.1"#,
                "Holds all requests back for 0.5 seconds before anything else happens. Acts on about 10 % of them."
            ),
            (
                #""do": "throttle", "preset": "3G", "enabled": false"#,
                "Switched off. When on: Slows all requests down: 400 kbit/s down, 400 kbit/s up, 2000 ms latency."
            ),
            (
                #""do": "rewriteRequest", "set": ["X-A: 1"], "remove": ["Cookie"], "setJSON": [{"at": "/a", "value": 1}]"#,
                "Changes all requests before the server gets them: removes cookie, sets X-A, sets /a in the JSON."
            ),
            (
                #""do": "rewriteResponse", "status": 410"#,
                "Changes the responses to all requests: sets the status to 410."
            ),
            (
                #""do": "breakpoint", "at": "both", "seconds": 120, "when": "path == /x""#,
                "Holds requests for /x, and their responses, for at most 120 seconds, until you decide."
            ),
            (
                #""do": "dropMessage", "from": "client", "find": "typing", "when": "host == a.test""#,
                "Drops text and binary messages from the client that match “typing” of WebSockets to a.test."
            ),
            (
                #""do": "injectMessage", "to": "client", "text": "hello\nyou""#,
                "Sends the text “hello you” to the client when a WebSocket opens."
            ),
        ]
    )
    func sentences(members: String, expected: String) throws {
        #expect(try Self.sentence(members) == expected)
    }

    @Test("has no credentials")
    func secrets() throws {
        #expect(try !Self.sentence(#""do": "setAuthentication", "basic": "me:hunter2""#).contains("hunter2"))
    }
}
