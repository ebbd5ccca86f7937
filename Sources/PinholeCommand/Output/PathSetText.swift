import PinholeTrust

/// The other valid paths besides the path of a judgement, as text for users.
enum PathSetText {
    /// Returns a heading and a line for each path; empty if there is nothing to report.
    ///
    /// - Parameters:
    ///   - others: The other paths.
    ///   - isBeside: Whether the judgement rests on a path.
    /// - Returns: The lines, unescaped.
    static func lines(_ others: PathSet, beside isBeside: Bool) -> [String] {
        guard !others.paths.isEmpty else {
            return others.isComplete
                ? [] : ["other paths: the search ended at a limit (docs/INSIDE.md#every-path)"]
        }
        let isOne = others.paths.count == 1
        let count = isOne ? "1 other path is" : "\(others.paths.count) other paths are"
        let most = others.isComplete ? "" : " (there may be more)"
        let what =
            isBeside
            ? "; the verdict does not rest on \(isOne ? "it" : "them")"
            : ", which the verifier does not try: it never goes back"
        return ["\(count) valid\(most)\(what)"]
            + others.paths.map { "  " + PinholeTrust.ChainText.subjects($0.certificates) }
    }
}
