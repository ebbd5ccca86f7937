import PinholeModel
import PinholeRules

/// The answer to a question about a message.
package struct MessageReply: Sendable, Equatable {
    /// The decision about the message.
    package var verdict = BreakpointVerdict(.proceed)
    /// A note for the record; `nil` if there is none.
    package var note: String?

    /// Creates a reply.
    package init(_ verdict: BreakpointVerdict) { self.verdict = verdict }

    private static let noteLimit = 200

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - members: The members of the answer's object, without `id`.
    ///   - judge: Knows the message that the question is about.
    /// - Throws: ``DocumentFailure`` for an answer that cannot be carried out.
    init(_ members: [String: JSONValue], _ judge: MessageJudge) throws(DocumentFailure) {
        var object = try DocumentObject(.object(members), path: "")
        try object.read("note", into: &note) { (value, path) throws(DocumentFailure) in
            String(try DocumentValue.string(value, path).prefix(Self.noteLimit))
        }
        var found: [String] = []
        let side = judge.isOfRequest ? "request" : "response"
        let ways: [(String, BreakpointVerdict.Way)] = [(side, .proceed), ("respond", .respond)]
        for (key, way) in ways {
            try object.read(key, into: &verdict) { (value, path) throws(DocumentFailure) in
                found.append(key)
                return try BreakpointVerdict(way, value, path: path)
            }
        }
        var drop: BreakpointVerdict?
        try object.read("drop", into: &drop, Self.drop)
        if let drop {
            verdict = drop
            found.append("drop")
        }
        try object.finish()
        guard found.count <= 1 else {
            throw DocumentFailure(
                path: "",
                expected: "one of \(side), respond and drop",
                found: found.joined(separator: " and ")
            )
        }
        do throws(VerdictFailure) {
            try judge.check(verdict)
        } catch {
            let path = "\(found.first ?? side).\(error.path)"
            throw DocumentFailure(path: path, expected: error.expected, found: error.found)
        }
    }

    /// - Returns: The verdict; `nil` if the message is not dropped.
    private static func drop(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> BreakpointVerdict?
    {
        switch value {
        case .boolean(false): nil
        case .boolean(true), .string("close"): BreakpointVerdict(.drop(isReset: false))
        case .string("reset"): BreakpointVerdict(.drop(isReset: true))
        default:
            throw DocumentFailure(
                path: path,
                expected: "true, “close” or “reset”",
                found: value.summary
            )
        }
    }
}
