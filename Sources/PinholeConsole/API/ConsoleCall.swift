import PinholeFilter
import PinholeModel
import PinholeStore

/// A request on its way to what answers it.
struct ConsoleCall: Sendable {
    let api: ConsoleAPI
    let request: ConsoleRequest
    /// What stands for the parts of the pattern in braces.
    let parameters: [String]

    /// The number in the path.
    func id() throws(Problem) -> Int64 {
        let text = parameters.first ?? ""
        guard let id = Int64(text), id > 0 else { throw Problem.bad("id", expected: "a number", found: text) }
        return id
    }

    /// A whole number of the query.
    func number(_ name: String, default value: Int64, in range: ClosedRange<Int64>) throws(Problem) -> Int64 {
        guard let text = request.value(name) else { return value }
        guard let number = Int64(text), range.contains(number) else {
            throw Problem.bad(name, expected: "\(range.lowerBound) to \(range.upperBound)", found: text)
        }
        return number
    }

    /// Whether a flag of the query is set.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch request.value(name) {
        case nil, "0", "false": return false
        case "1", "true", "": return true
        case let text?: throw Problem.bad(name, expected: "1 or 0", found: text)
        }
    }

    /// The numbers of `ids`; `nil` where it is not there.
    func ids() throws(Problem) -> [Int64]? {
        guard let text = request.value("ids") else { return nil }
        let parts = text.split(separator: ",")
        guard parts.count <= api.limits.page else {
            throw Problem.bad("ids", expected: "at most \(api.limits.page) numbers", found: "\(parts.count)")
        }
        var ids: [Int64] = []
        for part in parts {
            guard let id = Int64(part), id > 0 else {
                throw Problem.bad("ids", expected: "numbers between commas", found: String(part))
            }
            ids.append(id)
        }
        return ids
    }

    /// Whether its filter asks for what SQL cannot decide, or its order for heads, so that exchanges are looked into one
    /// by one.
    var isSearch: Bool {
        if (try? sort())?.key.asksForHeads == true { return true }
        guard let filter = try? condition(request.value("filter")) else { return false }
        return FilterPlan.exchanges(filter).rest != nil
    }

    /// The filter of the query.
    func filter() throws(Problem) -> TrafficFilter { TrafficFilter(try condition(request.value("filter"))) }

    /// What a text means; `nil` and the empty one mean everything.
    func condition(_ text: String?) throws(Problem) -> Filter {
        try ConsoleFilter.read(text ?? "", api.subject.filters.saved())
    }

    /// The order of the query; `nil` where it says none.
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

    /// The body as an object of JSON.
    func object() throws(Problem) -> [String: JSONValue] {
        let value: JSONValue
        do throws(DocumentFailure) {
            value = try JSONValue(parsing: request.body)
        } catch {
            throw Problem(400, "bad body", "the body: \(error)")
        }
        guard case .object(let members) = value else {
            throw Problem(400, "bad body", "expected an object of JSON, found \(value.summary.prefix(80))")
        }
        return members
    }

    /// What has the number is not there.
    func missing(_ id: Int64) -> Problem {
        Problem(404, "not found", "nothing has the number \(id) (any more)")
    }
}
