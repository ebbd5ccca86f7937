import PinholeStore

/// The text of a filter, as the API takes it.
///
/// What it says is decided here and nowhere else.
enum ConsoleFilter {
    /// Characters that a filter may have.
    private static let most = 4096

    /// The exchanges and flows that a text means: those whose URL, or host and port, contain it.
    ///
    /// - Parameter text: The text; empty or `nil` for everything.
    /// - Returns: The filter.
    /// - Throws: ``Problem`` that says where it cannot be read.
    static func parse(_ text: String?) throws(Problem) -> TrafficFilter {
        var filter = TrafficFilter()
        let canonical = try canonical(text ?? "")
        guard !canonical.isEmpty else { return filter }
        filter.exchanges.text = canonical
        filter.flows?.text = canonical
        return filter
    }

    /// The text as it is understood.
    static func canonical(_ text: String) throws(Problem) -> String {
        if text.count > most {
            throw failure("expected at most \(most) characters, found \(text.count)", column: most + 1)
        }
        if let index = text.unicodeScalars.firstIndex(where: { $0.value < 0x20 || $0.value == 0x7f }) {
            let column = text.unicodeScalars.distance(from: text.unicodeScalars.startIndex, to: index) + 1
            throw failure("expected a text of one line, found a control character", column: column)
        }
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private static func failure(_ detail: String, column: Int) -> Problem {
        var problem = Problem(422, "filter not understood", detail)
        problem.column = column
        return problem
    }
}
