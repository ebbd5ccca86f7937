import PinholeFilter
import PinholeModel
import PinholeRuntime

/// The pattern of a rule on a command line: a part of a URL with `*`, or a filter.
///
/// ```
/// *                                   every exchange
/// /users/*      /search?q=*           a path, with its query
/// api.test      *.api.test:8443       a host, with its port
/// api.test/users/*                    both
/// https://api.test/users/*            with the scheme
/// 'method == POST & path ~ /users*'   a filter (docs/FILTERS.md)
/// ```
struct RulePattern {
    /// The filter as config.json has it; `nil` for every exchange.
    let filter: String?
    /// The path without its last `/*`, or the whole path without `*`; `nil` if the pattern has no such path.
    let prefix: String?

    /// Characters that only filters have.
    private static let ofFilters = Set(" \t&|!()~=<>\"'@")

    /// Reads a pattern.
    ///
    /// - Throws: ``DocumentFailure`` if the pattern is neither a part of a URL nor a filter.
    init(_ text: String) throws(DocumentFailure) {
        guard text != "*", text != "all" else {
            (filter, prefix) = (nil, nil)
            return
        }
        let isFilter =
            text.contains { Self.ofFilters.contains($0) } && !text.hasPrefix("/") && !Self.isURL(text)
        guard !isFilter, FilterFlag(rawValue: text) == nil else {
            (filter, prefix) = (text, nil)
            return
        }
        var nodes: [FilterNode] = []
        var rest = text[...]
        if let end = text.firstRange(of: "://") {
            nodes.append(.text(.scheme, .equal(String(text[..<end.lowerBound]))))
            rest = text[end.upperBound...]
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        if !authority.isEmpty {
            do throws(AddressFailure) {
                nodes.append(.host(try HostPattern(InternationalName.ascii(String(authority)))))
            } catch {
                throw DocumentFailure(
                    path: "",
                    expected: "a pattern such as /users/*, api.test/users/*, or a filter in quotes",
                    found: "“\(text)”"
                )
            }
        }
        let target = rest.dropFirst(authority.count)
        let path = String(target.prefix { $0 != "?" })
        if !path.isEmpty { nodes.append(Self.test(.path, path)) }
        if target.contains("?") { nodes.append(Self.test(.query, String(target.dropFirst(path.count + 1)))) }
        filter = "\(Filter(.all(of: nodes)))"
        let stem = path.hasSuffix("/*") ? String(path.dropLast(2)) : path
        prefix = stem.contains("*") || path.isEmpty ? nil : stem.isEmpty ? "/" : stem
    }

    private static func isURL(_ text: String) -> Bool {
        text.firstRange(of: "://").map { text[..<$0.lowerBound].allSatisfy(\.isLetter) } ?? false
    }

    private static func test(_ field: TextField, _ text: String) -> FilterNode {
        .text(field, text.contains("*") ? .glob(text) : .equal(text))
    }
}
