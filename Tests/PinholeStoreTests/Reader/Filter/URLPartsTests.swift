import Foundation
import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("URLParts")
struct URLPartsTests {
    private static let authorities = ["a.test:443", "api.test:8443", "[2001:db8::1]:443", "items:443"]
    private static let paths = ["/", "*", "/items/77?a=/b", "/a%20b_c\\d'e", "/Api/x//y", "/test:8443/*"]

    /// A capture of every authority with every path, with and without TLS; and the URLs of its exchanges.
    private func capture(_ scratch: ScratchDirectory) throws -> [ExchangeID: String] {
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        var urls: [ExchangeID: String] = [:]
        for authority in Self.authorities {
            for path in Self.paths {
                for scheme in [Scheme.http, .https] {
                    let id = store.nextID()
                    var record = try ExchangeRecord.sample(id, path: path)
                    record.authority = try Authority(authority)
                    record.scheme = scheme
                    store.record([.exchange(record)])
                    urls[record.id] = record.url
                }
            }
        }
        store.close()
        return urls
    }

    @Test("every piece of a URL is found where it is, and nowhere else")
    func pieces() throws {
        let scratch = try ScratchDirectory()
        let urls = try capture(scratch)
        let reader = try CaptureReader(path: scratch.capture)
        var texts: Set<String> = [
            "nothing", "/nothing", "/nothing/else", "no/thing", "s/", "p://a", "//items", "a.test/*",
        ]
        for url in Set(urls.values) {
            let characters = Array(url)
            for length in [1, 2, 3, 5, 8, 13] where length <= characters.count {
                for start in 0...(characters.count - length) {
                    texts.insert(String(characters[start..<start + length]))
                }
            }
        }
        for text in texts {
            let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let meant = Set(urls.filter { $0.value.lowercased().contains(text.lowercased()) }.keys)
            for (isNegated, expected) in [(false, meant), (true, Set(urls.keys).subtracting(meant))] {
                let filter = try Filter("\(isNegated ? "!" : "")(url contains \"\(quoted)\")")
                let found = try reader.exchanges(ExchangeFilter(filter), limit: 1000).map(\.id)
                #expect(Set(found) == expected, "\(filter): \(FilterPlan.exchanges(filter).sql)")
            }
        }
    }

    @Test("a text that no host can have is looked for in the path alone")
    func pathAlone() {
        let parts = URLParts(authority: "authority", path: "path")
        #expect(parts.contains("a=b")?.sql == "(path LIKE ?)")
        #expect(parts.contains("50%")?.sql == #"(path LIKE ? ESCAPE '\')"#)
        #expect(parts.contains("teapot")?.sql == "(path LIKE ? OR authority LIKE ?)")
        #expect(parts.contains("https://a") == nil && parts.contains("ttp") == nil)
    }
}
