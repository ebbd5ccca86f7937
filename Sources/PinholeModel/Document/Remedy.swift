/// The last part of a message, which tells the user how to solve the problem.
package enum Remedy {
    /// Returns the remedy that replaces a wrong word.
    package static func write(_ word: String) -> String { "write “\(word)”" }

    /// Returns the remedy for an unknown word; `nil` if no known word is near.
    package static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        EditDistance.nearest(to: word, in: known).map(write)
    }

    /// Returns the remedy as the end of a message in one line; empty without a remedy.
    package static func clause(_ remedy: String?) -> String {
        remedy.map { $0.isEmpty ? "" : "; to fix it: \($0)" } ?? ""
    }
}
