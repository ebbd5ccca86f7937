import PinholeFilter
import PinholeModel
package import PinholeSession
import PinholeStore

/// A request on its way to the function that answers it.
package struct ConsoleCall: Sendable {
    let api: ConsoleAPI
    /// The method, path, head and body as they came.
    package let request: ConsoleRequest
    /// The parts of the path that match the parts in braces of the route's pattern.
    package let parameters: [String]
    /// The body that the operation reads, as the route declares it; `nil` for none.
    let body: ConsoleContent?

    /// Returns the number in the path.
    package func id() throws(Problem) -> Int64 {
        let text = parameters.first ?? ""
        guard let id = Int64(text), id > 0 else { throw Problem.bad("id", expected: "a number", found: text) }
        return id
    }

    /// Returns an integer parameter of the query.
    func number(_ name: String, default value: Int64, in range: ClosedRange<Int64>) throws(Problem) -> Int64 {
        guard let text = request.value(name) else { return value }
        guard let number = Int64(text), range.contains(number) else {
            throw Problem.bad(name, expected: "\(range.lowerBound) to \(range.upperBound)", found: text)
        }
        return number
    }

    /// Returns whether a flag of the query is set.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch request.value(name) {
        case nil, "0", "false": return false
        case "1", "true", "": return true
        case let text?: throw Problem.bad(name, expected: "1 or 0", found: text)
        }
    }

    /// Returns the numbers of the parameter `ids`; `nil` if it is absent.
    func ids() throws(Problem) -> [Int64]? {
        guard let text = request.value("ids") else { return nil }
        let parts = text.split(separator: ",")
        guard parts.count <= api.limits.page else {
            throw Problem.bad("ids", expected: "at most \(api.limits.page) numbers", found: "\(parts.count)")
        }
        var ids: [Int64] = []
        for part in parts {
            guard let id = Int64(part), id > 0, FieldRange.ids.contains(id) else {
                throw Problem.bad("ids", expected: "numbers between commas", found: String(part))
            }
            ids.append(id)
        }
        return ids
    }

    /// Whether the query examines exchanges one by one, because SQL cannot decide its filter, its order needs heads,
    /// or it counts them.
    var isSearch: Bool {
        if (try? sort())?.key.asksForHeads == true || grouping != nil || request.path.last == "comparison" {
            return true
        }
        guard let filter = try? condition(request.value("filter")) else { return false }
        return FilterPlan.exchanges(filter).rest != nil
    }

    /// Returns the filter of the query.
    func filter() throws(Problem) -> TrafficFilter { TrafficFilter(try condition(request.value("filter"))) }

    /// Parses a text as a filter; `nil` and the empty text select everything.
    func condition(_ text: String?) throws(Problem) -> Filter {
        try ConsoleFilter.read(text ?? "", api.savedFilters)
    }

    /// Returns the order of the query; `nil` if the query has none.
    func sort() throws(Problem) -> TrafficSort? {
        let orders = ["ascending", "descending"]
        let order = request.value("order")
        if let order, !orders.contains(order) {
            throw Problem.bad("order", expected: "ascending or descending", found: order)
        }
        guard let text = request.value("sort") else {
            guard order == nil else {
                throw Problem.bad("order", expected: "sort beside it", instead: "it alone")
            }
            return nil
        }
        guard let key = TrafficSort.Key(rawValue: text) else {
            let known = TrafficSort.Key.allCases.map(\.rawValue)
            var problem = Problem.bad("sort", expected: known.joined(separator: ", "), found: text)
            problem.suggestion = EditDistance.nearest(to: text, in: known)
            problem.remedy = problem.suggestion.map(Remedy.write)
            throw problem
        }
        return TrafficSort(key, isDescending: order == orders[1])
    }

    /// Returns the body as a JSON object, without members that the route does not declare.
    func object() throws(Problem) -> [String: JSONValue] { try request.object(body?.members()) }

    /// Returns the body as the members that a type declares.
    func order<Order: Decodable>(_ type: Order.Type = Order.self) throws(Problem) -> Order {
        try (request.body.isEmpty ? [:] : try object()).order(type)
    }

    func control() throws(Problem) -> any LocalProxyControl {
        guard let control = api.subject.control else { throw Problem.noProxy }
        return control
    }
}
