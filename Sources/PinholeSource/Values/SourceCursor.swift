/// Reads one expression of source code.
struct SourceCursor {
    private let evaluator: SourceEvaluator
    private let range: Range<Int>
    private let bindings: SourceEvaluator.Bindings
    private let depth: Int
    private var index: Int

    private var code: SourceCode { evaluator.code }

    /// Words in front of a value that say nothing about it.
    private static let prefixes: Set = [
        "const", "new", "try", "await", "lazy", "final", "return", "mut", "static", "readonly",
    ]
    /// Operators between a value and its other type.
    private static let casts: Set = ["as", "satisfies"]

    init(
        _ evaluator: SourceEvaluator,
        _ range: Range<Int>,
        _ bindings: SourceEvaluator.Bindings,
        _ depth: Int
    ) {
        self.evaluator = evaluator
        self.range = range
        self.bindings = bindings
        self.depth = depth
        index = range.lowerBound
    }

    private func isMark(_ character: Character) -> Bool {
        index < range.upperBound && code.isMark(character, at: index)
    }

    /// Reads the expression: values joined by `+`; anything else makes it unknown.
    mutating func expression() -> SourceValue {
        skipPrefixes()
        if let closure = evaluator.closure(at: index, before: range.upperBound) { return .closure(closure) }
        if let truth = SourceLogic(evaluator, bindings, depth).truth(of: index..<range.upperBound) {
            return .boolean(truth)
        }
        guard var value = operand() else { return evaluator.unknown(range) }
        var isJoined = false
        while index < range.upperBound {
            if isMark("+") {
                index += 1
                skipPrefixes()
                let start = index
                guard let next = operand(), evaluator.hasRoom(for: next),
                    isJoined || evaluator.hasRoom(for: value)
                else { return evaluator.unknown(range) }
                join(next, to: &value, line: code.line(of: start))
                isJoined = true
            } else if let name = code.tokens[index].name, Self.casts.contains(name) {
                return value
            } else if isMark("%"), code.language == .python, case .text(let format) = value {
                return formatted(format, with: index + 1)
            } else if isMark("?") || isMark("|"), isKnown(value), isDefault(at: index) {
                // `value ?? other`, `value ?: other`, `value || other`: the value is there.
                return value
            } else if isMark(";") {
                return value
            } else {
                return evaluator.unknown(range)
            }
        }
        return value
    }

    private func isKnown(_ value: SourceValue) -> Bool {
        switch value {
        case .text(let text): text.whole != nil
        case .collection, .integer: true
        default: false
        }
    }

    private func isDefault(at place: Int) -> Bool {
        ["?", ":", "|"].contains { code.isMark($0, at: place + 1) }
    }

    private mutating func skipPrefixes() {
        while index < range.upperBound {
            let token = code.tokens[index]
            if let name = token.name, Self.prefixes.contains(name), index + 1 < range.upperBound {
                index += 1
            } else if token.isMark(of: "@&!") || (token.isMark("*") && code.language != .python) {
                // `@[`, `@YES`, `&tls.Config`, `try!`; a negation is no value that is known.
                if token.isMark("!"), index == range.lowerBound { return }
                index += 1
            } else if isCast {
                index = code.end(of: index) + 1
            } else {
                return
            }
        }
    }

    /// Whether a type in parentheses stands there, as `(NSString *)` or `(String)`, with a value behind it.
    private var isCast: Bool {
        guard isMark("(") else { return false }
        let close = code.end(of: index)
        guard close + 1 < range.upperBound, close > index + 1 else { return false }
        let next = code.tokens[close + 1]
        guard next.name != nil || next.isLiteral || next.isMark(of: "[@(") else { return false }
        if let name = next.name, Self.casts.contains(name) || name == "in" || name == "to" { return false }
        return ((index + 1)..<close).allSatisfy {
            code.tokens[$0].name != nil || code.tokens[$0].isMark(of: "*<>[]")
        }
    }

    private func join(_ second: SourceValue, to first: inout SourceValue, line: Int) {
        if case .integer(let left) = first, case .integer(let right) = second {
            first = .integer(left &+ right)
        } else if case .collection(var elements) = first {
            // Without another owner, the elements grow in their place.
            first = .null
            elements += second.elements ?? [SourceElement(second, line: line)]
            first = .collection(elements)
        } else {
            var text = SourceText(first.pieces)
            first = .null
            text.append(second.pieces)
            first = .text(text)
        }
    }

    /// Reads a value with the members and calls behind it.
    private mutating func operand() -> SourceValue? {
        guard index < range.upperBound, var value = primary() else { return nil }
        while index < range.upperBound {
            var place = index
            while place < range.upperBound, code.tokens[place].isMark(of: "?!") { place += 1 }
            if place > index, place >= range.upperBound || !code.tokens[place].isMark(of: ".[") {
                // `value!` and `value?` alone; `value ?? other` is seen by the caller.
                guard code.isMark("!", at: index), !code.isMark("=", at: place) else { return value }
                index = place
                continue
            }
            guard place < range.upperBound else { return value }
            if code.isMark(".", at: place), let name = code[place + 1]?.name, place + 1 < range.upperBound {
                index = place + 2
                value = member(name, of: value, from: place)
            } else if code.isMark("[", at: place), place == index || code.isMark("?", at: index) {
                index = code.end(of: place) + 1
                value = element(in: place, of: value)
            } else {
                return value
            }
        }
        return value
    }

    private mutating func primary() -> SourceValue? {
        let start = index
        let token = code.tokens[index]
        switch token.kind {
        case .literal: return literal()
        case .mark("["): return bracketed()
        case .mark("{"):
            index = code.end(of: index) + 1
            return .collection(evaluator.elements(in: start, bindings, depth))
        case .mark("("):
            index = code.end(of: index) + 1
            let places = SourcePlaces.all(in: start, of: code)
            guard places.count == 1, let only = places.first, only.separator == nil else {
                return .collection(evaluator.elements(in: start, bindings, depth))
            }
            return evaluator.value(only.start..<only.end, bindings, depth + 1)
        // The type of the elements of a collection in Dart: `<String>['a']`.
        case .mark("<"):
            guard let close = code.typeEnd(from: index), close + 1 < range.upperBound,
                !code.isMark("<", at: close + 1)
            else { return nil }
            index = close + 1
            return primary()
        // A member whose type is known: `.pinCertificates(…)`.
        case .mark("."):
            guard code[index + 1]?.name != nil, index + 1 < range.upperBound else { return nil }
            index += 1
            return primary()
        case .mark: return nil
        case .name(let name): return named(name)
        }
    }

    private mutating func literal() -> SourceValue {
        var pieces: [SourceToken.Piece] = []
        let first = index
        while index < range.upperBound, case .literal(let parts) = code.tokens[index].kind,
            index == first || code.language.joinsLiterals
        {
            evaluator.use(index)
            for part in parts {
                guard case .expression(let expression) = part else {
                    pieces.append(part)
                    continue
                }
                pieces += evaluator.pieces(ofTemplate: expression, at: index, bindings)
            }
            index += 1
        }
        let value = SourceValue.text(SourceText(pieces).merged)
        return pieces.count == 1 || evaluator.hasRoom(for: value) ? value : evaluator.unknown(first..<index)
    }

    /// Reads an array, a dictionary or a message of Objective-C.
    private mutating func bracketed() -> SourceValue {
        let start = index
        let end = code.end(of: start)
        index = end + 1
        // A slice of Go: `[]string{…}`, `[2]string{…}`.
        if end <= start + 2, code[end + 1]?.name != nil, code.isMark("{", at: end + 2),
            end + 2 < range.upperBound
        {
            index = code.end(of: end + 2) + 1
            return .collection(evaluator.elements(in: end + 2, bindings, depth))
        }
        // An array of C#: `new[] {…}`.
        if end == start + 1, code.isMark("{", at: end + 1), end + 1 < range.upperBound {
            index = code.end(of: end + 1) + 1
            return .collection(evaluator.elements(in: end + 1, bindings, depth))
        }
        let isLiteral = code.isMark("@", at: start - 1)
        if !isLiteral, let message = message(in: start) { return message }
        return .collection(evaluator.elements(in: start, bindings, depth))
    }

    /// Reads `[receiver name]` or `[receiver name:value other:value]`.
    private func message(in bracket: Int) -> SourceValue? {
        guard code.language == .objectiveC || code.language == .unknown else { return nil }
        let end = code.end(of: bracket)
        var place = bracket + 1
        guard place < end, let receiver = code[place] else { return nil }
        if receiver.isMark(of: "[(") {
            place = code.end(of: place) + 1
        } else if receiver.name != nil {
            place += 1
        } else {
            return nil
        }
        guard place < end, let first = code[place]?.name else { return nil }
        var parts: [String] = []
        var arguments: [SourceElement] = []
        while place < end, let part = code[place]?.name, code.isMark(":", at: place + 1) {
            var stop = place + 2
            while stop < end {
                let isNext = code[stop]?.name != nil && code.isMark(":", at: stop + 1) && stop > place + 2
                if isNext, !code.isMark("?", at: stop - 1) { break }
                stop = code.tokens[stop].isMark(of: "([{") ? code.end(of: stop) + 1 : stop + 1
            }
            parts.append(part)
            // The arguments of a function with any number of them follow with commas.
            for (position, range) in divided((place + 2)..<min(stop, end)).enumerated() {
                let value = evaluator.value(range, bindings, depth + 1)
                let label = position == 0 ? part : nil
                arguments.append(SourceElement(label: label, value, line: code.line(of: place)))
            }
            place = stop
        }
        let receiverText = code.text((bracket + 1)..<(bracket + 2))
        let name = parts.isEmpty ? first : parts.map { $0 + ":" }.joined()
        let call = SourceCall(
            name: first,
            path: "\(receiverText) \(name)",
            arguments: arguments,
            code: code.text(bracket..<(end + 1)),
            line: code.line(of: bracket)
        )
        return SourceFunctions.value(of: call, in: code.language)
    }

    /// Divides a range at its commas, over the brackets within.
    private func divided(_ range: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        var place = start
        while place < range.upperBound {
            if code.isMark(",", at: place) {
                parts.append(start..<place)
                start = place + 1
            }
            place = code.tokens[place].isMark(of: "([{") ? code.end(of: place) + 1 : place + 1
        }
        return parts + [start..<max(start, range.upperBound)]
    }

    /// The value of a word of a language or of its library; `nil` for other names.
    private static func constant(_ name: String) -> SourceValue? {
        switch name {
        case "YES", "true", "TRUE", "True", "Boolean.TRUE", "java.lang.Boolean.TRUE": .boolean(true)
        case "NO", "false", "FALSE", "False", "Boolean.FALSE", "java.lang.Boolean.FALSE": .boolean(false)
        case "nil", "null", "None", "undefined", "NULL": .null
        default: nil
        }
    }

    private mutating func named(_ name: String) -> SourceValue {
        let start = index
        index += 1
        if let value = Self.constant(name) { return value }
        if let number = Int64(name.filter { $0 != "_" }) { return .integer(number) }
        // A dictionary of Go: `map[string]string{…}`.
        if name == "map", isMark("["), code.language == .go {
            while index < range.upperBound, !isMark("{") { index += 1 }
            let brace = index
            index = min(code.end(of: brace) + 1, range.upperBound)
            return .collection(evaluator.elements(in: brace, bindings, depth))
        }
        if isMark("<"), let close = code.typeEnd(from: index), close + 1 < range.upperBound,
            code.tokens[close + 1].isMark(of: "([{")
        {
            index = close + 1
        }
        // An array of Java or C#: `String[] {…}`.
        if isMark("["), code.end(of: index) == index + 1, code.isMark("{", at: index + 2) {
            index += 2
        }
        if isMark("(") || (isMark("{") && startsBody) { return call(name, from: start) }
        return evaluator.lookUp(name, at: start, bindings) ?? evaluator.unknown(start..<index)
    }

    /// Whether the braces behind a name belong to it.
    private var startsBody: Bool {
        guard code.isMark("{", at: index) else { return false }
        return ![.script, .python].contains(code.language)
    }

    /// Reads the brackets and closures behind the name of a call.
    private mutating func arguments(ofMember isMember: Bool) -> [SourceElement] {
        var arguments: [SourceElement] = []
        while isMark("(") || isMark("{") {
            let open = index
            index = code.end(of: open) + 1
            if code.isMark("{", at: open), let closure = evaluator.closure(at: open, before: range.upperBound)
            {
                arguments.append(SourceElement(.closure(closure), line: code.line(of: open)))
            } else if !isMember, code.isMark("{", at: open), code.isMark("{", at: open + 1) {
                arguments += statements(in: open + 1)
            } else {
                arguments += evaluator.elements(in: open, bindings, depth)
            }
            if !isMember, code.isMark("(", at: open), isMark("("), code.language != .swift { break }
        }
        return arguments
    }

    private mutating func call(_ name: String, from start: Int) -> SourceValue {
        let bracket = index
        // The elements of `String[] {…}` are the value.
        if isMark("{"), code.isMark("]", at: index - 1) {
            index = code.end(of: index) + 1
            return .collection(evaluator.elements(in: bracket, bindings, depth))
        }
        let arguments = arguments(ofMember: false)
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let call = SourceCall(
            name: last,
            path: name,
            arguments: labelled(arguments, of: last),
            code: code.text(start..<min(index, range.upperBound)),
            line: code.line(of: start)
        )
        // `PINS.map { … }`: a call of a member of a value that is known.
        let owner = name.dropLast(last.count + 1)
        if !owner.isEmpty,
            let base = Self.constant(String(owner)) ?? evaluator.lookUp(String(owner), at: start, bindings),
            let value = apply(call, to: base)
        {
            return value
        }
        if arguments.isEmpty, let value = evaluator.lookUp(name, at: start, bindings) { return value }
        return SourceFunctions.value(of: call, in: code.language)
    }

    /// The elements that the first statements of an object put into it: `new HashMap<>() {{ put("a", "b"); }}`.
    private func statements(in bracket: Int) -> [SourceElement] {
        evaluator.elements(in: bracket, bindings, depth).flatMap { element -> [SourceElement] in
            guard case .call(let call) = element.value, call.name == "put" || call.name == "add" else {
                return []
            }
            guard call.arguments.count == 2 else { return call.arguments }
            let (key, value) = (call.arguments[0].value, call.arguments[1].value)
            return [SourceElement(key: key, value, line: element.line)]
        }
    }

    /// The arguments of a class of the same file, with the names of its parameters.
    private func labelled(_ arguments: [SourceElement], of name: String) -> [SourceElement] {
        guard let names = evaluator.parameters[name] else { return arguments }
        return arguments.enumerated().map { position, argument in
            guard argument.label == nil, position < names.count else { return argument }
            return SourceElement(label: names[position], argument.value, line: argument.line)
        }
    }

    private mutating func member(_ name: String, of value: SourceValue, from place: Int) -> SourceValue {
        var value = value
        for part in name.split(separator: ".").dropLast() {
            guard let next = SourceFunctions.member(String(part), of: value) else { return skipMember(place) }
            value = next
        }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        if isMark("<"), let close = code.typeEnd(from: index), code.isMark("(", at: close + 1) {
            index = close + 1
        }
        guard isMark("(") || (isMark("{") && startsBody) else {
            return SourceFunctions.member(last, of: value) ?? unknownMember(place)
        }
        guard case .call(let call) = callOfMember(last, place) else { return skipMember(place) }
        if let result = apply(call, to: value) { return result }
        // The settings of a builder are arguments of the value that it builds.
        guard case .call(let base) = value else { return unknownMember(place) }
        return .call(
            SourceCall(
                name: last,
                path: "\(base.path).\(last)",
                arguments: call.arguments,
                code: base.code + call.code,
                line: call.line
            )
        )
    }

    private mutating func callOfMember(_ name: String, _ place: Int) -> SourceValue {
        let arguments = arguments(ofMember: true)
        return .call(
            SourceCall(
                name: name,
                path: name,
                arguments: arguments,
                code: code.text(place..<min(index, range.upperBound)),
                line: code.line(of: place)
            )
        )
    }

    private mutating func skipMember(_ place: Int) -> SourceValue {
        while isMark("(") || isMark("{") { index = code.end(of: index) + 1 }
        return unknownMember(place)
    }

    private func unknownMember(_ place: Int) -> SourceValue {
        evaluator.unknown(range.lowerBound..<min(index, range.upperBound))
    }

    /// Returns the result of a member function that is known; `nil` for other functions.
    private func apply(_ call: SourceCall, to value: SourceValue) -> SourceValue? {
        let closure = call.arguments.last.flatMap { element -> SourceClosure? in
            guard case .closure(let closure) = element.value else { return nil }
            return closure
        }
        if let closure, ["map", "flatMap", "compactMap", "mapNotNull"].contains(call.name),
            let elements = value.elements
        {
            return .collection(
                elements.flatMap { element -> [SourceElement] in
                    let value = evaluator.result(of: closure, for: element, bindings, depth + 1)
                    guard evaluator.hasRoom(for: value) else { return [] }
                    if call.name == "flatMap", let inner = value.elements { return inner }
                    return [SourceElement(value, line: element.line)]
                }
            )
        }
        return SourceFunctions.apply(call, to: value).flatMap { evaluator.hasRoom(for: $0) ? $0 : nil }
    }

    private func element(in bracket: Int, of value: SourceValue) -> SourceValue {
        let key = evaluator.value((bracket + 1)..<code.end(of: bracket), bindings, depth + 1)
        switch (value, key) {
        case (.collection(let elements), .integer(let number)):
            guard elements.indices.contains(Int(clamping: number)) else { return evaluator.unknown(range) }
            return elements[Int(clamping: number)].value
        case (.collection(let elements), .text(let text)):
            return elements.first { $0.name == text.whole }?.value ?? evaluator.unknown(range)
        default: return evaluator.unknown(range)
        }
    }

    /// Fills a format of Python: `"sha256/%s" % pin`.
    private func formatted(_ format: SourceText, with place: Int) -> SourceValue {
        let value = evaluator.value(place..<range.upperBound, bindings, depth + 1)
        return .text(format.filled(with: value.elements.map { $0.map(\.value) } ?? [value]))
    }
}
