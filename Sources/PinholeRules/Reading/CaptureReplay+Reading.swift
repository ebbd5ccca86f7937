import PinholeModel

extension CaptureReplay {
    /// The treatment of a request that was not recorded, with the words of the configuration.
    package enum Unknown: String, Sendable, CaseIterable {
        /// The request is refused.
        case refuse
        /// The server is asked.
        case pass
    }

    /// The treatment of dates in answers, with the words of the configuration.
    package enum Dates: String, Sendable, CaseIterable {
        /// The dates move by the time that has passed since the recording.
        case move
        /// The dates stay as recorded.
        case keep
    }

    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init(file: try object.require("file", DocumentValue.word))
        var words: [String] = []
        try object.read("ignore", into: &words, DocumentValue.list(DocumentValue.word))
        for (index, word) in words.enumerated() { try ignore(word, "\(object.path).ignore[\(index)]") }
        try object.read("headers", into: &fields, DocumentValue.list(Self.fieldName))
        var unknown = Unknown.refuse
        try object.read("unknown", into: &unknown, DocumentValue.choice(Unknown.self))
        isStrict = unknown == .refuse
        try object.read("once", into: &isOnce, DocumentValue.boolean)
        try object.read("match", into: &match, DocumentValue.choice(Match.self))
        var dates = Dates.move
        try object.read("dates", into: &dates, DocumentValue.choice(Dates.self))
        keepsDates = dates == .keep
    }

    /// Excludes a part of requests from the comparison.
    ///
    /// - Parameters:
    ///   - word: The name of a part, or `query:NAME`.
    ///   - path: The place of the word in the document.
    /// - Throws: ``DocumentFailure`` when the word is neither.
    private mutating func ignore(_ word: String, _ path: String) throws(DocumentFailure) {
        if word.hasPrefix("query:"), word != "query:" {
            ignoredParameters.append(String(word.dropFirst("query:".count)))
        } else if let part = Part(rawValue: word) {
            ignored.insert(part)
        } else {
            let names = Part.allCases.map(\.rawValue).joined(separator: ", ")
            throw DocumentFailure(path: path, expected: "\(names) or query:NAME", found: "“\(word)”")
        }
    }

    private static func fieldName(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let name = try DocumentValue.string(value, path)
        guard FieldText.isToken(name) else {
            throw DocumentFailure(path: path, expected: "the name of a field", found: value.summary)
        }
        return name.lowercased()
    }
}
