import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeFilter

@Suite("Search for a sequence")
struct SequenceSearchTests {
    @Test("is made for words, sets and groups, and for nothing that repeats, chooses or asserts")
    func patterns() throws {
        for pattern in ["a", "needle", "pass[wp]ord", "(a)(b)", "\\x00\\d"] {
            #expect(SequenceSearch(try Pattern(pattern).program) != nil, "\(pattern)")
        }
        for pattern in ["", "a*", "a|b", "^a", "a\\b", "colou?r"] {
            #expect(SequenceSearch(try Pattern(pattern).program) == nil, "\(pattern)")
        }
        #expect(SequenceSearch([UInt8]()) == nil)
    }

    @Test("finds a text at each place, in any case, and none that is cut off")
    func places() throws {
        let search = try #require(SequenceSearch(Array("Needle".utf8)))
        for place in 0...40 {
            let text = [UInt8](repeating: 0x65, count: place) + Array("nEEDLe".utf8)
            #expect(search.isFound(in: text))
            #expect(search.isFound(in: text + text))
            #expect(!search.isFound(in: text.dropLast()))
        }
        #expect(!search.isFound(in: []))
    }

    @Test("agrees with a comparison at each place", arguments: 0..<20)
    func definition(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let letters = Array("abAB-".utf8)
        for _ in 0..<200 {
            let length = Int.random(in: 1...4, using: &random)
            let sought = (0..<length).map { _ in letters[Int.random(in: 0..<5, using: &random)] }
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                letters[Int.random(in: 0..<5, using: &random)]
            }
            let search = try #require(SequenceSearch(sought))
            #expect(search.isFound(in: text) == CaseFolding.contains(text, sought))
        }
    }
}
