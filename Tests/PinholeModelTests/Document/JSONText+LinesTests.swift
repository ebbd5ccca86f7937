import Testing

@testable import PinholeModel

@Suite("JSON for people")
struct JSONTextLinesTests {
    @Test("an object of plain values stays on one line if it fits, and every other part has lines of its own")
    func lines() throws {
        let compact = #"{"b": [], "a": {"y": 1, "x": "é"}, "c": [{"n": [1, null]}, {}, true]}"#
        let text = JSONText.laidOut(try JSONValue(parsing: Array(compact.utf8)))
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {
                  "a": {"x": "é", "y": 1},
                  "b": [],
                  "c": [
                    {
                      "n": [
                        1,
                        null
                      ]
                    },
                    {},
                    true
                  ]
                }

                """
        )
    }

    @Test("a long object is broken, and reads back as the same value")
    func long() throws {
        let value = JSONValue.object([
            "name": .string(String(repeating: "x", count: 120)), "on": .boolean(true),
        ])
        let text = JSONText.laidOut(value)
        #expect(String(decoding: text, as: UTF8.self).split(separator: "\n").count == 4)
        #expect(try JSONValue(parsing: text) == value)
    }
}
