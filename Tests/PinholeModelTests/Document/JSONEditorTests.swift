import PinholeTestKit
import Testing

@testable import PinholeModel

@Suite("JSONEditor")
struct JSONEditorTests {
    private func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

    private func set(_ text: String, _ at: String, _ value: JSONValue) throws -> String? {
        var editor = try JSONEditor(Array(text.utf8))
        return editor.set(try pointer(at), to: value) ? String(decoding: editor.text, as: UTF8.self) : nil
    }

    private func remove(_ text: String, _ at: String) throws -> String? {
        var editor = try JSONEditor(Array(text.utf8))
        return editor.remove(try pointer(at)) ? String(decoding: editor.text, as: UTF8.self) : nil
    }

    @Test("sets values, and leaves every other byte as it is")
    func sets() throws {
        let text =
            "\u{feff} { \"b\" : 1.50 ,\n  \"a\":[ 1 ,{\"x~/\": \"\\u0041\\\"}]\"}, []],\"n\":12345678901234567890}"
        #expect(try set(text, "/b", .integer(2)) == text.replacing("1.50", with: "2"))
        #expect(try set(text, "/a/0", .null) == text.replacing("[ 1 ,", with: "[ null ,"))
        #expect(
            try set(text, "/a/1/x~0~1", .array([.boolean(true)]))
                == text.replacing("\"\\u0041\\\"}]\"", with: "[true]")
        )
        #expect(
            try set(text, "/a/1/new", .string("ö\n"))
                == text.replacing("}]\"}", with: "}]\",\"new\":\"ö\\n\"}")
        )
        #expect(try set(text, "/a/2/0", .integer(7)) == text.replacing("[]", with: "[7]"))
        #expect(try set(text, "/a/-", .integer(7)) == text.replacing("[]]", with: "[],7]"))
        #expect(try set(text, "/a/3", .integer(7)) == text.replacing("[]]", with: "[],7]"))
        #expect(try set(text, "", .object(["z": .integer(1), "a": .number(0.5)])) == #"{"a":0.5,"z":1}"#)
        #expect(try set("{}", "/a", .boolean(false)) == #"{"a":false}"#)
        #expect(try set(#"{"a":{"\u0062":1}}"#, "/a/b", .integer(2)) == #"{"a":{"\u0062":2}}"#)
    }

    @Test(
        "finds no place in a missing value, or in a value that is no container",
        arguments: ["/c/d", "/a/4", "/b/0", "/a/x"]
    )
    func nowhere(at: String) throws {
        #expect(try set(#"{"b": 1, "a": [1, 2]}"#, at, .null) == nil)
    }

    @Test("removes members and elements with their commas")
    func removes() throws {
        let text = #"{"a": 1, "b": [1, 2, 3], "c": {}}"#
        #expect(try remove(text, "/a") == #"{"b": [1, 2, 3], "c": {}}"#)
        #expect(try remove(text, "/b") == #"{"a": 1, "c": {}}"#)
        #expect(try remove(text, "/c") == #"{"a": 1, "b": [1, 2, 3]}"#)
        #expect(try remove(text, "/b/0") == #"{"a": 1, "b": [2, 3], "c": {}}"#)
        #expect(try remove(text, "/b/2") == #"{"a": 1, "b": [1, 2], "c": {}}"#)
        #expect(try remove("[[1]]", "/0/0") == "[[]]")
        for at in ["", "/x", "/b/3", "/b/-", "/a/0"] { #expect(try remove(text, at) == nil) }
    }

    @Test("makes JSON of JSON, wherever it changes it")
    func random() throws {
        var random = SeededRandom(seed: 6)
        for _ in 0..<300 {
            var depth = 0
            let text = Self.text(&random, &depth)
            let at = ["/a", "/0", "/a/0", "/b/a", "/1/b", "/a/b/0"].randomElement(using: &random) ?? ""
            var editor = try JSONEditor(Array(text.utf8))
            let before = try JSONValue(parsing: editor.text)
            let isSet = editor.set(try pointer(at), to: .string("new"))
            #expect(isSet == (try JSONValue(parsing: editor.text) != before), "\(text) \(at)")
            #expect(editor.remove(try pointer(at)) == isSet || !isSet, "\(text) \(at)")
            _ = try JSONValue(parsing: editor.text)
        }
    }

    private static func text(_ random: inout SeededRandom, _ depth: inout Int) -> String {
        depth += 1
        defer { depth -= 1 }
        let space = ["", " ", "\n\t"].randomElement(using: &random) ?? ""
        switch Int.random(in: depth < 4 ? 0...4 : 3...4, using: &random) {
        case 0, 1:
            let names = ["a", "b", "c"].prefix(Int.random(in: 0...3, using: &random))
            var members: [String] = []
            for name in names {
                members.append("\(space)\"\(name)\"\(space):\(text(&random, &depth))\(space)")
            }
            return "{\(members.joined(separator: ","))\(space)}"
        case 2:
            var elements: [String] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                elements.append("\(space)\(text(&random, &depth))\(space)")
            }
            return "[\(elements.joined(separator: ","))\(space)]"
        case 3: return "\"x,]}\\\"\\\\\""
        default: return "-1.5e3"
        }
    }

    @Test(
        "refuses invalid JSON",
        arguments: ["", "{", "{\"a\":1,}", "{\"a\": 1, }", "// no", "nul", "1 2"]
    )
    func refused(text: String) {
        #expect(throws: DocumentFailure.self) { try JSONEditor(Array(text.utf8)) }
    }

    @Test(
        "sets a member and leaves every other byte as it is",
        arguments: [
            (#"{"a":1}"#, ["a"], "2", #"{"a":2}"#),
            (
                "{\n\t\"b\" : [ 1 ],\r\n  \"a\":\t{ \"x\" : 1.50 }\n}\n", ["b"], "[]",
                "{\n\t\"b\" : [],\r\n  \"a\":\t{ \"x\" : 1.50 }\n}\n"
            ),
            (
                #"{"t": {"p": ["a"], "q": "\"p\": 1"}}"#, ["t", "p"], "[]",
                #"{"t": {"p": [], "q": "\"p\": 1"}}"#
            ),
            ("{}", ["a"], "1", "{\n  \"a\": 1\n}"),
            ("{}\n", ["a"], "1", "{\n  \"a\": 1\n}\n"),
            ("{\n  \"a\": 1\n}\n", ["b"], "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"),
            (#"{"a": 1}"#, ["t", "p"], "2", "{\"a\": 1,\n  \"t\": {\n    \"p\": 2\n  }\n}"),
            (
                "{\n  \"t\": {\n    \"q\": \"}\"\n  }\n}", ["t", "p"], "2",
                "{\n  \"t\": {\n    \"q\": \"}\",\n    \"p\": 2\n  }\n}"
            ),
        ]
    )
    func setMember(_ before: String, _ path: [String], _ value: String, _ after: String) throws {
        var editor = try JSONEditor(Array(before.utf8))
        try editor.set(path, to: value)
        #expect(String(decoding: editor.text, as: UTF8.self) == after)
        _ = try JSONValue(parsing: editor.text)
    }

    @Test("refuses to set a member of a value that is no object", arguments: ["[]", #"{"t": []}"#])
    func noObject(_ text: String) throws {
        var editor = try JSONEditor(Array(text.utf8))
        #expect(throws: DocumentFailure.self) { try editor.set(["t", "p"], to: "1") }
        #expect(String(decoding: editor.text, as: UTF8.self) == text)
    }

    @Test(
        "hands out the elements of a list as they are written",
        arguments: [
            ("[]", []), ("[ ]", []), ("[1]", ["1"]),
            ("[ {\"a\": [1, 2]} ,\n \"x,]\\\"\" ]", ["{\"a\": [1, 2]}", "\"x,]\\\"\""]),
            ("[[],{}, \"\\\\\", 2 ]", ["[]", "{}", "\"\\\\\"", "2"]),
        ]
    )
    func elements(_ text: String, _ elements: [String]) throws {
        #expect(try JSONEditor(Array(text.utf8)).elements == elements)
    }
}
