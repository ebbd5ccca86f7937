import PinholeFilter
import Testing

@Suite("FilterVocabulary")
struct FilterVocabularyTests {
    @Test("without one, names of hosts stay as they are and nothing is saved")
    func plain() throws {
        #expect(try Filter("host ~ *.example.com") == Filter("host ~ *.example.com", FilterVocabulary()))
        #expect(throws: FilterFailure.self) { try Filter("@errors", FilterVocabulary()) }
    }

    @Test("while saved filters are unknown, each name matches everything, and the rest is checked")
    func unknown() throws {
        let vocabulary = FilterVocabulary(saved: nil)
        #expect(try Filter("@errors & ~m post", vocabulary).description == "method matches post")
        #expect(try Filter("@errors", vocabulary) == .everything)
        #expect(throws: FilterFailure.self) { try Filter("@errors & stauts == 1", vocabulary) }
    }
}
