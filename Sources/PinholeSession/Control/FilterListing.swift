package import PinholeFilter
import PinholeRuntime

/// The filters that are saved under names.
package struct FilterListing: Sendable, Codable {
    /// A saved filter.
    struct Entry: Sendable, Codable {
        let name: String
        let text: String
        /// The filter's canonical text, with all filters that it refers to expanded.
        let canonical: String
    }

    let filters: [Entry]

    /// Lists filters.
    package init(_ saved: SavedFilters) {
        filters = saved.entries.map { Entry(name: $0.name, text: $0.text, canonical: $0.filter.description) }
    }

    /// The filters for a vocabulary; none if one of them cannot be read.
    package var saved: SavedFilters {
        let texts = Dictionary(filters.map { ($0.name, $0.text) }) { first, _ in first }
        return (try? SavedFilters(texts, hostNames: InternationalName.ascii)) ?? SavedFilters()
    }
}
