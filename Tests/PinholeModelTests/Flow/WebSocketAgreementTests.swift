import PinholeModel
import Testing

@Suite("WebSocketAgreement")
struct WebSocketAgreementTests {
    private static func agreement(_ value: String) -> WebSocketAgreement {
        var fields = HeaderFields()
        fields.append("Sec-WebSocket-Extensions", value)
        return WebSocketAgreement(answer: fields)
    }

    @Test("is empty without the field")
    func none() {
        #expect(WebSocketAgreement(answer: HeaderFields()) == WebSocketAgreement())
    }

    @Test(
        "reads the parameters of permessage-deflate",
        arguments: [
            ("permessage-deflate", false, false, 15, 15),
            ("Permessage-Deflate ; server_no_context_takeover", true, false, 15, 15),
            ("permessage-deflate;client_no_context_takeover;server_max_window_bits=8", false, true, 8, 15),
            (
                "permessage-deflate; client_max_window_bits=\"10\"; server_max_window_bits = 15", false,
                false, 15, 10
            ),
        ]
    )
    func parameters(value: String, server: Bool, client: Bool, serverBits: Int, clientBits: Int) throws {
        let agreement = Self.agreement(value)
        let deflate = try #require(agreement.deflate)
        #expect(agreement.unknown.isEmpty)
        #expect(deflate.takesOverContext(from: .server) == !server)
        #expect(deflate.takesOverContext(from: .client) == !client)
        #expect(deflate.serverMaxWindowBits == serverBits)
        #expect(deflate.clientMaxWindowBits == clientBits)
    }

    @Test(
        "reads malformed and unknown data as an extension of another vendor",
        arguments: [
            "permessage-deflate; client_max_window_bits", "permessage-deflate; server_max_window_bits=7",
            "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=08",
            "permessage-deflate; server_no_context_takeover=1", "permessage-deflate; other",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
            "x-webkit-deflate-frame", "permessage-deflate;",
        ]
    )
    func unknown(value: String) {
        let agreement = Self.agreement(value)
        #expect(agreement.deflate == nil)
        #expect(agreement.unknown == [value])
    }

    @Test("keeps the first permessage-deflate, and the extensions beside it")
    func several() {
        let agreement = Self.agreement(
            "permessage-deflate, x-mux, permessage-deflate; server_no_context_takeover"
        )
        #expect(agreement.deflate == PermessageDeflate())
        #expect(agreement.unknown.count == 2)
    }

    @Test("is opened by 101 and Upgrade: websocket alone")
    func opening() {
        var fields = HeaderFields()
        fields.append("Upgrade", "WebSocket")
        #expect(WebSocketAgreement.isOpened(status: 101, answer: fields))
        #expect(!WebSocketAgreement.isOpened(status: 200, answer: fields))
        #expect(!WebSocketAgreement.isOpened(status: nil, answer: fields))
        #expect(!WebSocketAgreement.isOpened(status: 101, answer: HeaderFields()))
    }
}
