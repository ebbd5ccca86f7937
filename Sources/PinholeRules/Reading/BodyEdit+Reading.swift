import PinholeFilter
import PinholeModel

extension BodyEdit {
    /// Reads `body` or `file`, `replaceBody`, `removeJSON` and `setJSON`, which act in this order.
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        content = try MockAnswer.Content(&object)
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

    /// Reads a replacement.
    ///
    /// The new text may contain line breaks, since it is not part of a field line.
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
