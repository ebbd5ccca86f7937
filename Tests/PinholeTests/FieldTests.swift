import Testing

@testable import Pinhole

@Suite("Field")
struct FieldTests {
    @Test("fields are found, set and removed by their names in any case")
    func names() {
        var fields = [Field("A", "1"), Field("b", "2"), Field("B", "3"), Field("C", "4")]
        #expect(fields["a"] == "1" && fields["B"] == "2" && fields["x"] == nil)
        fields["B"] = "5"
        #expect(fields == [Field("A", "1"), Field("b", "5"), Field("C", "4")])
        fields["a"] = nil
        fields["D"] = "6"
        #expect(fields == [Field("b", "5"), Field("C", "4"), Field("D", "6")])
    }
}
