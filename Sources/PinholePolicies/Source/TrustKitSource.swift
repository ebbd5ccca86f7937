import PinholeTrust

/// TrustKit's configuration in source code: dictionaries of Swift, Objective-C and Kotlin, and the options of
/// react-native-ssl-public-key-pinning, which uses TrustKit on iOS.
struct TrustKitSource {
    /// The function of react-native-ssl-public-key-pinning whose argument has the domains.
    private static let reactFunction = "initializeSslPinning"
    /// The names that the React Native package gives to TrustKit's keys.
    private static let reactKeys = [
        "publicKeyHashes": "TSKPublicKeyHashes", "includeSubdomains": "TSKIncludeSubdomains",
        "expirationDate": "TSKExpirationDate",
    ]

    private var unknown: [SourceToken] = []

    /// Whether a text has a configuration.
    static func isIn(_ text: String) -> Bool {
        text.contains("TSKPinnedDomains") || text.contains("\(reactFunction)(")
    }

    /// Reads the configuration.
    ///
    /// - Parameters:
    ///   - tokens: The source code; names of constants are followed within it.
    ///   - notes: Gets a finding for each pin that the code does not show.
    /// - Returns: The configuration as a property list; `nil` if no dictionary of domains is written out.
    static func configuration(
        in tokens: [SourceToken],
        _ notes: inout DocumentNotes
    ) -> PropertyListValue? {
        let reader = SourceValueReader(SourceConstants.resolved(tokens))
        var source = TrustKitSource()
        guard let domains = source.domains(reader) else { return nil }
        for token in source.unknown { notes.notLiteral(token.name ?? "", line: token.line) }
        return .dictionary(["TSKPinnedDomains": domains])
    }

    /// Finds the dictionary behind the name of the key or the function.
    private mutating func domains(_ reader: SourceValueReader) -> PropertyListValue? {
        let tokens = reader.tokens
        for start in tokens.indices {
            let word = tokens[start].literal ?? tokens[start].lastName
            guard word.map(Self.key) == "TSKPinnedDomains" || word == Self.reactFunction else { continue }
            // A colon, an arrow, `to` or a parenthesis stands between.
            var index = start + 1
            while index < tokens.count,
                tokens[index].isMark(":") || tokens[index].isMark("(") || tokens[index].name == "to"
            {
                index += 1
            }
            if let value = reader.value(at: index), case .dictionary(let members)? = converted(value),
                !members.isEmpty
            {
                return .dictionary(members)
            }
            unknown = []
        }
        return nil
    }

    /// The name of a key without the `k` of the constant, or TrustKit's name for it.
    private static func key(_ name: String) -> String {
        reactKeys[name] ?? (name.hasPrefix("kTSK") ? String(name.dropFirst()) : name)
    }

    /// Returns the value in the form of a property list; `nil` if it is not written out.
    private mutating func converted(_ value: SourceValue) -> PropertyListValue? {
        switch value {
        case .text(let text): return .string(text)
        case .boolean(let value): return .boolean(value)
        case .integer(let number): return .integer(number)
        case .collection(let elements):
            var members: [String: PropertyListValue] = [:]
            var values: [PropertyListValue] = []
            for element in elements {
                guard let value = converted(element.value) else { continue }
                if let name = element.name { members[Self.key(name)] = value } else { values.append(value) }
            }
            return members.isEmpty ? .array(values) : .dictionary(members)
        case .call: return nil
        case .other(let token):
            unknown.append(token)
            return nil
        }
    }
}
