/// The functions of libraries whose results follow from their arguments.
enum SourceFunctions {
    /// Functions that make arrays, sets and dictionaries of their arguments.
    private static let makers: Set = [
        "listOf", "arrayOf", "setOf", "mapOf", "hashMapOf", "mutableMapOf", "linkedMapOf", "mutableListOf",
        "arrayListOf", "hashSetOf", "mutableSetOf", "listOfNotNull", "asList", "arrayWithObjects",
        "setWithObjects",
    ]
    /// Types whose `of` makes a collection.
    private static let types: Set = ["List", "Set", "ImmutableList", "ImmutableSet", "Stream", "Arrays"]
    /// Functions and types that take one collection and have the same elements.
    private static let wrappers: Set = [
        "HashSet", "ArrayList", "LinkedHashSet", "Set", "Array", "List", "set", "list", "tuple", "frozenset",
        "freeze", "unmodifiableList", "unmodifiableSet", "singletonList", "singleton", "setWithArray",
        "arrayWithArray", "copyOf", "NSSet", "NSArray",
    ]
    /// Members of a text or a collection with the same value.
    private static let identities: Set = [
        "toTypedArray", "toList", "toSet", "asList", "toArray", "toMutableList", "stream", "asSequence",
        "asIterable", "trim", "trimIndent", "trimMargin", "strip", "toString", "rawValue", "value", "let",
        "also", "run", "apply", "description", "absoluteString", "copy", "array", "values", "utf8String",
        "clone", "intern", "toHttpUrl", "toHttpUrlOrNull", "toUri", "toURL", "entries", "entrySet", "items",
        "iter", "into_iter", "to_string", "to_owned", "into",
    ]
    /// Members and functions with the host of a URL.
    private static let hosts: Set = ["host", "getHost", "hostname"]
    /// Functions and types that make a URL of a text.
    private static let urls: Set = [
        "URL", "URI", "Uri", "parse", "create", "get", "URLComponents", "NSURL", "Parse",
    ]
    /// Functions that make an empty collection, which later statements fill.
    static let empty: Set = [
        "HashSet", "ArrayList", "LinkedHashSet", "HashMap", "LinkedHashMap", "LinkedList", "TreeMap", "Set",
        "Map",
        "List", "Dictionary", "set", "dict", "list", "Array", "mutableListOf", "mutableMapOf", "mutableSetOf",
    ]
    /// Functions that fill a format.
    private static let formats: Set = ["format", "stringWithFormat", "Sprintf", "sprintf", "Format"]

    /// The value of a call of a known function, or the call itself.
    static func value(of call: SourceCall, in language: SourceLanguage) -> SourceValue {
        let arguments = call.arguments
        let owner = call.path.split(separator: ".").dropLast().last.map(String.init)
        if makers.contains(call.name) || (call.name == "of" && owner.map(types.contains) == true) {
            return .collection(arguments.filter { if case .null = $0.value { false } else { true } })
        }
        if call.name == "of", let owner, owner.hasSuffix("Map") { return .collection(paired(arguments)) }
        if ["Pair", "entry", "Entry", "SimpleEntry"].contains(call.name), arguments.count == 2 {
            return .collection(paired(arguments))
        }
        if wrappers.contains(call.name) {
            if arguments.count == 1, case .collection? = arguments.first?.value { return arguments[0].value }
            if call.name.hasPrefix("singleton") { return .collection(arguments) }
        }
        if empty.contains(call.name), !arguments.isEmpty,
            arguments.allSatisfy({ $0.key != nil && $0.label == nil })
        {
            return .collection(arguments)
        }
        if let result = formatted(call) { return result }
        if arguments.count == 1, let known = truth(of: arguments[0].value) {
            switch call.path {
            case "String.valueOf", "Boolean.toString", "String", "str": return .text(SourceText("\(known)"))
            case "Boolean.valueOf", "Boolean.parseBoolean", "Bool": return .boolean(known)
            case "Boolean" where language == .java: return .boolean(known)
            default: break
            }
        }
        // Of a text, JavaScript and Python ask whether it is empty.
        if ["Boolean", "bool"].contains(call.path), arguments.count == 1,
            let truth = arguments[0].value.truth ?? arguments[0].value.wholeText.map({ !$0.isEmpty })
        {
            return .boolean(truth)
        }
        if call.name == "String", arguments.count == 1, arguments[0].label == nil,
            case .text? = arguments.first?.value
        {
            return arguments[0].value
        }
        return .call(call)
    }

    /// The truth of a boolean, or of its text; `nil` for other values.
    private static func truth(of value: SourceValue) -> Bool? {
        value.truth ?? value.wholeText.flatMap { Bool($0.lowercased()) }
    }

    private static func formatted(_ call: SourceCall) -> SourceValue? {
        let isSwift = call.name == "String" && call.arguments.first?.label == "format"
        guard formats.contains(call.name) || isSwift else { return nil }
        // Java may have a locale in front.
        guard
            let first = call.arguments.firstIndex(where: { if case .text = $0.value { true } else { false } }
            ),
            case .text(let format) = call.arguments[first].value
        else { return nil }
        return .text(format.filled(with: call.arguments[(first + 1)...].map(\.value)))
    }

    private static func paired(_ arguments: [SourceElement]) -> [SourceElement] {
        stride(from: 0, to: arguments.count - 1, by: 2).map { index in
            SourceElement(
                key: arguments[index].value,
                arguments[index + 1].value,
                line: arguments[index].line
            )
        }
    }

    /// The result of a member function; `nil` for functions that are not known.
    static func apply(_ call: SourceCall, to value: SourceValue) -> SourceValue? {
        switch value {
        case .text(let text):
            if call.name == "format" || call.name == "formatted" {
                return .text(text.filled(with: call.arguments.map(\.value)))
            }
            if call.name == "plus" || call.name == "concat", let other = call.arguments.first?.value {
                guard case .text(let second) = other else { return nil }
                return .text(SourceText(text.pieces + second.pieces).merged)
            }
            if call.name == "split", let whole = text.whole,
                let separator = call.arguments.first?.value.wholeText, !separator.isEmpty
            {
                return .collection(parts(of: whole, by: separator, line: call.line))
            }
        case .collection(let elements):
            if ["plus", "concat", "union", "chain"].contains(call.name) {
                return .collection(elements + call.arguments.flatMap { $0.value.elements ?? [$0] })
            }
            if call.name == "get", let key = call.arguments.first?.value.wholeText {
                return elements.first { $0.name == key }?.value
            }
            if ["first", "getFirst", "last", "getKey", "getValue"].contains(call.name) {
                return member(call.name, of: value)
            }
        case .call:
            return call.arguments.isEmpty ? member(call.name, of: value) : nil
        case .boolean where call.name == "booleanValue": return value
        case .boolean, .integer: return call.name == "toString" ? .text(SourceText(value.code)) : nil
        case .other, .closure, .null: return nil
        }
        if hosts.contains(call.name), call.arguments.isEmpty { return member(call.name, of: value) }
        return identities.contains(call.name) && call.arguments.isEmpty ? value : nil
    }

    /// The host of a URL, as a text; `nil` if the text is none.
    private static func host(of url: String) -> SourceValue? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let name = url[scheme.upperBound...].prefix { !"/:?#".contains($0) }
        return name.isEmpty ? nil : .text(SourceText(String(name)))
    }

    private static func parts(of text: String, by separator: String, line: Int) -> [SourceElement] {
        var parts: [SourceElement] = []
        var rest = text[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(SourceElement(.text(SourceText(String(rest[..<range.lowerBound]))), line: line))
            rest = rest[range.upperBound...]
        }
        return parts + [SourceElement(.text(SourceText(String(rest))), line: line)]
    }

    /// The member of a value; `nil` for members that are not known.
    static func member(_ name: String, of value: SourceValue) -> SourceValue? {
        switch value {
        case .collection(let elements):
            if let element = elements.first(where: { $0.name == name }) { return element.value }
            // A pair of a dictionary.
            if elements.count == 1, let pair = elements.first, let key = pair.key {
                if ["key", "first", "getKey", "component1", "Key", "0"].contains(name) { return key }
                if ["value", "second", "getValue", "component2", "Value", "1"].contains(name) {
                    return pair.value
                }
            }
            if name == "first" || name == "getFirst" { return elements.first?.value }
            if name == "last" { return elements.last?.value }
            return identities.contains(name) ? value : nil
        case .call(let call):
            if hosts.contains(name), let text = call.arguments.first?.value.wholeText,
                urls.contains(call.name)
            {
                return host(of: text)
            }
            return call.argument(name)
        case .text(let text):
            if hosts.contains(name), let whole = text.whole { return host(of: whole) }
            return identities.contains(name) ? value : nil
        default: return nil
        }
    }
}

extension SourceText {
    /// The most bytes of a format that is filled.
    private static let longestFilled = 1 << 18

    /// Puts values in the places of a format: `%s`, `%@`, `%1$s`, `{}`, `{0}`.
    func filled(with values: [SourceValue]) -> SourceText {
        guard let format = whole else { return self }
        var result: [SourceToken.Piece] = []
        var next = 0
        var size = 0
        var rest = format[...]
        while let start = rest.firstIndex(where: { $0 == "%" || $0 == "{" }) {
            result.append(.text(String(rest[..<start])))
            rest = rest[start...]
            let isPercent = rest.first == "%"
            let body = rest.dropFirst().prefix { $0.isNumber || $0 == "$" || $0 == "." }
            let behind = rest.dropFirst(1 + body.count)
            let isPlace = isPercent ? behind.first.map { "s@d".contains($0) } == true : behind.first == "}"
            guard isPlace else {
                result.append(.text(String(rest.removeFirst())))
                continue
            }
            let digits = body.prefix { $0.isNumber }
            let number = isPercent ? (body.contains("$") ? Int(digits).map { $0 - 1 } : nil) : Int(digits)
            let place = number ?? next
            next += 1
            let isKnown = values.indices.contains(place) && size < Self.longestFilled
            let pieces = isKnown ? values[place].pieces : [.expression("?")]
            size += SourceText(pieces).size
            result += pieces
            rest = behind.dropFirst()
        }
        return SourceText(result + [.text(String(rest))]).merged
    }
}
