/// What was fed to a machine and what it answered, as text.
struct Transcript {
    private var lines: [String] = []

    /// Notes that `event` was fed.
    mutating func feed(_ event: some Any) { lines.append("    -> \(event)") }

    /// Notes that `command` was answered and was expected.
    mutating func answer(_ command: some Any) { lines.append("    <- \(command)") }

    /// Notes that time passed.
    mutating func advance(_ duration: Duration) { lines.append("       (\(duration) later)") }

    /// The transcript up to the first mismatch, and the mismatch.
    ///
    /// - Parameters:
    ///   - expected: What should have come; `nil` for nothing.
    ///   - came: What came instead, and what came after it.
    /// - Returns: Lines: what was as expected, `+ <-` for what came, `- <-` for what did not.
    func difference(expected: String?, came: [String]) -> String {
        var result = lines
        if let expected { result.append("  - <- \(expected)") }
        if let first = came.first {
            if let expected { result += marker(between: expected, and: first) }
            result.append("  + <- \(first)")
            result += came.dropFirst().map { "  ? <- \($0)" }
        } else {
            result.append("  + (nothing)")
        }
        return result.joined(separator: "\n")
    }

    /// Points at the first character that differs, where the two have something in common.
    private func marker(between left: String, and right: String) -> [String] {
        let common = zip(left, right).prefix { $0 == $1 }.count
        return common > 0 ? [String(repeating: " ", count: 7 + common) + "^ differs from here"] : []
    }
}
