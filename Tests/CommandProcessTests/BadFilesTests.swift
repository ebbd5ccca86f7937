import PinholeTestKit
import Testing

@Suite("Files that cannot be used")
struct BadFilesTests {
    private static let upstream = #"{"tls": {"upstreamCAs": ["garbage"]}}"#
    private static let missing = #"{"tls": {"upstreamCAs": ["missing.pem"]}}"#
    private static let identity = #"{"tls": {"clientCertificates": [{"hosts": ["*"], "file": "garbage"}]}}"#
    private static let credentials = #"{"proxy": {"credentials": "@garbage"}}"#
    private static let users = #"{"proxy": {"users": "garbage"}}"#
    private static let nobody = #"{"proxy": {"users": "missing"}}"#
    private static let capture = #"{"capture": {"file": "garbage"}}"#

    @Test(
        "are named, with the expected form and exit code 3",
        arguments: [
            (upstream, "garbage: expected a certificate in PEM"),
            (missing, "could not read missing.pem"),
            (identity, "the client certificate garbage cannot be used"),
            (credentials, "garbage: expected USER:PASSWORD in the first line"),
            (users, "garbage: line 1: expected USER:HASH, as htpasswd -B writes it"),
            (nobody, "to fix it: htpasswd -cB missing USER"),
            (capture, "garbage is not a Pinhole capture"),
        ]
    )
    func refused(_ configuration: String, _ expected: String) async throws {
        let binary = try PinholeBinary()
        try binary.directory.write("this is no such file\n", to: "garbage")
        try binary.directory.write(configuration, to: "config.json")
        #expect(try await binary.run("config", "trust").isSuccess)
        let result = try await binary.run("proxy", "--listen", "127.0.0.1:0")
        #expect(result.exit == .code(3) && result.errorText.contains(expected), "\(result)")
        #expect(result.text.isEmpty)
    }
}
