import PinholeModel
import PinholeRules

/// What was answered about a message.
package struct MessageReply: Sendable, Equatable {
    /// What becomes of the message.
    package var verdict = BreakpointVerdict(.proceed)
    /// What is recorded beside it; `nil` for nothing.
    package var note: String?

    /// What an answer may say depends on this.
    struct Context: Sendable {
        let point: ProgramCall.Point
        let method: String
        let path: String
        /// The status of the response; `nil` where it is the request that was asked about.
        let status: Int?

        init(_ question: MessageQuestion) {
            point = question.point
            method = question.request.method
            path = question.request.path
            status = question.response?.status
        }
    }

    /// Creates a reply.
    package init(_ verdict: BreakpointVerdict) { self.verdict = verdict }

    private static let noteLimit = 200

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - members: The members of its object, without `id`.
    ///   - context: What was asked about.
    /// - Throws: ``DocumentFailure`` for what cannot be done.
    init(_ members: [String: JSONValue], _ context: Context) throws(DocumentFailure) {
        var object = try DocumentObject(.object(members), path: "")
        try object.read("note", into: &note) { (value, path) throws(DocumentFailure) in
            String(try DocumentValue.string(value, path).prefix(Self.noteLimit))
        }
        var found: [String] = []
        let side = context.point.isOfRequest ? "request" : "response"
        try object.read(side, into: &verdict) { (value, path) throws(DocumentFailure) in
            found.append(side)
            return try Self.change(value, path, context)
        }
        try object.read("respond", into: &verdict) { (value, path) throws(DocumentFailure) in
            found.append("respond")
            return try Self.response(value, path)
        }
        try object.read("drop", into: &verdict) { (value, path) throws(DocumentFailure) in
            switch value {
            case .boolean(false): return BreakpointVerdict(.proceed)
            case .boolean(true), .string("close"):
                found.append("drop")
                return BreakpointVerdict(.drop(isReset: false))
            case .string("reset"):
                found.append("drop")
                return BreakpointVerdict(.drop(isReset: true))
            default:
                throw DocumentFailure(
                    path: path,
                    expected: "true, “close” or “reset”",
                    found: value.summary
                )
            }
        }
        try object.finish()
        guard found.count <= 1 else {
            throw DocumentFailure(
                path: "",
                expected: "one of \(side), respond and drop",
                found: found.joined(separator: " and ")
            )
        }
    }

    private static func change(
        _ value: JSONValue,
        _ path: String,
        _ context: Context
    ) throws(DocumentFailure) -> BreakpointVerdict {
        var object = try DocumentObject(value, path: path)
        var verdict = BreakpointVerdict(.proceed)
        if context.point.isOfRequest {
            try object.read("method", into: &verdict.method) { (value, path) throws(DocumentFailure) in
                try method(value, path, context.method)
            }
            try object.read("path", into: &verdict.path) { (value, path) throws(DocumentFailure) in
                try Self.path(value, path, context.path)
            }
        } else {
            try object.read("status", into: &verdict.status) { (value, path) throws(DocumentFailure) in
                try status(value, path, context)
            }
        }
        try readFields(&object, into: &verdict)
        if context.point.wantsBody { try readBody(&object, into: &verdict) }
        try object.finish()
        return verdict
    }

    private static func response(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> BreakpointVerdict {
        var object = try DocumentObject(value, path: path)
        var verdict = BreakpointVerdict(.respond)
        var status = Int64(200)
        try object.read("status", into: &status, DocumentValue.integer(in: 200...599))
        verdict.status = Int(status)
        try readFields(&object, into: &verdict)
        try readBody(&object, into: &verdict)
        try object.finish()
        if let body = verdict.body, !body.isEmpty, !BreakpointVerdict.hasContent(Int(status)) {
            throw DocumentFailure(
                path: path,
                expected: "no content with status \(status)",
                found: "\(body.count) bytes"
            )
        }
        return verdict
    }

    private static func method(
        _ value: JSONValue,
        _ path: String,
        _ old: String
    ) throws(DocumentFailure) -> String {
        let text = try DocumentValue.string(value, path)
        // The answer to HEAD has another shape than that to others.
        guard text == old || BreakpointVerdict.isMethod(text) && old != "HEAD" else {
            throw DocumentFailure(
                path: path,
                expected: old == "HEAD" ? "HEAD, as it was" : "a method other than CONNECT and HEAD",
                found: value.summary
            )
        }
        return text
    }

    private static func path(
        _ value: JSONValue,
        _ path: String,
        _ old: String
    ) throws(DocumentFailure) -> String {
        let text = try DocumentValue.string(value, path)
        // OPTIONS * may keep its own.
        guard text == old || BreakpointVerdict.isPath(text) else {
            throw DocumentFailure(
                path: path,
                expected: "a path that begins with “/”, without spaces",
                found: value.summary
            )
        }
        return text
    }

    private static func status(
        _ value: JSONValue,
        _ path: String,
        _ context: Context
    ) throws(DocumentFailure) -> Int {
        guard case .integer(let number) = value, 200...599 ~= number, number != 205 else {
            throw DocumentFailure(path: path, expected: "200 to 599 other than 205", found: value.summary)
        }
        let status = Int(number)
        // The body is on its way.
        guard let old = context.status, !context.point.wantsBody else { return status }
        guard BreakpointVerdict.hasContent(status) == BreakpointVerdict.hasContent(old) else {
            throw DocumentFailure(
                path: path,
                expected:
                    "a status that \(old == 204 || old == 304 ? "forbids" : "may have") content as \(old)",
                found: "\(status)"
            )
        }
        return status
    }

    private static func readFields(
        _ object: inout DocumentObject,
        into verdict: inout BreakpointVerdict
    ) throws(DocumentFailure) {
        try object.read("fields", into: &verdict.fields, DocumentValue.optional(DocumentValue.list(field)))
    }

    private static func field(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> BreakpointVerdict.Field {
        guard case .array(let texts) = value, texts.count == 2, case .string(let name) = texts[0],
            case .string(let content) = texts[1]
        else {
            throw DocumentFailure(
                path: path,
                expected: "a list of two texts, name and value",
                found: value.summary
            )
        }
        guard let field = BreakpointVerdict.Field(name, content) else {
            throw DocumentFailure(
                path: path,
                expected: "a field that does not frame the message and has no control characters",
                found: "“\(name.prefix(80))”"
            )
        }
        return field
    }

    private static func readBody(
        _ object: inout DocumentObject,
        into verdict: inout BreakpointVerdict
    ) throws(DocumentFailure) {
        var text: String?
        var bytes: [UInt8]?
        try object.read("body", into: &text, DocumentValue.optional(DocumentValue.string))
        try object.read("bodyBase64", into: &bytes) { (value, path) throws(DocumentFailure) in
            guard let bytes = Base64.decode(try DocumentValue.string(value, path).utf8) else {
                throw DocumentFailure(path: path, expected: "Base64", found: "something else")
            }
            return bytes
        }
        guard text == nil || bytes == nil else {
            throw DocumentFailure(path: object.path, expected: "body or bodyBase64", found: "both")
        }
        verdict.body = bytes ?? text.map { Array($0.utf8) }
    }
}
