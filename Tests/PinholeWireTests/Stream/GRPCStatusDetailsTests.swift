import PinholeModel
import PinholeWire
import Testing

@Suite("GRPCStatusDetails")
struct GRPCStatusDetailsTests {
    private typealias Bytes = DescriptorBytes

    private func details(_ text: String) -> GRPCStatusDetails? {
        var fields = HeaderFields()
        fields.append("grpc-status", "9")
        fields.append("grpc-status-details-bin", text)
        return GRPCStatus(fields)?.details
    }

    private let status: [UInt8] = {
        let any =
            Bytes.text(1, "type.googleapis.com/google.rpc.ErrorInfo") + Bytes.bytes(2, Bytes.text(1, "WHY"))
        return Bytes.number(1, 9) + Bytes.text(2, "no") + Bytes.bytes(3, any) + Bytes.bytes(3, [])
    }()

    @Test("are code, message and messages of any type, with padding and without")
    func reads() throws {
        let text = Base64.encode(status)
        let read = try #require(details(text))
        #expect(read.code == 9 && read.message == "no" && read.details.count == 2)
        #expect(read.details.first?.typeName == "google.rpc.ErrorInfo")
        #expect(read.details.first?.value == Bytes.text(1, "WHY"))
        #expect(read.details.last?.typeURL == "" && read.details.last?.value == [])
        #expect(details(String(text.filter { $0 != "=" })) == read)
        #expect(details("")?.details == [])
    }

    @Test("are none where the field holds something else", arguments: ["?", "a", "/////w", "GgIKBQ"])
    func others(text: String) { #expect(details(text) == nil) }
}
