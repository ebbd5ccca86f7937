import PinholeFilter
import PinholeRuntime
import PinholeStore

/// The text of a filter, as the API takes it.
enum ConsoleFilter {
    /// The exchanges and flows that a text means.
    ///
    /// - Parameter text: The filter; empty or `nil` for everything.
    /// - Returns: The filter.
    /// - Throws: ``Problem`` that says where it cannot be read.
    static func parse(_ text: String?) throws(Problem) -> TrafficFilter {
        TrafficFilter(try filter(text ?? ""))
    }

    /// The filter that a text says.
    static func filter(_ text: String) throws(Problem) -> Filter {
        do throws(FilterFailure) {
            return try Filter(text, hostNames: InternationalName.ascii)
        } catch {
            var problem = Problem(
                422,
                "filter not understood",
                "expected \(error.expected), found \(error.found)"
            )
            problem.column = error.column
            problem.remedy = error.remedy
            problem.suggestion = error.suggestion
            throw problem
        }
    }
}
