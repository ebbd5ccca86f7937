import PinholeModel
import Testing

@Suite("ExchangeNote")
struct ExchangeNoteTests {
    @Test("each note has a bit of its own, which a capture gives back")
    func bits() {
        #expect(NoteBits.notes(NoteBits.bits(ExchangeNote.allCases)) == ExchangeNote.allCases)
        for note in ExchangeNote.allCases { #expect(NoteBits.notes(NoteBits.bits([note])) == [note]) }
        #expect(NoteBits.notes(1 << 62).isEmpty, "a bit of a later version is left out")
    }

    @Test("each note about an answer names the rule that was broken")
    func rules() {
        #expect(
            ExchangeNote.sloppy
                == ExchangeNote.allCases.filter { $0.rawValue.hasPrefix("answer") && $0 != .answeredEarly }
        )
        for note in ExchangeNote.sloppy {
            #expect(note.explanation?.contains(/broke RFC 91\d\d §\d/) == true, "\(note)")
        }
    }
}
