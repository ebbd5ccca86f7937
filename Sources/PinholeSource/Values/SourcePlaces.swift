/// The places of the elements between two brackets.
struct SourcePlaces {
    /// The first token of the element.
    let start: Int
    /// The colon, arrow, equals sign or `to` behind its key; `nil` if there is none.
    let separator: Int?
    /// The first token of the value.
    let value: Int
    /// The index behind the element.
    let end: Int

    /// Finds the elements.
    static func all(in bracket: Int, of code: SourceCode) -> [SourcePlaces] {
        var places: [SourcePlaces] = []
        let limit = code.end(of: bracket)
        var start = bracket + 1
        while start < limit {
            let place = place(from: start, before: limit, in: code)
            if place.start < place.end { places.append(place) }
            start = place.end + 1
        }
        return places
    }

    /// The element that begins at an index, over the brackets within.
    private static func place(from start: Int, before limit: Int, in code: SourceCode) -> SourcePlaces {
        var index = start
        var separator: (first: Int, length: Int)?
        var isChoice = false
        while index < limit {
            let token = code.tokens[index]
            // A semicolon may end the fields of an object; `const` values of Go end with their lines.
            if token.isMark(of: ",;") { break }
            // The colon of `a ? b : c` is behind no key.
            if token.isMark("?") { isChoice = true }
            if separator == nil, index > start {
                separator = length(ofSeparatorAt: index, isChoice, in: code).map { (index, $0) }
                if let separator, separator.length > 1 { index += separator.length - 1 }
            }
            if token.isMark("<"), let close = code.typeEnd(from: index) {
                index = close + 1
            } else {
                index = token.isMark(of: "([{") ? code.end(of: index) + 1 : index + 1
            }
        }
        return SourcePlaces(
            start: start,
            separator: separator?.first,
            value: separator.map { $0.first + $0.length } ?? start,
            end: min(index, limit)
        )
    }

    /// The number of tokens of a separator that begins at an index; `nil` if there is none.
    private static func length(ofSeparatorAt index: Int, _ isChoice: Bool, in code: SourceCode) -> Int? {
        let token = code.tokens[index]
        if token.name == "to" { return 1 }
        if token.isMark(":"), !isChoice { return code.isMark(":", at: index + 1) ? nil : 1 }
        guard token.isMark("="), let next = code[index + 1] else { return nil }
        if next.isMark(">") {
            // The parameters of a closure stand in front of its arrow; the key of PHP is a literal or a name.
            return code.language == .php ? 2 : nil
        }
        let before = code.tokens[index - 1]
        return next.isMark("=") || before.isMark(of: "=!<>+") ? nil : 1
    }
}

extension SourceCode {
    /// The closing mark of the types between `<` and `>`: `<String, List<Pin>>`; `nil` if the mark compares.
    func typeEnd(from start: Int) -> Int? {
        var depth = 0
        var index = start
        while let token = self[index], index - start < 40 {
            if token.isMark("<") {
                depth += 1
            } else if token.isMark(">") {
                depth -= 1
                if depth == 0 { return index }
            } else if token.name == nil, !token.isMark(of: ",.?[]*&:") {
                return nil
            }
            index += 1
        }
        return nil
    }
}
