import PinholeFilter
import PinholeModel

extension BodyEdit {
    /// Reads `body` or `file`, `replaceBody`, `removeJSON` and `setJSON`, which act in this order.
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        var body: String?
        var file: String?
        try object.read("body", into: &body, DocumentValue.optional(DocumentValue.string))
        try object.read("file", into: &file, DocumentValue.optional(DocumentValue.word))
        guard body == nil || file == nil else {
            throw DocumentFailure(path: object.path, expected: "body or file", found: "both")
        }
        if let file { content = .file(file) }
        if let body { content = .bytes(Array(body.utf8)) }
        try object.read("replaceBody", into: &steps) { [steps] (value, path) throws(DocumentFailure) in
            steps + (try DocumentValue.list(Self.replacement)(value, path))
        }
        try object.read("removeJSON", into: &steps) { [steps] (value, path) throws(DocumentFailure) in
            steps + (try DocumentValue.list(Self.pointer)(value, path)).map(Step.removeJSON)
        }
        try object.read("setJSON", into: &steps) { [steps] (value, path) throws(DocumentFailure) in
            steps + (try DocumentValue.list(Self.assignment)(value, path))
        }
    }

    /// What is written may be any text: it stands in no line.
    private static func replacement(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Step {
        var object = try DocumentObject(value, path: path)
        let find = try object.require("find", DocumentValue.word)
        let with = try object.require("with", DocumentValue.string)
        try object.finish()
        return .replace(try Substitution.read(find, at: "\(path).find", with, at: "\(path).with"))
    }

    private static func assignment(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Step {
        var object = try DocumentObject(value, path: path)
        let pointer = try object.require("at", Self.pointer)
        let value = try object.require("value") { (value, _) throws(DocumentFailure) in value }
        try object.finish()
        return .setJSON(pointer, value)
    }

    private static func pointer(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> JSONPointer {
        let text = try DocumentValue.string(value, path)
        guard let pointer = JSONPointer(text) else {
            throw DocumentFailure(
                path: path,
                expected: "a JSON pointer, “/name/0”, with “/” in names as ~1 and “~” as ~0",
                found: value.summary
            )
        }
        return pointer
    }
}
