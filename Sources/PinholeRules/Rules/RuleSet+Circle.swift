import PinholeFilter
import PinholeModel

extension RuleSet {
    /// Remarks about a redirection that leads a client back to itself.
    ///
    /// The check follows only fixed locations, and only through rules whose filters name just a host and a
    /// path: there the result is certain.
    func circle(from index: Int) -> [String] {
        guard var request = Request(meantBy: rules[index].filter), answering(request) == index else {
            return []
        }
        var way = [index]
        while let location = way.last.flatMap({ rules[$0].redirectedPlace }) {
            guard request.follow(location) else { return [] }
            guard let next = answering(request) else { return [] }
            if next == index {
                return [Self.circle(way.dropFirst().map { "rules[\($0)] “\(rules[$0].name)”" })]
            }
            // A circle of other rules is reported for those rules.
            guard !way.contains(next) else { return [] }
            way.append(next)
        }
        return []
    }

    private static func circle(_ way: [String]) -> String {
        way.isEmpty
            ? "it redirects to what it redirects itself, for ever"
            : "it redirects in a circle, by way of \(way.joined(separator: ", "))"
    }

    /// The rule that answers `request`; `nil` if that is uncertain.
    private func answering(_ request: Request) -> Int? {
        for index in rules.indices where rules[index].isEnabled && rules[index].action.kind.answers {
            guard let isMeant = request.isMeant(by: rules[index].filter) else { return nil }
            if isMeant { return rules[index].mayDecline ? nil : index }
        }
        return nil
    }

    /// The parts of a request that matter here.
    private struct Request {
        var host: String?
        var path: String

        /// Creates a request that `filter` matches; `nil` if the filter needs more than a host and a path.
        init?(meantBy filter: Filter) {
            path = "/"
            for node in filter.root.conjuncts {
                switch node {
                case .everything: break
                case .text(.host, .equal(let name)): host = name
                case .text(.path, .equal(let path)): self.path = path
                default: return nil
                }
            }
        }

        /// Follows a location (RFC 9110 §10.2.2); `false` if it may lead elsewhere.
        mutating func follow(_ location: Substring) -> Bool {
            if location.hasPrefix("/"), !location.hasPrefix("//") {
                path = String(location)
                return true
            }
            let url = location.hasPrefix("//") ? "http:\(location)" : String(location)
            guard let request = RuleRequest(url: url) else { return false }
            host = request.authority.host.description
            path = request.path
            return true
        }

        /// Whether `filter` matches the request; `nil` if that is unknown.
        func isMeant(by filter: Filter) -> Bool? {
            var isCertain = true
            for node in filter.root.conjuncts {
                switch node {
                case .everything: break
                case .text(.path, .equal(let path)):
                    if !CaseFolding.isEqual(Array(self.path.utf8), Array(path.utf8)) { return false }
                case .text(.host, .equal(let name)):
                    guard let host else {
                        isCertain = false
                        break
                    }
                    if !CaseFolding.isEqual(Array(host.utf8), Array(name.utf8)) { return false }
                default: isCertain = false
                }
            }
            return isCertain ? true : nil
        }
    }
}

extension Rule {
    /// The fixed location of a redirection, without a query; `nil` for other rules.
    fileprivate var redirectedPlace: Substring? {
        guard case .redirect(let redirection) = action, redirection.substitution == nil else { return nil }
        return redirection.location.prefix { $0 != "?" && $0 != "#" }
    }
}
