import PinholeFilter
import PinholeModel

/// Filters: how one is understood, and those that are saved under names.
extension ConsoleCall {
    private struct Saved: Encodable {
        struct Entry: Encodable {
            let name: String
            let text: String
            /// What it means once everything that it calls stands in it.
            let canonical: String
        }

        let filters: [Entry]
    }

    func savedFilters() throws -> ConsoleAnswer {
        let entries = api.subject.filters.saved().entries
        return .json(
            Saved(
                filters: entries.map {
                    Saved.Entry(name: $0.name, text: $0.text, canonical: $0.filter.description)
                }
            )
        )
    }

    /// What calls it follows at once.
    func saveFilter() async throws -> ConsoleAnswer {
        let members = try object()
        guard case .string(let text)? = members["text"], members.count == 1 else {
            throw Problem(400, "bad body", "expected {\"text\": \"status >= 500\"}")
        }
        if let problem = api.subject.filters.set(parameters.first ?? "", text) { throw problem }
        api.edits.append(.refiltered)
        return try savedFilters()
    }

    func removeFilter() async throws -> ConsoleAnswer {
        if let problem = api.subject.filters.set(parameters.first ?? "", nil) { throw problem }
        api.edits.append(.refiltered)
        return try savedFilters()
    }
}
