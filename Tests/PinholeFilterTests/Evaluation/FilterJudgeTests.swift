import PinholeFilter
import PinholeModel
import Testing

@Suite("Filter judge")
struct FilterJudgeTests {
    /// Facts that are made up.
    private struct Facts: FilterFacts {
        var flags: [FilterFlag: Truth] = [:]
        var texts: [TextField: TextFacts] = [:]
        var numbers: [NumberField: NumberFact] = [:]
        var asked: [FactSource] = []

        mutating func truth(of flag: FilterFlag) -> Truth {
            asked.append(flag.source)
            return flags[flag] ?? .no
        }

        mutating func texts(of field: TextField) -> TextFacts {
            asked.append(field.source)
            return texts[field] ?? TextFacts([])
        }

        mutating func number(of field: NumberField) -> NumberFact {
            asked.append(.summary)
            return numbers[field] ?? .absent
        }
    }

    private static func truth(_ filter: String, _ facts: Facts) throws -> Truth {
        var judge = FilterJudge(try Filter(filter))
        var facts = facts
        return judge.judge(&facts)
    }

    @Test(
        "an unknown fact is neither true nor false",
        arguments: [
            ("status >= 400", Truth.open), ("!(status >= 400)", .open), ("failed", .no),
            ("status >= 400 & failed", .no),
            ("status >= 400 | failed", .open), ("status >= 400 | https", .yes),
            ("status >= 400 & https", .open),
            ("status != 200", .open), ("duration > 1s", .no), ("duration != 1s", .yes), ("all", .yes),
            ("!all", .no),
            // What grows is known as far as it has grown.
            ("size > 10", .yes), ("size > 100", .open), ("size < 10", .no), ("size < 100", .open),
            ("size == 10", .no),
            ("size == 50", .open), ("size != 10", .yes), ("size <= 50", .open), ("size >= 50", .yes),
            ("body contains a", .yes), ("body contains b", .open), ("!(body contains b)", .open),
            ("header[x] == a", .no), ("header[x] != a", .yes),
        ]
    )
    func threeValues(_ filter: String, _ expected: Truth) throws {
        var facts = Facts()
        facts.flags = [.https: .yes]
        facts.numbers = [.status: .open, .size: .growing(50), .duration: .absent]
        facts.texts = [.body(.either): TextFacts([Array("xay".utf8)], isComplete: false)]
        #expect(try Self.truth(filter, facts) == expected)
    }

    @Test(
        "texts are compared as a whole or in parts, in any case",
        arguments: [
            ("url == 'ABC/d'", true), ("url == abc", false), ("url contains BC/", true),
            ("url contains ''", true),
            ("url startswith Ab", true), ("url startswith abcd/e", false), ("url endswith /D", true),
            ("url ~ a*d", true),
            ("url ~ a*c", false), ("url ~ *", true), ("url !~ *x*", true), ("url matches ^a.*d$", true),
            ("C/D", true),
            ("url contains abc/de", false),
        ]
    )
    func texts(_ filter: String, _ expected: Bool) throws {
        var facts = Facts()
        facts.texts = [.url: TextFacts("aBc/d")]
        #expect(try Self.truth(filter, facts) == Truth(expected))
    }

    private func expect(_ judge: inout FilterJudge, _ facts: inout Facts, _ expected: Truth) {
        let truth = judge.judge(&facts)
        #expect(truth == expected)
    }

    @Test("hosts are matched with their ports")
    func hosts() throws {
        var facts = Facts()
        facts.texts = [.host: TextFacts("api.example.com")]
        facts.numbers = [.port: .known(8443)]
        var judge = FilterJudge(try Filter("host ~ *.example.com:8443 & host !~ *:443"))
        for _ in 0..<2 { expect(&judge, &facts, .yes) }
        facts.numbers = [.port: .known(443)]
        expect(&judge, &facts, .no)
        facts.texts = [.host: TextFacts([], isComplete: false)]
        expect(&judge, &facts, .open)
    }

    @Test("expressions are looked for in so much of a text as is allowed")
    func textLimit() throws {
        var facts = Facts()
        facts.texts = [.url: TextFacts("abcdef")]
        var judge = FilterJudge(try Filter("~u cd"), textLimit: 4)
        expect(&judge, &facts, .yes)
        judge = FilterJudge(try Filter("~u cd"), textLimit: 3)
        expect(&judge, &facts, .no)
    }

    @Test("cheap facts are read first, and only as many as needed")
    func order() throws {
        var facts = Facts()
        var judge = FilterJudge(try Filter("~b a & header[x] == 1 & pinned & failed"))
        expect(&judge, &facts, .no)
        #expect(facts.asked == [.summary])
        facts = Facts()
        facts.flags = [.failed: .yes, .pinned: .yes]
        expect(&judge, &facts, .no)
        #expect(facts.asked == [.summary, .flow, .heads])
    }
}
