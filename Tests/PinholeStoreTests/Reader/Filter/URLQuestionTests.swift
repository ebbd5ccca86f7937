import Foundation
import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("URLQuestion")
struct URLQuestionTests {
    private static let authorities = [
        "a.test:443", "api.test:80", "api.test:8443", "[2001:db8::1]:443", "items:443",
        "xn--bcher-kva.test:443",
    ]
    private static let paths = [
        "/", "*", "/items/77?a=/b", "/a%20b_c\\d'e", "/Api/x//y", "/test:8443/*", "/é://",
    ]

    /// A capture of every authority with every path, with and without TLS, so that neighbours in it differ in
    /// all of these by turns; and the URLs of its exchanges.
    private func capture(_ scratch: ScratchDirectory) throws -> [ExchangeID: String] {
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        var urls: [ExchangeID: String] = [:]
        func record(_ authority: String, _ path: String, _ scheme: Scheme) throws {
            let id = store.nextID()
            var record = try ExchangeRecord.sample(id, path: path)
            record.authority = try Authority(authority)
            record.scheme = scheme
            store.record([.exchange(record)])
            urls[record.id] = record.url
        }
        for authority in Self.authorities {
            for path in Self.paths {
                for scheme in [Scheme.http, .https] { try record(authority, path, scheme) }
            }
        }
        for path in Self.paths {
            for authority in Self.authorities { try record(authority, path, .https) }
        }
        store.close()
        return urls
    }

    /// Pieces of the URLs, and texts that are nearly in some.
    private func texts(_ urls: some Sequence<String>) -> Set<String> {
        var texts: Set<String> = [
            "nothing", "/nothing", "/nothing/else", "no/thing", "s/", "p://a", "//items", "a.test/*", ":443/",
            "://ap",
            "a.test:8443/it", "http://a.test", "API.TEST/", "xyz://items/", ":", "/", "*", "t*", "s://items",
        ]
        for url in Set(urls) {
            let characters = Array(url)
            for length in [1, 3, 9] where length <= characters.count {
                for start in 0...(characters.count - length) {
                    texts.insert(String(characters[start..<start + length]))
                }
            }
            texts.formUnion([url, "\(url)x", "x\(url)", String(url.dropFirst()), String(url.dropLast())])
        }
        return texts
    }

    @Test("every piece of a URL is found where it is, and nowhere else, by SQL alone")
    func pieces() throws {
        let scratch = try ScratchDirectory()
        let urls = try capture(scratch)
        let reader = try CaptureReader(path: scratch.capture)
        let ways: [(String, (_ url: String, _ text: String) -> Bool)] = [
            ("contains", { $0.contains($1) }), ("startswith", { $0.hasPrefix($1) }),
            ("endswith", { $0.hasSuffix($1) }), ("==", { $0 == $1 }),
        ]
        let lower = urls.mapValues { $0.lowercased() }
        for text in texts(urls.values) {
            let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let wanted = text.lowercased()
            for (way, holds) in ways {
                let meant = Set(lower.filter { holds($0.value, wanted) }.keys)
                // Every other one is asked whether it does not hold.
                let isNegated = text.utf8.count.isMultiple(of: 2)
                let filter = try Filter("\(isNegated ? "!" : "")(url \(way) \"\(quoted)\")")
                #expect(FilterPlan.exchanges(filter).rest == nil)
                let found = try reader.exchanges(ExchangeFilter(filter), limit: 1000).map(\.id)
                #expect(Set(found) == (isNegated ? Set(urls.keys).subtracting(meant) : meant), "\(filter)")
            }
        }
    }

    @Test(
        "globs, expressions and other conditions can be combined with it",
        arguments: [
            "url ~ https://*/items/*", "url ~ *:8443/*", "url ~ *", "url ~ https://a.test", "url ~ *test*77*",
            "!(url ~ *API*)", "url matches '^https://a'", "url matches ':8443/.t'",
            "url matches 'tems/[0-9]+'",
            "url contains nothing | host ~ items", "url contains nothing | !(url contains s:)",
            "!(url contains nothing) & url contains api & url contains x",
            "url == https://items/ | url contains é",
            "url contains nothing | host ~ xn--bcher-kva.test", "url contains bcher-kva.test/i",
        ]
    )
    func others(_ text: String) throws {
        let scratch = try ScratchDirectory()
        _ = try capture(scratch)
        let reader = try CaptureReader(path: scratch.capture)
        let filter = try Filter(text)
        var judge = FilterJudge(filter)
        let all = try reader.exchanges(limit: 1000)
        let meant = all.filter { summary in
            var facts = RecordFacts(exchange: summary, flow: nil)
            return judge.judge(&facts) == .yes
        }
        let found = try reader.exchanges(ExchangeFilter(filter), limit: 1000)
        #expect(found.map(\.id) == meant.map(\.id), "\(FilterPlan.exchanges(filter).sql)")
        #expect(!meant.isEmpty)
    }
}
