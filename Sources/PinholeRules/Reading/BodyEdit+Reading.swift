import PinholeFilter
import PinholeModel

extension RuleKey {
    /// The keys that change the body of a message.
    enum Body {
        static let body = ReadRuleKey<String>("body", .text(.content), "`\"{}\"` replaces the whole body")
        static let file = ReadRuleKey<String>(
            "file",
            .word,
            "`\"page.html\"`, instead of `body`: the same from a file, which is read again for each message"
        )
        static let replaceBody = ReadRuleKey<[BodyEdit.Step]>(
            "replaceBody",
            .list(of: RuleValue(.object([Substituting.find.key, with.key]), BodyEdit.replacement)),
            title: "Replace in the body",
            "`[{\"find\": \"(\\\\d+) €\", \"with\": \"$1 EUR\"}]` replaces matches; line breaks are allowed"
        )
        static let removeJSON = ReadRuleKey<[JSONPointer]>(
            "removeJSON",
            .list(of: RuleValue(.text(.line), BodyEdit.pointer)),
            "`[\"/user/email\", \"/tags/0\"]` removes places of a JSON text, given as JSON pointers (RFC 6901)"
        )
        static let setJSON = ReadRuleKey<[BodyEdit.Step]>(
            "setJSON",
            .list(of: RuleValue(.object([at.key, value.key]), BodyEdit.assignment)),
            "`[{\"at\": \"/price\", \"value\": 1}, {\"at\": \"/tags/-\", \"value\": \"new\"}]` sets a value; a missing "
                + "member is added, and `-` stands for a new last element"
        )

        /// The new content of the whole body.
        static let content = RuleAlternatives([body.key, file.key], isRequired: false)

        fileprivate static let with = ReadRuleKey<String>(
            "with",
            .text(.content),
            isRequired: true,
            "the text in the place of each match"
        )
        fileprivate static let at = ReadRuleKey<JSONPointer>(
            "at",
            RuleValue(.text(.line), BodyEdit.pointer),
            isRequired: true,
            "a JSON pointer"
        )
        fileprivate static let value = ReadRuleKey<JSONValue>(
            "value",
            RuleValue(.any) { (value, _) throws(DocumentFailure) in value },
            isRequired: true,
            "the new value, as JSON"
        )
    }
}

extension BodyEdit {
    /// Reads `body` or `file`, `replaceBody`, `removeJSON` and `setJSON`, which act in this order.
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        try RuleKey.Body.content.check(object)
        content = MockAnswer.Content(
            body: try object.read(RuleKey.Body.body),
            file: try object.read(RuleKey.Body.file)
        )
        steps += try object.read(RuleKey.Body.replaceBody) ?? []
        steps += (try object.read(RuleKey.Body.removeJSON) ?? []).map(Step.removeJSON)
        steps += try object.read(RuleKey.Body.setJSON) ?? []
    }

    /// Reads a replacement.
    ///
    /// The new text may contain line breaks, since it is not part of a field line.
    fileprivate static func replacement(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> Step {
        var object = try DocumentObject(value, path: path)
        let find = try object.require(RuleKey.Substituting.find)
        let with = try object.require(RuleKey.Body.with)
        try object.finish()
        return .replace(try Substitution.read(find, at: "\(path).find", with, at: "\(path).with"))
    }

    fileprivate static func assignment(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> Step {
        var object = try DocumentObject(value, path: path)
        let pointer = try object.require(RuleKey.Body.at)
        let value = try object.require(RuleKey.Body.value)
        try object.finish()
        return .setJSON(pointer, value)
    }

    fileprivate static func pointer(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> JSONPointer {
        let text = try DocumentValue.string(value, path)
        guard let pointer = JSONPointer(text) else {
            throw value.failure(
                at: path,
                expected: "a JSON pointer, “/name/0”, with “/” in names as ~1 and “~” as ~0"
            )
        }
        return pointer
    }
}
