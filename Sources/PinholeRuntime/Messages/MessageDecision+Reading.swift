package import PinholeModel

/// Reads verdicts in JSON, from programs and from clients of the control API.
extension MessageDecision {
    private static let noteLimit = 200

    /// Reads the answer of a program.
    ///
    /// - Parameters:
    ///   - members: The members of the answer's object, without `id`.
    ///   - question: The question.
    /// - Throws: ``DocumentFailure`` for an answer that cannot be carried out.
    init(answer members: [String: JSONValue], to question: MessageQuestion) throws(DocumentFailure) {
        self.init(.proceed)
        var object = try DocumentObject(.object(members), path: "")
        var note: String?
        try object.read("note", into: &note) { (value, path) throws(DocumentFailure) in
            String(try DocumentValue.string(value, path).prefix(Self.noteLimit))
        }
        var found: [String] = []
        let side = question.status == nil ? "request" : "response"
        let ways: [(String, Way)] = [(side, .proceed), ("respond", .respond)]
        for (key, way) in ways {
            try object.read(key, into: &self) { (value, path) throws(DocumentFailure) in
                found.append(key)
                return try MessageDecision(way, value, path: path)
            }
        }
        var drop: MessageDecision?
        try object.read("drop", into: &drop, Self.drop)
        if let drop {
            self = drop
            found.append("drop")
        }
        try object.finish()
        self.note = note
        guard found.count <= 1 else {
            throw DocumentFailure(
                path: "",
                expected: "one of \(side), respond and drop",
                found: found.joined(separator: " and ")
            )
        }
        do throws(DecisionFailure) {
            try question.check(self)
        } catch {
            let path = "\(found.first ?? side).\(error.path)"
            throw DocumentFailure(path: path, expected: error.expected, found: error.found)
        }
    }

    /// Reads `drop`; `nil` if the message is not dropped.
    private static func drop(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> MessageDecision? {
        switch value {
        case .boolean(false): nil
        case .boolean(true), .string("close"): MessageDecision(.drop(isReset: false))
        case .string("reset"): MessageDecision(.drop(isReset: true))
        default:
            throw value.failure(at: path, expected: "true, “close” or “reset”")
        }
    }

    /// Reads a verdict without judging it; ``MessageQuestion/check(_:)`` does that.
    ///
    /// - Parameters:
    ///   - way: What happens to the message.
    ///   - value: An object with the changes, or with the answer.
    ///   - path: The place of the value in the document.
    /// - Throws: ``DocumentFailure`` for a value that is no verdict.
    package init(_ way: Way, _ value: JSONValue, path: String) throws(DocumentFailure) {
        self.init(way)
        var object = try DocumentObject(value, path: path)
        if way == .proceed {
            try object.read("method", into: &method, DocumentValue.optional(DocumentValue.string))
            try object.read("path", into: &self.path, DocumentValue.optional(DocumentValue.string))
        }
        try object.read("status", into: &status, DocumentValue.optional(Self.status))
        try object.read("fields", into: &fields, DocumentValue.optional(DocumentValue.list(Self.field)))
        var text: String?
        var bytes: [UInt8]?
        try object.read("body", into: &text, DocumentValue.optional(DocumentValue.string))
        try object.read("bodyBase64", into: &bytes, DocumentValue.optional(Self.base64))
        try object.finish()
        guard text == nil || bytes == nil else {
            throw DocumentFailure(path: path, expected: "body or bodyBase64", found: "both")
        }
        body = bytes ?? text.map { Array($0.utf8) }
    }

    private static func status(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Int {
        guard case .integer(let number) = value, let status = Int(exactly: number) else {
            throw value.failure(at: path, expected: "a status such as 404")
        }
        return status
    }

    private static func field(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> HeaderLine {
        guard case .array(let texts) = value, texts.count == 2, case .string(let name) = texts[0],
            case .string(let content) = texts[1]
        else {
            throw value.failure(at: path, expected: "a list of two texts, name and value")
        }
        return HeaderLine(name, content)
    }

    private static func base64(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [UInt8] {
        guard let bytes = Base64.decode(try DocumentValue.string(value, path).utf8) else {
            throw DocumentFailure(path: path, expected: "Base64", found: "something else")
        }
        return bytes
    }
}
