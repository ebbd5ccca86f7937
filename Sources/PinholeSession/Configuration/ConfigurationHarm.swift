/// The harm that the value of a key of `config.json` could do to the user if somebody else wrote the file.
///
/// Every key declares it, so a new key cannot be forgotten.
enum ConfigurationHarm {
    /// Lists what a configuration does by the key, a phrase each; the text is the path of the key.
    typealias Phrases = (Configuration, String) -> [String]

    /// No value needs confirmation, for a reason.
    case none(String)
    /// Some values need confirmation.
    ///
    /// The first text says which, after the name of the key; it is empty for all values but the default. The second
    /// text says what the user confirms.
    case some(String, String, Phrases)

    /// Declares what the user confirms.
    ///
    /// - Parameters:
    ///   - effect: What the user confirms, for docs/CONFIGURATION.md.
    ///   - values: The values that need confirmation, in words that follow the name of the key.
    ///   - phrases: What a configuration does by the key; empty if its value needs no confirmation.
    /// - Returns: The declaration.
    static func confirmed(_ effect: String, values: String = "", _ phrases: @escaping Phrases) -> Self {
        .some(values, effect, phrases)
    }

    /// Declares that a bound for peers needs confirmation if it is above its default.
    static func raised<Number: FixedWidthInteger>(_ path: KeyPath<Configuration, Number>) -> Self {
        let usual = Configuration()[keyPath: path]
        return confirmed(
            "peers can make the proxy use more memory and more connections",
            values: "above the default"
        ) { (configuration, key) in
            let number = configuration[keyPath: path]
            return number > usual
                ? ["lets peers make the proxy use more: \(number) instead of \(usual) (\(key))"] : []
        }
    }

    /// Returns what a configuration does by the key.
    func phrases(_ configuration: Configuration, _ key: String) -> [String] {
        switch self {
        case .none: []
        case .some(_, _, let phrases): phrases(configuration, key)
        }
    }
}
