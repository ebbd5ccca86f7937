/// The tokens of one file of source code, with its brackets.
package struct SourceCode: Sendable {
    /// The file's name; empty if it has none.
    package let name: String
    /// The language by whose rules the tokens were divided.
    package let language: SourceLanguage
    /// The tokens in their order.
    package let tokens: [SourceToken]
    /// The closing bracket of each opening one, by the indices of tokens; the end of the code if there is none.
    private let ends: [Int: Int]
    /// The opening bracket of each closing one.
    private let starts: [Int: Int]
    /// The innermost opening bracket around each token; -1 if there is none.
    private let parents: [Int]
    /// The tokens that `#if DEBUG` leaves to debug builds, in their order and apart from each other.
    private let debugBranches: [Range<Int>]

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

    init(_ tokens: [SourceToken], name: String, _ language: SourceLanguage) {
        self.name = name
        self.language = language
        self.tokens = tokens
        var open: [Int] = []
        var ends: [Int: Int] = [:]
        var starts: [Int: Int] = [:]
        var parents: [Int] = []
        parents.reserveCapacity(tokens.count)
        for (index, token) in tokens.enumerated() {
            guard case .mark(let mark) = token.kind else {
                parents.append(open.last ?? -1)
                continue
            }
            switch mark {
            case "(", "[", "{":
                parents.append(open.last ?? -1)
                open.append(index)
            case ")", "]", "}":
                if let start = open.popLast() {
                    ends[start] = index
                    starts[index] = start
                }
                parents.append(open.last ?? -1)
            default: parents.append(open.last ?? -1)
            }
        }
        for start in open { ends[start] = tokens.count }
        self.ends = ends
        self.starts = starts
        self.parents = parents
        debugBranches = Self.debugBranches(in: tokens)
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
        var (low, high) = (0, debugBranches.count)
        while low < high {
            let middle = (low + high) / 2
            if debugBranches[middle].upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return low < debugBranches.count && debugBranches[low].contains(index)
    }

    /// The closing bracket of an opening one, or the end of the code.
    package func end(of start: Int) -> Int { ends[start] ?? tokens.count }

    /// The opening bracket of a closing one; `nil` if there is none.
    package func start(of end: Int) -> Int? { starts[end] }

    /// The innermost opening bracket around a token; `nil` if there is none.
    package func parent(of index: Int) -> Int? {
        guard parents.indices.contains(index), parents[index] >= 0 else { return nil }
        return parents[index]
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
        let limit = parent(of: start).map { end(of: $0) } ?? tokens.count
        var index = start
        while index < limit {
            if tokens[index].isMark(";") { return index }
            if index > start, language.endsStatementsWithLine, endsLine(before: index) { return index }
            index = ends[index].map { $0 + 1 } ?? index + 1
        }
        return limit
    }

    /// Whether a line ends in front of a token, and its statement with it.
    package func endsLine(before index: Int) -> Bool {
        guard index > 0, index < tokens.count, tokens[index].line > tokens[index - 1].line else {
            return false
        }
        if tokens[index].isMark(of: ".?:+&|=,)]*") { return false }
        return !tokens[index - 1].isMark(of: "=+.,(&|?:[{<-*")
    }
}
