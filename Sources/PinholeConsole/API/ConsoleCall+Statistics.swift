import PinholeFormats
import PinholeSession
import PinholeStore

/// Counts, bytes and times of the exchanges that a filter selects, by one of their facts.
extension ConsoleCall {
    /// The fact by which the query groups exchanges; `nil` if it asks for no statistics.
    var grouping: ExchangeGroups.Key? { request.value("by").flatMap(ExchangeGroups.Key.init) }

    func statistics(_ reader: CaptureReader) throws -> ConsoleAnswer {
        guard let grouping else {
            let names = ExchangeGroups.Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.bad("by", expected: names, found: request.value("by") ?? "")
        }
        let found = try ExchangeGroups(by: grouping, try condition(request.value("filter")), reader)
        let groups = found.groups.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        return .json(
            ExchangeStatistics(
                groups: groups.map { ExchangeGroupJSON($0, by: grouping) },
                all: ExchangeGroupJSON(found.all, by: nil)
            )
        )
    }
}

/// The groups of exchanges.
struct ExchangeStatistics: Codable {
    let groups: [ExchangeGroupJSON]
    let all: ExchangeGroupJSON
}
