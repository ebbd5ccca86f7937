import PinholeFilter
import PinholeModel
import PinholeSession

/// Requests for the filters that are saved under names.
extension ConsoleCall {
    func savedFilters() throws -> ConsoleAnswer { .json(FilterListing(api.savedFilters)) }

    /// Saves a filter under a name; the filters that refer to the name follow at once.
    func saveFilter() async throws -> ConsoleAnswer {
        try await api.saveFilter(parameters.first ?? "", try order(FilterOrder.self).text)
        return try savedFilters()
    }

    func removeFilter() async throws -> ConsoleAnswer {
        try await api.saveFilter(parameters.first ?? "", nil)
        return try savedFilters()
    }
}

/// The meaning of a filter.
struct UnderstoodFilter: Codable, DescribedMembers {
    static let described = [FieldJSON("remarks", "Meanings that the user may not have intended.")]

    let canonical: String
    let isSQL: Bool
    let remarks: [String]
}

/// The reason why a text is no filter.
struct MistakenFilter: Codable {
    let problem: Problem.Document
}

/// A filter that is similar to one without matches; no member if there is none.
struct SuggestedFilter: Codable {
    struct Suggestion: Codable, DescribedMembers {
        static let described = [FieldJSON("isWhole", "Whether all were counted, or there may be more.")]

        let filter: String
        let entries: Int
        let isWhole: Bool
    }

    let suggestion: Suggestion?
}
