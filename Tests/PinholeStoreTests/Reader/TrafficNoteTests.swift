import Testing

@testable import PinholeStore

@Suite("Notes of users and agents")
struct TrafficNoteTests {
    @Test("a missing part stays, and an empty comment removes the comment")
    func takes() {
        var note = TrafficNote()
        note.take(isMarked: true, comment: "seen")
        #expect(note.isMarked && note.comment == "seen")
        note.take(isMarked: nil, comment: "")
        #expect(note.isMarked && note.comment == nil)
        note.take(isMarked: false, comment: nil)
        #expect(note == TrafficNote())
    }
}
