/// The tokens of one file of source code, with its brackets.
package struct SourceCode: Sendable {
    /// The file's name; empty if it has none.
    package let name: String
    /// The language by whose rules the tokens were divided.
    package let language: SourceLanguage
    /// The tokens in their order.
    package let tokens: [SourceToken]
    /// The brackets and ends that follow from the tokens; one object, so that the code is passed on at little cost.
    private let layout: Layout

    private final class Layout: Sendable {
        /// The other bracket of each bracket, and the end of the code for one that is not closed; -1 for other tokens.
        let partners: [Int]
        /// The innermost opening bracket around each token; -1 if there is none.
        let parents: [Int]
        /// The end of the value and of the statement to which each token belongs: the next semicolon, the end of its
        /// line or of the brackets around it; a value ends with a comma, too.
        let ends: [(value: Int, statement: Int)]
        /// The tokens that `#if DEBUG` leaves to debug builds, in their order and apart from each other.
        let debugBranches: [Range<Int>]

        init(_ tokens: [SourceToken], _ language: SourceLanguage) {
            var open: [Int] = []
            var partners = [Int](repeating: -1, count: tokens.count)
            var parents: [Int] = []
            parents.reserveCapacity(tokens.count)
            for (index, token) in tokens.enumerated() {
                var isOpening = false
                if case .mark(let mark) = token.kind {
                    switch mark {
                    case "(", "[", "{": isOpening = true
                    case ")", "]", "}":
                        guard let start = open.popLast() else { break }
                        partners[start] = index
                        partners[index] = start
                    default: break
                    }
                }
                parents.append(open.last ?? -1)
                if isOpening { open.append(index) }
            }
            for start in open { partners[start] = tokens.count }
            self.partners = partners
            self.parents = parents
            debugBranches = SourceCode.debugBranches(in: tokens)
            // From the last token to the first, over the brackets within.
            let last = (value: tokens.count, statement: tokens.count)
            var ends = [(value: Int, statement: Int)](repeating: last, count: tokens.count + 1)
            for index in tokens.indices.reversed() {
                let partner = partners[index]
                let isClosing = partner >= 0 && partner < index
                let endsLine =
                    language.endsStatementsWithLine && SourceCode.endsLine(before: index, in: tokens)
                if isClosing || endsLine || tokens[index].isMark(";") {
                    ends[index] = (index, index)
                } else {
                    ends[index] = ends[partner > index ? min(partner + 1, tokens.count) : index + 1]
                    if tokens[index].isMark(",") { ends[index].value = index }
                }
            }
            self.ends = ends
        }
    }

    /// Divides source code into tokens and finds its brackets.
    ///
    /// - Parameters:
    ///   - bytes: The source code in UTF-8.
    ///   - name: The file's name, for its language; `nil` if it has none.
    ///   - language: The language; `nil` takes the one that the name tells.
    package init(_ bytes: [UInt8], name: String? = nil, _ language: SourceLanguage? = nil) {
        let language = language ?? name.flatMap { SourceLanguage(fileName: $0) } ?? .unknown
        self.init(SourceLexer.tokens(in: bytes, language), name: name ?? "", language)
    }

    init(_ all: [SourceToken], name: String, _ language: SourceLanguage) {
        let tokens = Self.joined(all, language)
        self.name = name
        self.language = language
        self.tokens = tokens
        layout = Layout(tokens, language)
    }

    /// The most bytes of literals that are joined; names are shorter.
    private static let longestJoined = 1024

    /// Joins the literals of a line that the code joins by `+` or `.`: `"verify_" + "peer"` is one name.
    private static func joined(_ tokens: [SourceToken], _ language: SourceLanguage) -> [SourceToken] {
        let sign: Character = language == .php ? "." : "+"
        var result: [SourceToken] = []
        result.reserveCapacity(tokens.count)
        for (index, token) in tokens.enumerated() {
            // An operator that binds closer, or a member, belongs to the second literal alone.
            let isOperand = index + 1 < tokens.count && tokens[index + 1].isMark(of: "%*.[(")
            if case .literal(let pieces) = token.kind, !isOperand || language == .php,
                result.last?.isMark(sign) == true, let first = result.dropLast().last,
                first.line == token.line,
                case .literal(let before) = first.kind,
                case let text = SourceText(before + pieces), text.size < longestJoined,
                result.dropLast(2).last?.isMark(of: "%*") != true
            {
                result.removeLast(2)
                result.append(
                    SourceToken(kind: .literal(text.merged.pieces), line: first.line, column: first.column)
                )
            } else {
                result.append(token)
            }
        }
        return result
    }

    /// Finds the branches of `#if DEBUG`, up to its `#else` or `#endif`.
    static func debugBranches<Tokens: RandomAccessCollection<SourceToken>>(
        in tokens: Tokens
    ) -> [Range<Int>] where Tokens.Index == Int {
        var branches: [Range<Int>] = []
        // The starts of the branches of debug builds that are open; `nil` for other branches.
        var open: [Int?] = []
        var openDebugBranches = 0
        func finish(_ end: Int) {
            guard let start = open.popLast() ?? nil else { return }
            openDebugBranches -= 1
            // The outermost branch holds those within.
            if openDebugBranches == 0 { branches.append(start..<end) }
        }
        for index in tokens.indices.dropLast() where tokens[index].isMark("#") {
            switch tokens[index + 1].name {
            case "if", "ifdef":
                let isDebug = isDebugCondition(tokens[(index + 2)...], line: tokens[index].line)
                open.append(isDebug ? index : nil)
                if isDebug { openDebugBranches += 1 }
            case "else", "elif", "elseif":
                finish(index)
                open.append(nil)
            case "endif": finish(index)
            default: break
            }
        }
        while !open.isEmpty { finish(tokens.count) }
        return branches
    }

    /// Whether the condition on the rest of a line holds in debug builds alone.
    private static func isDebugCondition(_ tokens: some Collection<SourceToken>, line: Int) -> Bool {
        guard let first = tokens.first, first.line == line, first.name == "DEBUG" else { return false }
        let last = tokens.first { $0.line != line || $0.isMark(of: "#|") }
        return last?.line != line || last?.isMark("#") == true
    }

    /// Whether `#if DEBUG` leaves a token to debug builds.
    package func isInDebugBranch(_ index: Int) -> Bool {
        let branches = layout.debugBranches
        var (low, high) = (0, branches.count)
        while low < high {
            let middle = (low + high) / 2
            if branches[middle].upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return low < branches.count && branches[low].contains(index)
    }

    /// The other bracket of a bracket; -1 for other tokens.
    private func partner(of index: Int) -> Int {
        layout.partners.indices.contains(index) ? layout.partners[index] : -1
    }

    /// The closing bracket of an opening one, or the end of the code.
    package func end(of start: Int) -> Int {
        let partner = partner(of: start)
        return partner > start ? partner : tokens.count
    }

    /// The opening bracket of a closing one; `nil` if there is none.
    package func start(of end: Int) -> Int? {
        let partner = partner(of: end)
        return partner >= 0 && partner < end ? partner : nil
    }

    /// The innermost opening bracket around a token; `nil` if there is none.
    package func parent(of index: Int) -> Int? {
        guard layout.parents.indices.contains(index), layout.parents[index] >= 0 else { return nil }
        return layout.parents[index]
    }

    /// The most brackets around a token that are asked for; code of people is not nested deeper.
    private static let deepest = 256

    /// The opening brackets around a token, the innermost first; each is found when it is asked for.
    package func ancestors(of index: Int) -> some Sequence<Int> {
        sequence(state: index) { place in
            let found = parent(of: place)
            place = found ?? -1
            return found
        }.prefix(Self.deepest)
    }

    /// The token at an index; `nil` outside of the code.
    package subscript(index: Int) -> SourceToken? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }

    /// Whether a token is this character.
    package func isMark(_ character: Character, at index: Int) -> Bool {
        self[index]?.isMark(character) == true
    }

    /// The line of a token, or of the last one.
    package func line(of index: Int) -> Int { (self[index] ?? tokens.last)?.line ?? 1 }

    /// The code of some tokens, for messages.
    package func text(_ range: Range<Int>) -> String {
        var text = ""
        for index in range.clamped(to: tokens.startIndex..<tokens.endIndex) {
            let token = tokens[index]
            // Names beside each other would become one.
            if token.name != nil, index > range.lowerBound, tokens[index - 1].name != nil { text += " " }
            text += token.code
            guard text.utf8.count < 80 else { return text + "…" }
        }
        return text
    }

    /// The end of the statement that holds a token: the index behind its last token.
    package func statementEnd(from start: Int) -> Int {
        isMark(";", at: start) ? start : ends(behind: start).statement
    }

    /// The end of the argument or the setting whose value begins at a token: the next comma or semicolon, or the end
    /// of its line, over brackets within.
    package func valueEnd(from start: Int) -> Int {
        self[start]?.isMark(of: ",;") == true ? start : ends(behind: start).value
    }

    private func ends(behind start: Int) -> (value: Int, statement: Int) {
        let next = max(start, partner(of: start)) + 1
        return layout.ends.indices.contains(next) ? layout.ends[next] : (tokens.count, tokens.count)
    }

    /// Whether a line ends in front of a token, and its statement with it.
    package func endsLine(before index: Int) -> Bool { Self.endsLine(before: index, in: tokens) }

    private static func endsLine(before index: Int, in tokens: [SourceToken]) -> Bool {
        guard index > 0, index < tokens.count, tokens[index].line > tokens[index - 1].line else {
            return false
        }
        if tokens[index].isMark(of: ".?:+&|=,)]*") { return false }
        return !tokens[index - 1].isMark(of: "=+.,(&|?:[{<-*")
    }
}
