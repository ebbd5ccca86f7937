import PinholeModel
import Testing

@Suite("JSONText")
struct JSONTextTests {
    private func text(_ write: (inout JSONText) -> Void) -> String {
        var json = JSONText()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("sets commas by itself, on each line anew")
    func structure() {
        let written = text { json in
            for number in [1, 2] {
                json.object { json in
                    json.member("a", number)
                    json.member("b", nil)
                    json.name("c")
                    json.array { json in
                        json.string("x")
                        json.object { _ in }
                        json.string("y")
                    }
                    json.member("d", true)
                }
                json.endLine()
            }
        }
        let line = #","b":null,"c":["x",{},"y"],"d":true}"#
        #expect(written == #"{"a":1"# + line + "\n" + #"{"a":2"# + line + "\n")
    }

    @Test("escapes required characters, and control characters")
    func escapes() throws {
        let hard = "\"\\/\n\r\t\u{0}\u{1b}\u{7f}é😀\u{2028}"
        let written = text { $0.string(hard) }
        #expect(written == #""\"\\/\n\r\t\u0000\u001b\u007fé😀\u2028""#)
        #expect(try JSONValue(parsing: Array(written.utf8)) == .string(hard))
    }

    @Test("writes durations, Base64 and finished JSON")
    func members() {
        let written = text { json in
            json.object { json in
                json.member("id", json: Array("1.50".utf8)[...])
                json.member("none", milliseconds: nil)
                json.member("whole", milliseconds: .milliseconds(3))
                json.member("part", milliseconds: .microseconds(1005))
                json.member("bytes", base64: [0, 1, 2])
            }
        }
        #expect(written == #"{"id":1.50,"none":-1,"whole":3,"part":1.005,"bytes":"AAEC"}"#)
    }

    @Test("writes values, members in the order of their names")
    func values() throws {
        let value = try JSONValue(parsing: Array(#"{"b":[1,-2.5,"x",null],"a":{"t":true}}"#.utf8))
        #expect(text { $0.value(value) } == #"{"a":{"t":true},"b":[1,-2.5,"x",null]}"#)
    }

    @Test("escapes a character at any place of a text, and no other one")
    func places() throws {
        for byte in UInt8.min..<0x80 {
            for place in 0..<19 {
                var bytes = [UInt8](repeating: 0x61, count: 19)
                bytes[place] = byte
                let source = String(decoding: bytes, as: UTF8.self)
                let written = text { $0.string(source) }
                #expect(try JSONValue(parsing: Array(written.utf8)) == .string(source))
                let isPlain = byte >= 0x20 && byte < 0x7f && byte != 0x22 && byte != 0x5c
                #expect((written == "\"\(source)\"") == isPlain, "\(byte) at \(place)")
            }
        }
    }

    @Test("writes whole numbers", arguments: [0, 7, -1, 10, 65_535, .max, .min] as [Int64])
    func numbers(number: Int64) {
        let written = text { json in
            json.object { json in
                json.member("a", number)
                json.member("b", [0, 9, .max] as [UInt16])
            }
        }
        #expect(written == #"{"a":\#(number),"b":[0,9,65535]}"#)
    }

    @Test("returns the bytes written so far, and continues")
    func take() {
        var json = JSONText()
        json.begin(0x5b)
        json.string("a")
        #expect(json.take() == Array(#"["a""#.utf8))
        json.string("b")
        json.end(0x5d)
        #expect(json.take() == Array(#","b"]"#.utf8))
        #expect(json.bytes.isEmpty)
    }
}
