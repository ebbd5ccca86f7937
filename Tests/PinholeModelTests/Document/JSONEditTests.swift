import PinholeModel
import Testing

@Suite("JSONEdit")
struct JSONEditTests {
    private static func text(_ edit: JSONEdit) -> String { String(decoding: edit.text, as: UTF8.self) }

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
            ("", ["a"], "1", "{\n  \"a\": 1\n}\n"),
            ("{\n  \"a\": 1\n}\n", ["b"], "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"),
            (#"{"a": 1}"#, ["t", "p"], "2", "{\"a\": 1,\n  \"t\": {\n    \"p\": 2\n  }\n}"),
            (
                "{\n  \"t\": {\n    \"q\": \"}\"\n  }\n}", ["t", "p"], "2",
                "{\n  \"t\": {\n    \"q\": \"}\",\n    \"p\": 2\n  }\n}"
            ),
        ]
    )
    func set(_ before: String, _ path: [String], _ value: String, _ after: String) throws {
        var edit = JSONEdit(Array(before.utf8))
        try edit.set(path, to: value)
        #expect(Self.text(edit) == after)
        _ = try JSONValue(parsing: edit.text)
    }

    @Test(
        "what is no object, or no JSON, is refused",
        arguments: ["[]", #"{"a": 1, }"#, #"{"t": []}"#, "// no"]
    )
    func refused(_ text: String) {
        var edit = JSONEdit(Array(text.utf8))
        #expect(throws: DocumentFailure.self) { try edit.set(["t", "p"], to: "1") }
        #expect(Self.text(edit) == text)
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
        #expect(JSONValue.elements(of: text.utf8) == elements)
    }
}
