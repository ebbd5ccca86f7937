extension Pattern {
    /// A text that is in whatever the pattern is found in, letters of ASCII in any case; `nil` where none is known.
    ///
    /// The longest of those that stand on the way through every match.
    package var requiredText: String? {
        var runs: [[UInt8]] = [[]]
        Self.collect(node, &runs)
        let longest = runs.max { $0.count < $1.count } ?? []
        guard longest.count >= 2 else { return nil }
        return String(validating: longest, as: UTF8.self)
    }

    /// Appends the bytes that have to come to the last run, and begins another one where something else may come.
    private static func collect(_ node: PatternNode, _ runs: inout [[UInt8]]) {
        switch node {
        case .empty: break
        case .assertion: break
        case .byte(let set):
            if let byte = set.literal { runs[runs.count - 1].append(byte) } else { runs.append([]) }
        case .sequence(let parts):
            for part in parts { collect(part, &runs) }
        case .group(let part, _): collect(part, &runs)
        case .repeated(let part, let least, _, _):
            if least > 0 { collect(part, &runs) }
            runs.append([])
        case .choice: runs.append([])
        }
    }
}
