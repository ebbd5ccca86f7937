import PinholeModel
import Testing

@Suite("DocumentValue")
struct DocumentValueTests {
    enum Scope: String, CaseIterable {
        case leaf
        case chain
    }

    enum Planet: String, CaseIterable {
        case mercury, venus, earth, mars, jupiter, saturn, uranus, neptune
    }

    @Test("reads the supported forms")
    func values() throws {
        #expect(try DocumentValue.string(.string(""), "p").isEmpty)
        #expect(try DocumentValue.boolean(.boolean(true), "p"))
        #expect(try DocumentValue.integer(in: 0...5)(.integer(5), "p") == 5)
        #expect(try DocumentValue.seconds(in: 0...5)(.number(1.5), "p") == .milliseconds(1500))
        #expect(try DocumentValue.optional(DocumentValue.string)(.null, "p") == nil)
        #expect(try DocumentValue.list(DocumentValue.string)(.array([.string("a")]), "p") == ["a"])
        #expect(try DocumentValue.choice(Scope.self)(.string("chain"), "p") == .chain)
    }

    @Test("names the expected value, the found one, and the place")
    func failures() {
        func text(_ read: () throws(DocumentFailure) -> Void) -> String? {
            #expect(throws: DocumentFailure.self) { try read() }?.description
        }
        #expect(
            text { () throws(DocumentFailure) in _ = try DocumentValue.word(.string(""), "a.b") }
                == "a.b: expected a text that is not empty, found “”"
        )
        #expect(
            text { () throws(DocumentFailure) in
                _ = try DocumentValue.choice(Scope.self)(.integer(3), "scope")
            } == "scope: expected “leaf” or “chain”, found 3"
        )
        #expect(
            text { () throws(DocumentFailure) in
                _ = try DocumentValue.choice(Planet.self)(.string("marz"), "home")
            }
                == "home: expected “mercury” or “venus” or “earth” or “mars” or “jupiter” or “saturn” or one of 2 more, "
                + "found “marz”; to fix it: write “mars”"
        )
        #expect(
            text { () throws(DocumentFailure) in
                _ = try DocumentValue.list(DocumentValue.string)(.array([.string("a"), .null]), "pins")
            } == "pins[1]: expected a text in quotes, found null"
        )
        #expect(
            text { () throws(DocumentFailure) in
                _ = try DocumentValue.list(DocumentValue.string)(.string("*.a.test"), "hosts")
            }
                == "hosts: expected a list […], found “*.a.test”; to fix it: put it in brackets: [\"*.a.test\"]"
        )
    }
}
