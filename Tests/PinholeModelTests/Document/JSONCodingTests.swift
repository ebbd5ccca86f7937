import Foundation
import PinholeModel
import Testing

@Suite("JSON of declared members")
struct JSONCodingTests {
    private enum Shade: String, Codable, CaseIterable { case light, dark }

    private struct Inner: Codable, Equatable {
        var flag = true
        var shade = Shade.dark
        var missing: Int?
        var numbers: [UInt16] = []
        var lists: [[Int8?]] = [[1, nil], []]
    }

    private struct Outer: Codable, Equatable {
        var text = "“a”\n\u{7f}/\"\\"
        var least = Int64.min
        var greatest = UInt64.max
        var real = -0.5
        var small: Float = 1e-3
        var inner: Inner? = Inner()
        var named: [String: Inner] = ["x y": Inner()]
        var empty = Nothing()
        var last = 1
    }

    private struct Nothing: Codable, Equatable {}

    /// Writes into containers by hand, one within the other.
    private struct Nested: Encodable {
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: JSONCodingTests.Name.self)
            var object = outer.nestedContainer(keyedBy: JSONCodingTests.Name.self, forKey: "a")
            try object.encodeNil(forKey: "b")
            var list = object.nestedUnkeyedContainer(forKey: "c")
            try list.encodeNil()
            var inner = list.nestedContainer(keyedBy: JSONCodingTests.Name.self)
            try inner.encode(1, forKey: "d")
            var innermost = list.nestedUnkeyedContainer()
            try innermost.encode("e")
            try list.superEncoder().singleValueContainer().encodeOnce(true)
            try outer.encode(Nothing(), forKey: "f")
            try outer.superEncoder(forKey: "g").singleValueContainer().encodeOnce(2)
        }
    }

    /// Writes the members of its parts into one object.
    private struct Parts: Encodable {
        func encode(to encoder: any Encoder) throws {
            try Inner().encode(to: encoder)
            var more = encoder.container(keyedBy: JSONCodingTests.Name.self)
            try more.encode(["z": 1, "y": 2], forKey: "also")
        }
    }

    struct Name: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringLiteral value: String) { stringValue = value }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONValue(parsing: Array(text.utf8)).decoded(as: type)
    }

    @Test("members are written in the order of their declaration, without nil")
    func members() throws {
        #expect(
            try JSONText.encoding([Inner()])
                == #"[{"flag":true,"shade":"dark","numbers":[],"lists":[[1,null],[]]}]"#
        )
        #expect(try JSONText.encoding("a") == #""a""#)
        #expect(try JSONText.encoding(Shade.allCases) == #"["light","dark"]"#)
    }

    @Test("containers within containers are closed where they end")
    func containers() throws {
        #expect(
            try JSONText.encoding(Nested()) == #"{"a":{"b":null,"c":[null,{"d":1},["e"],true]},"f":{},"g":2}"#
        )
    }

    @Test("a value is read as it was written, and Foundation reads and writes the same")
    func roundTrip() throws {
        var value = Outer()
        value.greatest = UInt64(Int64.max)
        let text = try JSONText.encoding(value)
        #expect(try decoded(Outer.self, text) == value)
        #expect(try JSONDecoder().decode(Outer.self, from: Data(text.utf8)) == value)
        let other = try JSONEncoder().encode(value)
        #expect(try JSONValue(parsing: Array(other)).decoded(as: Outer.self) == value)
    }

    @Test("sorted members stand as in Foundation's JSON, and whole numbers have no fraction")
    func sorted() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func same(_ value: some Encodable) throws -> Bool {
            try JSONText.encoding(value, isSorted: true)
                == String(decoding: encoder.encode(value), as: UTF8.self)
        }
        var outer = Outer()
        outer.text = "“a”/\"\\"
        #expect(
            try same(outer) && same([Nested()]) && same([Inner(), Inner()])
                && same(["b": Parts(), "a": Parts()])
        )
        #expect(try same(["b": ["d": 1, "c": 2.5], "a": [:], "é": ["z/": 12.0], "B": ["": -0.5]]))
        #expect(try JSONText.encoding([12.0, 1e300, -3]) == "[12,1e+300,-3]")
    }

    @Test("the greatest number is written whole")
    func greatest() throws {
        #expect(try JSONText.encoding([UInt64.max]) == "[18446744073709551615]")
    }

    @Test("JSON has no number for these", arguments: [Double.nan, .infinity, -.infinity])
    func notANumber(_ number: Double) {
        #expect(throws: EncodingError.self) { try JSONText.encoding([number]) }
        #expect(throws: EncodingError.self) { try JSONText.encoding([Float(number)]) }
    }

    @Test("members that no type declares are ignored, and null is as good as a missing member")
    func lenient() throws {
        let inner = try decoded(
            Inner.self,
            #"{"other":[{}],"flag":false,"shade":"light","missing":null,"numbers":[1e2,3.0],"lists":[]}"#
        )
        #expect(inner == Inner(flag: false, shade: .light, numbers: [100, 3], lists: []))
    }

    @Test(
        "a member that is missing, of another type or too large is an error",
        arguments: [
            "[]", "{}", "1", #"{"flag":1,"shade":"dark","numbers":[],"lists":[]}"#,
            #"{"flag":true,"shade":"grey","numbers":[],"lists":[]}"#,
            #"{"flag":true,"shade":7,"numbers":[],"lists":[]}"#,
            #"{"flag":true,"shade":"dark","numbers":{},"lists":[]}"#,
            #"{"flag":true,"shade":"dark","numbers":[65536],"lists":[]}"#,
            #"{"flag":true,"shade":"dark","numbers":[-1],"lists":[]}"#,
            #"{"flag":true,"shade":"dark","numbers":[1.5],"lists":[]}"#,
            #"{"flag":true,"shade":"dark","numbers":[1e300],"lists":[]}"#,
            #"{"flag":true,"shade":"dark","numbers":["1"],"lists":[]}"#,
            #"{"flag":true,"shade":"dark","numbers":[null],"lists":[]}"#,
            #"{"flag":true,"shade":null,"numbers":[],"lists":[]}"#,
        ]
    )
    func strict(_ text: String) {
        #expect(throws: DecodingError.self) { try decoded(Inner.self, text) }
    }

    @Test("a list ends where it ends")
    func shortList() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try (list.decode(Int.self), list.decode(Int.self))
            }
        }
        #expect(throws: DecodingError.self) { try decoded(Pair.self, "[1]") }
        #expect(throws: Never.self) { try decoded(Pair.self, "[1,2,3]") }
    }
}

extension SingleValueEncodingContainer {
    fileprivate func encodeOnce(_ value: some Encodable) throws {
        var container = self
        try container.encode(value)
    }
}
