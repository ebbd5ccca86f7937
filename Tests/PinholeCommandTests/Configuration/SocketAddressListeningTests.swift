import PinholeModel
import PinholeRuntime
import Testing

@testable import PinholeCommand

@Suite("SocketAddress, listening")
struct SocketAddressListeningTests {
    @Test(
        "reads addresses with a port",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080", false), ("localhost:0", "127.0.0.1:0", false),
            ("[::1]:1", "[::1]:1", false), ("0.0.0.0:80", "0.0.0.0:80", true), ("[::]:80", "[::]:80", true),
            ("192.0.2.1:80", "192.0.2.1:80", true), ("8080", "127.0.0.1:8080", false),
            ("0", "127.0.0.1:0", false),
        ]
    )
    func reads(_ text: String, _ expected: String, _ isReachable: Bool) throws {
        let address = try SocketAddress(listening: text)
        #expect(address.description == expected)
        #expect(address.isReachableFromOutside == isReachable)
    }

    @Test(
        "refuses invalid values",
        arguments: [
            "", "65536", "-1", "+1", " 1", ":8080", "::1:8080", "127.0.0.1:", "127.0.0.1:65536", "h:1",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: AddressFailure.self) { try SocketAddress(listening: text) }
    }
}
