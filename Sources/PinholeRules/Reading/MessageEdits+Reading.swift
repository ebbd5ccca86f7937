import PinholeFilter
import PinholeModel

extension RuleKey {
    /// The keys that change the head of a request or a response.
    enum Head {
        static let method = ReadRuleKey<String>(
            "method",
            .text(.line, RequestEdit.method),
            "the method to send"
        )
        static let url = ReadRuleKey<[Substitution]>(
            "url",
            .list(of: .substitution),
            title: "Replace in the URL",
            "`[{\"find\": \"^https://api\\\\.(\\\\w+)\", \"with\": \"https://test.$1\"}]` replaces matches in the whole "
                + "URL. If the URL names another server, the proxy asks that server, as `mapRemote` does"
        )
        static let path = ReadRuleKey<[Substitution]>(
            "path",
            .list(of: .substitution),
            title: "Replace in the path",
            "the same for the path without the query"
        )
        static let setQuery = ReadRuleKey<[QueryParameter]>(
            "setQuery",
            .list(of: RuleValue(.text(.line), RequestEdit.parameter)),
            title: "Set parameters",
            "`[\"debug=1\"]` sets query parameters by name; values are percent-encoded"
        )
        static let removeQuery = ReadRuleKey<[String]>(
            "removeQuery",
            .list(of: .word),
            title: "Remove parameters",
            "`[\"utm_source\"]` removes query parameters by name"
        )
        static let status = ReadRuleKey<Int>(
            "status",
            RuleValue(.integer(200...599), ResponseEdit.status),
            "the status to send; not 204, 205 or 304"
        )
    }

    /// The keys that change the fields of a message.
    enum Fields {
        static let remove = ReadRuleKey<[String]>(
            "remove",
            .list(of: .text(.line, DocumentValue.fieldName)),
            title: "Remove headers",
            "`[\"Cookie\"]` removes every header of this name"
        )
        static let set = ReadRuleKey<[FieldLine]>(
            "set",
            .list(of: .fieldLine),
            title: "Set headers",
            "`[\"X-Debug: 1\"]` gives the header this one value, at the place of the first header of that name"
        )
        static let add = ReadRuleKey<[FieldLine]>(
            "add",
            .list(of: .fieldLine),
            title: "Add headers",
            "`[\"Set-Cookie: a=b\"]` adds another header line"
        )
        static let replace = ReadRuleKey<[FieldEdit]>(
            "replace",
            .list(
                of: RuleValue(
                    .object([field.key, Substituting.find.key, Substituting.with.key]),
                    FieldEdit.replacement
                )
            ),
            title: "Replace in headers",
            "`[{\"field\": \"Location\", \"find\": \"^https://\", \"with\": \"http://\"}]` replaces matches in the "
                + "values of a header"
        )
        fileprivate static let field = ReadRuleKey<String>(
            "field",
            .text(.line, DocumentValue.fieldName),
            title: "Header",
            isRequired: true,
            "the name of the header"
        )
    }

    /// The keys of a replacement.
    enum Substituting {
        static let find = ReadRuleKey<String>(
            "find",
            .text(.expression, DocumentValue.word),
            isRequired: true,
            "the expression to search for"
        )
        static let with = ReadRuleKey<String>(
            "with",
            .text(.line, DocumentValue.fieldText),
            isRequired: true,
            "the text in the place of each match"
        )
    }
}

extension RuleValue where Value == Substitution {
    /// A replacement, `{"find": …, "with": …}`.
    static var substitution: Self {
        Self(
            .object([RuleKey.Substituting.find.key, RuleKey.Substituting.with.key]),
            Substitution.read
        )
    }
}

extension RequestEdit {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        method = try object.read(RuleKey.Head.method)
        try object.read(RuleKey.Head.url, into: &url)
        try object.read(RuleKey.Head.path, into: &path)
        try object.read(RuleKey.Head.setQuery, into: &setQuery)
        try object.read(RuleKey.Head.removeQuery, into: &removeQuery)
        fields = try FieldEdit.read(&object)
        body = try BodyEdit(&object)
    }

    fileprivate static func method(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> String {
        let text = try DocumentValue.string(value, path)
        guard FieldText.isToken(text), text != "CONNECT", text != "HEAD" else {
            throw value.failure(
                at: path,
                expected: "a method other than CONNECT and HEAD, whose responses have another shape"
            )
        }
        return text
    }

    fileprivate static func parameter(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> QueryParameter {
        let text = try DocumentValue.string(value, path)
        let name = text.prefix { $0 != "=" }
        guard !name.isEmpty else {
            throw DocumentFailure(path: path, expected: "“name=value”", found: "no name")
        }
        return QueryParameter(String(name), String(text.dropFirst(name.count + 1)))
    }
}

extension ResponseEdit {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        status = try object.read(RuleKey.Head.status)
        fields = try FieldEdit.read(&object)
        body = try BodyEdit(&object)
    }

    fileprivate static func status(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Int {
        guard case .integer(let number) = value, 200...599 ~= number, ![204, 205, 304].contains(number)
        else {
            throw value.failure(
                at: path,
                expected: "a status of 200 to 599 that may have content (not 204, 205, 304; mock gives those)"
            )
        }
        return Int(number)
    }
}

extension FieldEdit {
    /// Reads `remove`, `set`, `add` and `replace`, which act in this order.
    static func read(_ object: inout DocumentObject) throws(DocumentFailure) -> [FieldEdit] {
        var edits = (try object.read(RuleKey.Fields.remove) ?? []).map(FieldEdit.remove)
        edits += (try object.read(RuleKey.Fields.set) ?? []).map(FieldEdit.set)
        edits += (try object.read(RuleKey.Fields.add) ?? []).map(FieldEdit.add)
        return edits + (try object.read(RuleKey.Fields.replace) ?? [])
    }

    fileprivate static func replacement(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> FieldEdit {
        var object = try DocumentObject(value, path: path)
        let name = try object.require(RuleKey.Fields.field)
        let substitution = try Substitution.read(&object)
        try object.finish()
        return .replace(name, substitution)
    }
}

extension Substitution {
    /// Reads `{"find": …, "with": …}`.
    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Substitution {
        var object = try DocumentObject(value, path: path)
        let substitution = try read(&object)
        try object.finish()
        return substitution
    }

    /// Reads `find` and `with` from an object that may have other keys.
    static func read(_ object: inout DocumentObject) throws(DocumentFailure) -> Substitution {
        let find = try object.require(RuleKey.Substituting.find)
        let with = try object.require(RuleKey.Substituting.with)
        return try read(find, at: "\(object.path).find", with, at: "\(object.path).with")
    }

    /// Makes a substitution from the texts at these places of a document.
    static func read(
        _ find: String,
        at findPath: String,
        _ with: String,
        at withPath: String
    ) throws(DocumentFailure) -> Substitution {
        var path = findPath
        do throws(PatternFailure) {
            _ = try Pattern(find, remembersGroups: true)
            path = withPath
            return try Substitution(find, with: with)
        } catch {
            throw DocumentFailure(
                path: path,
                expected: "\(error.expected) at character \(error.offset + 1)",
                found: error.found,
                remedy: error.remedy ?? ""
            )
        }
    }
}
