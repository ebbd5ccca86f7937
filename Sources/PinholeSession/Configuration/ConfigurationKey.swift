package import PinholeModel

/// A key of `config.json`: its default, its meaning, and how it is read.
package struct ConfigurationKey {
    /// Reads a value at a path of the document.
    typealias Reader<Value> = (JSONValue, String) throws(DocumentFailure) -> Value

    /// The path within the section: `listen`, `client.minimum`.
    package let name: String
    /// The default, as JSON.
    package let usual: String
    /// The effect of the key and the reason for its default, for `pinhole config keys` and docs/CONFIGURATION.md.
    package let meaning: String
    /// The harm that the value could do to the user if somebody else wrote the file.
    let harm: ConfigurationHarm
    /// Reads the key's value from its object; a missing key keeps its default.
    package let read: (inout DocumentObject, inout Configuration) throws(DocumentFailure) -> Void

    /// The defaults of all keys.
    private static let defaults = Configuration()

    /// Declares a key that is read in a way of its own; the reader gets the last part of the name.
    init(
        _ name: String,
        usual: String,
        _ meaning: String,
        harm: ConfigurationHarm,
        _ read: @escaping (String, inout DocumentObject, inout Configuration) throws(DocumentFailure) -> Void
    ) {
        self.name = name
        self.usual = usual
        self.meaning = meaning
        self.harm = harm
        let last = name.split(separator: ".").last.map(String.init) ?? name
        self.read = { (object, configuration) throws(DocumentFailure) in
            try read(last, &object, &configuration)
        }
    }

    /// The object in the section that holds the key, such as `client`; `nil` if that is the section itself.
    package var group: String? {
        name.firstIndex(of: ".").map { String(name[..<$0]) }
    }
}

/// Kinds of values. `path` is the place of the value in the configuration.
extension ConfigurationKey {
    /// Declares a key whose value `reader` reads.
    static func value<Value>(
        _ name: String,
        _ path: WritableKeyPath<Configuration, Value>,
        usual: String,
        _ reader: @escaping Reader<Value>,
        _ meaning: String,
        harm: ConfigurationHarm
    ) -> ConfigurationKey {
        ConfigurationKey(name, usual: usual, meaning, harm: harm) {
            (name, object, configuration) throws(DocumentFailure) in
            try object.read(name, into: &configuration[keyPath: path], reader)
        }
    }

    /// Declares a key that is `null` by default, and whose other values `reader` reads.
    static func optional<Value>(
        _ name: String,
        _ path: WritableKeyPath<Configuration, Value?>,
        _ reader: @escaping Reader<Value>,
        _ meaning: String,
        harm: ConfigurationHarm
    ) -> ConfigurationKey {
        value(name, path, usual: "null", DocumentValue.optional(reader), meaning, harm: harm)
    }

    /// Declares a list, empty by default, whose elements `reader` reads.
    static func list<Element>(
        _ name: String,
        _ path: WritableKeyPath<Configuration, [Element]>,
        _ reader: @escaping Reader<Element>,
        _ meaning: String,
        harm: ConfigurationHarm
    ) -> ConfigurationKey {
        value(name, path, usual: "[]", DocumentValue.list(reader), meaning, harm: harm)
    }

    /// Declares a key with the values of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ path: WritableKeyPath<Configuration, Choice>,
        _ meaning: String,
        harm: ConfigurationHarm
    ) -> ConfigurationKey {
        let usual = "\"\(defaults[keyPath: path].rawValue)\""
        return value(name, path, usual: usual, DocumentValue.choice(Choice.self), meaning, harm: harm)
    }

    /// Declares a key that is `true` or `false`.
    static func flag(
        _ name: String,
        _ path: WritableKeyPath<Configuration, Bool>,
        _ meaning: String,
        harm: ConfigurationHarm
    ) -> ConfigurationKey {
        value(name, path, usual: "\(defaults[keyPath: path])", DocumentValue.boolean, meaning, harm: harm)
    }

    /// Declares a count or a size in `range`.
    static func count<Number: FixedWidthInteger>(
        _ name: String,
        _ path: WritableKeyPath<Configuration, Number>,
        in range: ClosedRange<Int64>,
        _ meaning: String,
        harm: ConfigurationHarm
    ) -> ConfigurationKey {
        let usual = "\(defaults[keyPath: path])"
        let reader = { (value: JSONValue, path: String) throws(DocumentFailure) in
            Number(clamping: try DocumentValue.integer(in: range)(value, path))
        }
        return value(name, path, usual: usual, reader, meaning, harm: harm)
    }

    /// Declares a deadline in seconds.
    static func seconds(
        _ name: String,
        _ path: WritableKeyPath<Configuration, Duration>,
        _ meaning: String
    ) -> ConfigurationKey {
        let usual = "\(defaults[keyPath: path].components.seconds)"
        // No exchange takes longer than a day; zero would end an exchange before it began.
        let harm = ConfigurationHarm.none("it can only change how long the proxy waits")
        return value(name, path, usual: usual, DocumentValue.seconds(in: 0.1...86_400), meaning, harm: harm)
    }
}
