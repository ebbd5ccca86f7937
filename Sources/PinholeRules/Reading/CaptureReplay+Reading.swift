import PinholeModel

extension RuleKey {
    /// The keys of `replay`.
    enum Replay {
        static let file = ReadRuleKey<String>("file", .word, isRequired: true, "the capture")
        static let ignore = ReadRuleKey<[String]>(
            "ignore",
            .list(of: .word),
            usual: "[]",
            "parts of a request that are not compared, or `query:NAME`"
        )
        static let headers = ReadRuleKey<[String]>(
            "headers",
            .list(of: .text(.line, CaptureReplay.fieldName)),
            usual: "[]",
            "headers of a request that are compared, too"
        )
        static let match = ReadRuleKey<CaptureReplay.Match>(
            "match",
            .choice(),
            usual: "\"\(CaptureReplay.Match.loose.rawValue)\"",
            "`\"strict\"` compares bodies, too"
        )
        static let unknown = ReadRuleKey<CaptureReplay.Unknown>(
            "unknown",
            .choice(),
            usual: "\"\(CaptureReplay.Unknown.refuse.rawValue)\"",
            "the treatment of a request that was not recorded; `\"pass\"` asks the server"
        )
        static let once = ReadRuleKey<Bool>(
            "once",
            .boolean,
            usual: "false",
            "`true` gives each recorded response once; else the last one is repeated"
        )
        static let dates = ReadRuleKey<CaptureReplay.Dates>(
            "dates",
            .choice(),
            usual: "\"\(CaptureReplay.Dates.move.rawValue)\"",
            "whether dates in responses move with the time that has passed, or stay (`\"keep\"`)"
        )
    }
}

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
        self.init(file: try object.require(RuleKey.Replay.file))
        for (index, word) in (try object.read(RuleKey.Replay.ignore) ?? []).enumerated() {
            try ignore(word, "\(object.path).ignore[\(index)]")
        }
        try object.read(RuleKey.Replay.headers, into: &fields)
        var unknown = Unknown.refuse
        try object.read(RuleKey.Replay.unknown, into: &unknown)
        isStrict = unknown == .refuse
        try object.read(RuleKey.Replay.once, into: &isOnce)
        try object.read(RuleKey.Replay.match, into: &match)
        var dates = Dates.move
        try object.read(RuleKey.Replay.dates, into: &dates)
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

    fileprivate static func fieldName(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> String {
        let name = try DocumentValue.string(value, path)
        guard FieldText.isToken(name) else {
            throw value.failure(at: path, expected: "the name of a header")
        }
        return name.lowercased()
    }
}
