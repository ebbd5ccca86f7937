import PinholeWire
import Testing

@Suite("ProtobufSchema")
struct ProtobufSchemaTests {
    @Test("finds methods by the path of a request")
    func methods() throws {
        let schema = try ProtobufSchema(descriptorSet: DescriptorBytes.set)
        let method = try #require(schema.method(path: "/shop.Shop/Brew"))
        #expect(method.request == "shop.Tea" && method.response == "shop.Pot")
        #expect(schema.method(path: "/prefix/shop.Shop/Brew?x=/y") == method)
        #expect(schema.method(path: "/shop.Shop/Boil") == nil)
        #expect(schema.method(path: "/") == nil)
        #expect(schema.hasMessage("shop.Tea") && !schema.hasMessage("shop.Pot"))
    }

    @Test(
        "refuses a file that is no descriptor set, and names the command that writes one",
        arguments: [Array("syntax = \"proto3\";".utf8), [], [0x0a, 200], DescriptorBytes.text(1, "x")]
    )
    func malformed(bytes: [UInt8]) throws {
        let failure = try #require(throws: ProtobufFailure.self) { try ProtobufSchema(descriptorSet: bytes) }
        #expect(failure.description.contains("--include_imports"))
    }
}
