import PinholeTestKit
import Testing

/// Programs that speak HTTP/2 or HTTP/1.1, in pairs, through the proxy.
@Suite(
    "HTTP/2",
    .serialized,
    .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
)
struct HTTP2Tests {
    /// What Tests/Clients/http2/pairs.py tells of a pair.
    private struct Pair: Decodable, Hashable {
        var client: String
        var server: String
        /// The version that the client spoke.
        var version: String
        var status: Int
        var isWhole: Bool
    }

    /// The clients, and what they speak with a server of both versions, of HTTP/1.1 alone, of HTTP/2 alone, and
    /// with another of both.
    private static let expected: [(client: String, versions: [String])] = [
        ("curl --http2", ["2", "1.1", "2", "2"]), ("curl --http1.1", ["1.1", "1.1", "1.1", "1.1"]),
        ("httpx", ["2", "1.1", "2", "2"]), ("Node http2", ["2", "2", "2", "2"]),
        ("Go", ["2", "1.1", "2", "2"]), ("nghttp", ["2", "2", "2", "2"]), ("h2load", ["2", "1.1", "2", "2"]),
        ("Chromium", ["2", "1.1", "2", "2"]),
    ]
    private static let servers = ["nginx with HTTP/2", "nginx without", "nghttpd", "Go"]

    @Test("every client gets the whole body from every server, translated where they differ")
    func pairs() async throws {
        // nghttp and h2load name the server as they reach it, by its address.
        let configuration = """
            {"tls": {"exemptions": [{"hosts": ["127.0.0.1"], "reason": "clients that know no name"}]}}
            """
        try await HTTP2Programs.run(
            "pairs.py",
            host: "pairs.example.test",
            configuration: configuration
        ) { (_, pairs: [Pair]) in
            let expected = Self.expected.flatMap { client, versions in
                zip(Self.servers, versions).map { server, version in
                    Pair(client: client, server: server, version: version, status: 200, isWhole: true)
                }
            }
            #expect(Set(pairs) == Set(expected))
            #expect(pairs.count == 32)
        }
    }
}
