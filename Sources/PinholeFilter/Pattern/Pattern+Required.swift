import PinholeModel

extension Pattern {
    /// A text that every match contains, with ASCII letters in any case; `nil` if none of two bytes or more is known.
    ///
    /// If there are several, this is the longest one.
    package var requiredText: String? {
        var runs: [[UInt8]] = [[]]
        Self.collect(node, &runs)
        let longest = runs.max { $0.count < $1.count } ?? []
        guard longest.count >= 2 else { return nil }
        return String(validating: longest, as: UTF8.self)
    }

    /// Appends the bytes that every match of `node` contains; a new run begins wherever other bytes may stand.
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
