import PinholeFilter
import PinholeModel

extension RequestEdit {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        try object.read("method", into: &method) { (value, path) throws(DocumentFailure) in
            let text = try DocumentValue.string(value, path)
            guard FieldText.isToken(text), text != "CONNECT", text != "HEAD" else {
                throw DocumentFailure(
                    path: path,
                    expected: "a method other than CONNECT and HEAD, whose answers have another shape",
                    found: value.summary
                )
            }
            return text
        }
        try object.read("url", into: &url, DocumentValue.list(Substitution.read))
        try object.read("path", into: &path, DocumentValue.list(Substitution.read))
        try object.read("setQuery", into: &setQuery) { (value, path) throws(DocumentFailure) in
            try DocumentValue.list(DocumentValue.string)(value, path).map { text in
                let name = text.prefix { $0 != "=" }
                return QueryParameter(String(name), String(text.dropFirst(name.count + 1)))
            }
        }
        if let index = setQuery.firstIndex(where: \.name.isEmpty) {
            throw DocumentFailure(
                path: "\(object.path).setQuery[\(index)]",
                expected: "“name=value”",
                found: "no name"
            )
        }
        try object.read("removeQuery", into: &removeQuery, DocumentValue.list(DocumentValue.word))
        fields = try FieldEdit.read(&object)
        body = try BodyEdit(&object)
    }
}

extension ResponseEdit {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        try object.read("status", into: &status) { (value, path) throws(DocumentFailure) in
            guard case .integer(let number) = value, 200...599 ~= number, ![204, 205, 304].contains(number)
            else {
                throw DocumentFailure(
                    path: path,
                    expected:
                        "a status of 200 to 599 that may have content (not 204, 205, 304; mock gives those)",
                    found: value.summary
                )
            }
            return Int(number)
        }
        fields = try FieldEdit.read(&object)
        body = try BodyEdit(&object)
    }
}

extension FieldEdit {
    /// Reads `remove`, `set`, `add` and `replace`, which act in this order.
    static func read(_ object: inout DocumentObject) throws(DocumentFailure) -> [FieldEdit] {
        var edits: [FieldEdit] = []
        try object.read("remove", into: &edits) { [edits] (value, path) throws(DocumentFailure) in
            edits + (try DocumentValue.list(DocumentValue.fieldName)(value, path)).map(FieldEdit.remove)
        }
        try object.read("set", into: &edits) { [edits] (value, path) throws(DocumentFailure) in
            edits + (try DocumentValue.list(DocumentValue.fieldLine)(value, path)).map(FieldEdit.set)
        }
        try object.read("add", into: &edits) { [edits] (value, path) throws(DocumentFailure) in
            edits + (try DocumentValue.list(DocumentValue.fieldLine)(value, path)).map(FieldEdit.add)
        }
        try object.read("replace", into: &edits) { [edits] (value, path) throws(DocumentFailure) in
            edits + (try DocumentValue.list(Self.replacement)(value, path))
        }
        return edits
    }

    private static func replacement(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> FieldEdit {
        var object = try DocumentObject(value, path: path)
        let name = try object.require("field", DocumentValue.fieldName)
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
        let find = try object.require("find", DocumentValue.word)
        let with = try object.require("with", DocumentValue.fieldText)
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
