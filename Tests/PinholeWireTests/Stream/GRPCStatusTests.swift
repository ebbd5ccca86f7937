import PinholeModel
import PinholeWire
import Testing

@Suite("GRPCStatus")
struct GRPCStatusTests {
    private func status(_ code: String, _ message: String?) -> GRPCStatus? {
        var fields = HeaderFields()
        fields.append("grpc-status", code)
        if let message { fields.append("Grpc-Message", message) }
        return GRPCStatus(fields)
    }

    @Test("names the code and decodes the message")
    func reads() {
        let status = status("9", "n%C3%B6: 50%25 of%0Ait")
        #expect(status?.code == 9)
        #expect(status?.name == "FAILED_PRECONDITION")
        #expect(status?.message == "nö: 50% of\nit")
        #expect(self.status("0", nil)?.name == "OK")
        #expect(GRPCStatus(HeaderFields()) == nil)
    }

    @Test("keeps invalid escapes and unknown codes unchanged")
    func odd() {
        #expect(status("17", "100%")?.message == "100%")
        #expect(status("17", "%zz%4")?.message == "%zz%4")
        #expect(status("17", "")?.name == nil)
        #expect(status("-1", nil)?.code == nil)
        #expect(status("many", nil)?.code == nil)
    }
}
