import ArgumentParser
import PinholeClient
import Testing

@testable import PinholeCommand

@Suite("pinhole fetch, versions of HTTP")
struct FetchVersionTests {
    @Test(
        "the flags are curl's, and HTTP/1.1 is the default",
        arguments: [
            ([], ["http/1.1"]), (["--http2"], ["h2", "http/1.1"]), (["--http1.1"], ["http/1.1"]),
        ]
    )
    func offered(flags: [String], protocols: [String]) throws {
        let way = try FetchRequestOptions.parse(flags)
        #expect(way.version.protocols.map(\.rawValue) == protocols)
    }

    @Test("accepts one version flag, and known ways of sharing connections only")
    func refused() {
        #expect(throws: (any Error).self) { try FetchRequestOptions.parse(["--http2", "--http1.1"]) }
        #expect(throws: (any Error).self) { try FetchRequestOptions.parse(["--coalescing", "always"]) }
        #expect((try? FetchRequestOptions.parse(["--coalescing", "off"]))?.coalescing == .off)
    }
}
