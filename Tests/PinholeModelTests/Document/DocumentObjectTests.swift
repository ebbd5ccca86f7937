import PinholeModel
import Testing

@Suite("DocumentObject")
struct DocumentObjectTests {
    private func read(_ text: String, path: String = "") throws -> DocumentObject {
        try DocumentObject(JSONValue(parsing: Array(text.utf8)), path: path)
    }

    @Test("reads members, keeps the value of a missing member, and goes into sections")
    func reading() throws {
        var object = try read(#"{"a": "x", "c": {"d": true}}"#)
        var a = ""
        var b = "kept"
        var d = false
        try object.read("a", into: &a, DocumentValue.string)
        try object.read("b", into: &b, DocumentValue.string)
        try object.section("c") { (section) throws(DocumentFailure) in
            try section.read("d", into: &d, DocumentValue.boolean)
        }
        try object.finish()
        #expect(a == "x" && b == "kept" && d)
    }

    @Test("names the path of an unknown key, and the nearest known one")
    func unknownKey() throws {
        var object = try read(#"{"valdateHost": true}"#, path: "policy")
        var flag = false
        try object.read("validateHost", into: &flag, DocumentValue.boolean)
        let failure = #expect(throws: DocumentFailure.self) { try object.finish() }
        #expect(failure?.path == "policy.valdateHost")
        #expect(failure?.remedy == "write “policy.validateHost”")
    }

    @Test("requires an object with its required members")
    func required() throws {
        #expect(throws: DocumentFailure.self) { try read("[]") }
        var object = try read("{}", path: "policy")
        let failure = #expect(throws: DocumentFailure.self) {
            try object.require("pins", DocumentValue.string)
        }
        #expect(failure?.description == "policy: expected the key “pins”, found none")
    }
}
