package import PinholeFilter
import PinholeRuntime

/// Parsing of filters that the API receives.
package enum ConsoleFilter {
    /// Parses a text as a filter.
    ///
    /// - Parameters:
    ///   - text: The filter; empty for everything.
    ///   - saved: The saved filters that the text may refer to.
    /// - Returns: The filter.
    /// - Throws: ``Problem`` that says where the text cannot be parsed.
    package static func read(_ text: String, _ saved: SavedFilters) throws(Problem) -> Filter {
        do throws(FilterFailure) {
            return try Filter(text, FilterVocabulary(hostNames: InternationalName.ascii, saved: saved))
        } catch {
            throw problem(error)
        }
    }

    /// Returns the problem of a text that is not a filter: the place and the reason.
    package static func problem(_ failure: FilterFailure) -> Problem {
        var problem = Problem(
            422,
            "filter not understood",
            "expected \(failure.expected), found \(failure.found)"
        )
        problem.column = failure.column
        problem.remedy = failure.remedy
        problem.suggestion = failure.suggestion
        return problem
    }
}

extension SavedFilters {
    /// Returns the filters after one filter is saved or removed.
    ///
    /// - Parameters:
    ///   - name: The name, in any case.
    ///   - text: The filter; `nil` to remove the filter with this name.
    /// - Returns: The new filters.
    /// - Throws: ``Problem`` if the name or the filter is invalid, if other filters refer to a removed one, or if no
    ///   filter has the name.
    package func setting(_ name: String, to text: String?) throws(Problem) -> SavedFilters {
        var texts = Dictionary(entries.map { ($0.name, $0.text) }) { first, _ in first }
        let old = self[name]?.name
        if let old { texts[old] = nil }
        if let text {
            texts[name] = text
        } else if old == nil {
            throw Problem(404, "not found", "no filter is saved as @\(name.prefix(80))")
        }
        do throws(Failure) {
            return try SavedFilters(texts, hostNames: InternationalName.ascii)
        } catch {
            if error.name.lowercased() == name.lowercased() {
                if let cause = error.cause { throw ConsoleFilter.problem(cause) }
                throw Problem(422, "filter cannot be saved", error.description)
            }
            throw Problem(
                409,
                "filter in use",
                "@\(error.name) calls @\(name), and could not any more: \(error.cause?.message ?? error.description)",
                remedy: "change @\(error.name) first"
            )
        }
    }
}
