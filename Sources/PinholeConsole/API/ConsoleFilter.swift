package import PinholeFilter
import PinholeRuntime

/// The text of a filter, as the API takes it.
enum ConsoleFilter {
    /// The filter that a text says.
    ///
    /// - Parameters:
    ///   - text: The filter; empty for everything.
    ///   - saved: The filters that it may call.
    /// - Returns: The filter.
    /// - Throws: ``Problem`` that says where it cannot be read.
    static func read(_ text: String, _ saved: SavedFilters) throws(Problem) -> Filter {
        do throws(FilterFailure) {
            return try Filter(text, FilterVocabulary(hostNames: InternationalName.ascii, saved: saved))
        } catch {
            throw problem(error)
        }
    }

    /// Where a text cannot be read, and why.
    static func problem(_ failure: FilterFailure) -> Problem {
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
    /// The filters with another one under a name.
    ///
    /// - Parameters:
    ///   - name: The name, in any case.
    ///   - text: The filter; `nil` to remove the one that has the name.
    /// - Returns: The filters as they are then.
    /// - Throws: ``Problem`` where that is no name or no filter, others call it, or there is none to remove.
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
