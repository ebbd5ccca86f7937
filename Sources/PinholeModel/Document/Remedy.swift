/// The last part of a message: the thing that the user can do.
package enum Remedy {
    /// The remedy that puts a word in the place of a wrong one.
    package static func write(_ word: String) -> String { "write “\(word)”" }

    /// The remedy for an unknown word; `nil` if no known word is near.
    package static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        EditDistance.nearest(to: word, in: known).map(write)
    }

    /// The remedy behind the other parts of a message in one line; empty without a remedy.
    package static func clause(_ remedy: String?) -> String {
        remedy.map { $0.isEmpty ? "" : "; to mend it: \($0)" } ?? ""
    }
}
