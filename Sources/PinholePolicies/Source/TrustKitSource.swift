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
    /// Functions of Kotlin that make dictionaries and arrays.
    private static let makers: Set = ["mapOf", "hashMapOf", "mutableMapOf", "listOf", "arrayOf", "setOf"]
    private static let depth = 32

    private let tokens: [SourceToken]
    private var index = 0
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
        var source = TrustKitSource(tokens: SourceConstants.resolved(tokens))
        guard let domains = source.domains() else { return nil }
        for token in source.unknown {
            notes.fail(
                .pinNotLiteral,
                .root("line \(token.line)"),
                "“\(DocumentPath.cut(token.name ?? ""))” is not a literal in this file.",
                "Check it where it is made, or write the value itself.",
                severity: .hint
            )
        }
        return .dictionary(["TSKPinnedDomains": domains])
    }

    private init(tokens: [SourceToken]) { self.tokens = tokens }

    private var current: SourceToken? { index < tokens.count ? tokens[index] : nil }

    /// Finds the dictionary behind the name of the key or the function.
    private mutating func domains() -> PropertyListValue? {
        for start in tokens.indices {
            let token = tokens[start]
            let word = token.literal ?? token.lastName
            guard word.map(Self.key) == "TSKPinnedDomains" || token.lastName == Self.reactFunction else {
                continue
            }
            // A colon, a comma, an arrow, `to` or a parenthesis stands between.
            index = start + 1
            while let current, current.isMark(":") || current.isMark("(") || current.name == "to" {
                index += 1
            }
            if case .dictionary(let members)? = value(0), !members.isEmpty { return .dictionary(members) }
            unknown = []
        }
        return nil
    }

    /// The name of a key without the `k` of the constant, or TrustKit's name for it.
    private static func key(_ name: String) -> String {
        reactKeys[name] ?? (name.hasPrefix("kTSK") ? String(name.dropFirst()) : name)
    }

    /// Reads a value and goes behind it; `nil` if it is not written out.
    private mutating func value(_ depth: Int) -> PropertyListValue? {
        guard depth < Self.depth, let token = current else { return nil }
        index += 1
        switch token.kind {
        case .literal(let text): return .string(text)
        case .mark("{"), .mark("["): return elements(depth)
        case .mark("("):
            let inner = value(depth + 1)
            if current?.isMark(")") == true { index += 1 }
            return inner
        case .name(let name):
            if Self.makers.contains(name), current?.isMark("(") == true {
                index += 1
                return elements(depth)
            }
            switch name {
            case "YES", "true", "TRUE": return .boolean(true)
            case "NO", "false", "FALSE": return .boolean(false)
            default: break
            }
            if let number = Int64(name) { return .integer(number) }
            unknown.append(token)
            return nil
        case .mark: return nil
        }
    }

    /// Reads what stands between the brackets, and goes behind the closing one.
    private mutating func elements(_ depth: Int) -> PropertyListValue {
        var members: [String: PropertyListValue] = [:]
        var values: [PropertyListValue] = []
        while let token = current, !Self.closes(token) {
            if token.isMark(",") || token.isMark(":") {
                index += 1
                continue
            }
            if let name = keyName() {
                if let value = value(depth + 1) { members[name] = value }
            } else if let value = value(depth + 1) {
                values.append(value)
            }
            skip()
        }
        index += 1
        return members.isEmpty ? .array(values) : .dictionary(members)
    }

    /// Reads a key and the colon behind it; `nil` if there is no colon.
    private mutating func keyName() -> String? {
        guard index + 1 < tokens.count, let text = tokens[index].literal ?? tokens[index].lastName,
            tokens[index + 1].isMark(":") || tokens[index + 1].name == "to"
        else { return nil }
        index += 2
        return Self.key(text)
    }

    /// Goes to the end of the element, over casts (`as [String: Any]`) and calls.
    private mutating func skip() {
        var open = 0
        while let token = current {
            if open == 0, token.isMark(",") || Self.closes(token) { return }
            if token.isMark("(") || token.isMark("[") || token.isMark("{") { open += 1 }
            if Self.closes(token) { open -= 1 }
            index += 1
        }
    }

    private static func closes(_ token: SourceToken) -> Bool {
        token.isMark(")") || token.isMark("]") || token.isMark("}")
    }
}
