import PinholeFilter
import PinholeTestKit
import Testing

@Suite("Filter")
struct FilterTests {
    @Test("printed filters are parsed to the same filter", arguments: 0..<10)
    func roundTrip(seed: Int) throws {
        var filters = RandomFilter(seed: UInt64(seed))
        for _ in 0..<50 {
            let filter = filters.next()
            let text = filter.description
            let parsed = try Filter(text)
            #expect(parsed == filter, "\(text)")
            #expect(parsed.description == text)
        }
    }

    @Test("no text traps, and every failure points into it", arguments: 0..<10)
    func fuzz(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let pieces = [
            "~u", "~b ", "~c", "~", "(", ")", "&", "|", "!", "\"", "'", "\\", "[", "]", "{", "}", "*", "+",
            "?", "^", "$",
            ".", "status", "host", "header[", "size", "time", ">=", "==", "!=", "~ ", "contains ", "matches ",
            "1MB", "4xx",
            "-", "9", "99999999999999999999", " ", "\n", "\0", "é", "👩‍👩‍👧", "\u{301}", "a", "or ", "not ",
            "(?i)", "(?P<", "\\x",
            "{1000}", "@", "2026-01-31", "::1", "https://",
        ]
        for _ in 0..<200 {
            let count = Int.random(in: 0..<20, using: &random)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
                .joined()
            do throws(FilterFailure) {
                let filter = try Filter(text)
                #expect((try? Filter(filter.description)) == filter, "\(text.debugDescription)")
            } catch {
                #expect(
                    (1...text.unicodeScalars.count + 1).contains(error.column),
                    "\(text.debugDescription)"
                )
                #expect(error.excerpt.count == 2)
            }
        }
    }

    @Test("built values are canonical")
    func building() throws {
        let failed = FilterNode.flag(.failed)
        #expect(FilterNode.all(of: []) == .everything && FilterNode.any(of: []) == .not(.everything))
        #expect(FilterNode.all(of: [failed, .everything]) == failed)
        #expect(FilterNode.any(of: [failed, .everything]) == .everything)
        #expect(FilterNode.all(of: [failed, .all(of: [failed, failed])]) == .and([failed, failed, failed]))
        #expect(failed.negated.negated == failed)
        #expect(try Filter("~q").and(Filter("~e | ~s")).description == "unanswered & (failed | answered)")
        #expect(Filter.mitmproxyOperators.contains("hq") && !Filter.mitmproxyOperators.contains("udp"))
    }
}
