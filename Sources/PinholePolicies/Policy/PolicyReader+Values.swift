import PinholeModel
import PinholeTrust

extension PolicyReader {
    /// Reads the certificates of the files that a list names.
    ///
    /// - Parameters:
    ///   - key: The key of the list.
    ///   - object: The object that contains it.
    ///   - fallback: The value of a missing list; `nil` if the list is required.
    /// - Returns: The certificates of all files, in their order.
    /// - Throws: ``DocumentFailure`` if the value is no list, or a file cannot be read.
    func certificates(
        _ key: String,
        in object: inout DocumentObject,
        orElse fallback: [CertificateFacts]? = nil
    ) throws(DocumentFailure) -> [CertificateFacts] {
        let read = { (value: JSONValue, path: String) throws(DocumentFailure) -> [CertificateFacts] in
            try Self.list(value, path, files.certificates).flatMap(\.self)
        }
        guard let fallback else { return try object.require(key, read) }
        return try object.value(key, fallback, read)
    }

    /// Reads a list of pins of SHA-256.
    static func pins(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [Pin] {
        try list(value, path) { (text) throws(PolicyFailure) in try Pin(text) }
    }

    /// A list of texts, each of which `parse` reads.
    static func list<Element>(
        _ value: JSONValue,
        _ path: String,
        _ parse: (String) throws(PolicyFailure) -> Element
    ) throws(DocumentFailure) -> [Element] {
        guard case .array(let values) = value else {
            throw value.failure(at: path, expected: "a list […]")
        }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            let place = "\(path)[\(index)]"
            let text = try DocumentValue.string(value, place)
            elements.append(try parsed(place) { () throws(PolicyFailure) in try parse(text) })
        }
        return elements
    }

    /// Reads an object whose names are not known in advance.
    static func members<Value>(
        _ value: JSONValue,
        _ path: String,
        _ parse: (JSONValue, String) throws(DocumentFailure) -> Value
    ) throws(DocumentFailure) -> [String: Value] {
        guard case .object(let members) = value else {
            throw value.failure(at: path, expected: "an object {…}")
        }
        var result: [String: Value] = [:]
        // The members are read in order, so that of several failures always the same one is reported.
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            result[name] = try parse(value, "\(path).\(name)")
        }
        return result
    }

    /// Adds the place to the failure that `parse` throws.
    static func parsed<Value>(
        _ path: String,
        _ parse: () throws(PolicyFailure) -> Value
    ) throws(DocumentFailure) -> Value {
        do {
            return try parse()
        } catch {
            throw DocumentFailure(path: path, problem: error.description)
        }
    }
}

extension DocumentObject {
    /// Reads the value of `key`; returns `fallback` if it is missing.
    mutating func value<Value>(
        _ key: String,
        _ fallback: Value,
        _ parse: (JSONValue, String) throws(DocumentFailure) -> Value
    ) throws(DocumentFailure) -> Value {
        var value = fallback
        try read(key, into: &value, parse)
        return value
    }

    /// Reads `true` or `false`.
    mutating func flag(_ key: String, _ fallback: Bool) throws(DocumentFailure) -> Bool {
        try value(key, fallback, DocumentValue.boolean)
    }

    /// Reads a raw value of an enumeration.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String,
        _ fallback: Choice
    ) throws(DocumentFailure) -> Choice where Choice.RawValue == String {
        try value(key, fallback, DocumentValue.choice(Choice.self))
    }
}
