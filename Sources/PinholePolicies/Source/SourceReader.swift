import PinholeSource

/// The reader of one kind of source code.
///
/// One more kind is one more file in `Readers`, and a line in ``all``.
struct SourceReader: Sendable {
    /// The kind, for users.
    let title: String
    /// The names and texts of which one stands in every file of the kind.
    let marks: [String]
    /// The marks that other code has, too, so that they say nothing about trust by themselves.
    var commonMarks: Set<String> = []
    /// Further words that concern trust, by which a file is told that no reader reads.
    var signs: [String] = []
    /// The beginnings of literals of which one stands in a file of the kind that has no mark.
    var beginnings: [String] = []
    /// The languages of the kind; empty for every language.
    var languages: Set<SourceLanguage> = []
    /// Whether code is of the kind that has only marks which other code has, too; `nil` if the marks are enough.
    ///
    /// Code that no reader reads is told as such. A reader that took it for its own would say that nothing was found.
    var isOfKind: (@Sendable (SourceCode) -> Bool)?
    /// Judges the code, and adds policies and findings.
    let judge: @Sendable (inout SourceReading) -> Void

    /// All readers, in the order in which their policies are told.
    static let all: [SourceReader] = [
        .trustKit, .alamofire, .okHttp, .afNetworking, .urlSession, .cronet, .curlOptions, .fingerprints,
        .callbacks, .trustManagers, .netty, .node, .go, .python, .rust, .expo, .capacitor, .switches,
        .verifyOption, .erlang, .lua, .developmentProxy, .cleartext,
    ]

    /// Reads the code: judges the places that the reader knows, and asks about those that it cannot see.
    func read(_ reading: inout SourceReading) {
        judge(&reading)
        reading.askAboutMarks(of: self)
    }

    /// Whether code is of the kind.
    func concerns(_ code: SourceCode, _ words: Set<String>) -> Bool {
        // Text for people may quote code of any language.
        let isOpen =
            code.language == .unknown && SourceLanguage.hasNoEnding(code.name)
            && !SourceLanguage.isProse(code.name)
        guard languages.isEmpty || isOpen || languages.contains(code.language) else { return false }
        let found = marks.filter(words.contains)
        if !found.isEmpty {
            guard let isOfKind, found.allSatisfy(commonMarks.contains) else { return true }
            if isOfKind(code) { return true }
        }
        guard !beginnings.isEmpty else { return false }
        return code.tokens.contains { token in
            guard case .literal(let pieces) = token.kind, case .text(let text)? = pieces.first else {
                return false
            }
            return beginnings.contains { text.hasPrefix($0) }
        }
    }
}

extension SourceCode {
    /// The parts of all names, and all literals.
    var words: Set<String> {
        var words: Set<String> = []
        for (index, token) in tokens.enumerated() {
            if let name = token.name {
                words.insert(name)
                if let call = numberOfCall(index) { words.insert(call) }
                if name.utf8.contains(UInt8(ascii: ".")) {
                    for part in name.split(separator: ".") { words.insert(String(part)) }
                }
            } else if let text = token.text {
                words.insert(text)
                // The name of a setter of Ruby, `send("verify_mode=", …)`.
                if language == .ruby, text.hasSuffix("=") { words.insert(String(text.dropLast())) }
            }
        }
        return words
    }

    /// A function with the number that is its second argument: “curl_easy_setopt 64”; `nil` for other names.
    func numberOfCall(_ index: Int) -> String? {
        guard isMark(",", at: index - 1), isMark("(", at: index - 3),
            let function = self[index - 4]?.lastName,
            let number = tokens[index].name, number.first?.isNumber == true
        else { return nil }
        return "\(function) \(number)"
    }

    /// Whether a name is declared there: its type or a keyword stands in front of it.
    func isDeclaration(_ index: Int) -> Bool {
        guard self[index]?.qualifier == nil, let word = self[index - 1]?.name,
            line(of: index - 1) == line(of: index)
        else { return false }
        return !["return", "else", "in", "yield", "await", "new"].contains(word)
    }

    /// The most tokens that are read in front of a place for the condition of its statement.
    private static let longestStatement = 400

    /// Whether a place is in a block that runs under a condition.
    func isConditional(_ index: Int) -> Bool {
        // `if (…) statement`, without braces.
        var place = index
        let first = max(0, index - Self.longestStatement)
        while place > first, line(of: place - 1) == line(of: index), !isMark(";", at: place - 1) {
            place -= 1
            if tokens[place].name == "if", isMark("(", at: place + 1), end(of: place + 1) < index {
                return true
            }
        }
        return ancestors(of: index).contains { brace in
            guard isMark("{", at: brace) else { return false }
            if let word = self[brace - 1]?.name { return word == "else" }
            guard isMark(")", at: brace - 1), let open = start(of: brace - 1) else { return false }
            return ["if", "when", "switch", "while"].contains(self[open - 1]?.name ?? "")
        }
    }

    /// Whether a place is in a branch for builds that are not for debugging: `if (!BuildConfig.DEBUG) {`, or its `else`.
    func isReleaseOnly(_ index: Int) -> Bool {
        if debugChoice(index) == false { return true }
        let braces = ancestors(of: index).filter { isMark("{", at: $0) }
        return braces.contains { brace in
            tokens[max(0, brace - 6)..<brace].contains { $0.isMark("!") }
                && tokens[max(0, brace - 6)..<brace].contains {
                    $0.lastName.map(Self.debugMarks.contains) == true
                }
                || self[brace - 1]?.name == "else" && isMark("}", at: brace - 2)
                    && start(of: brace - 2).map { isDebugOnly($0 + 1) } == true
        }
    }

    /// The names of conditions on debug builds.
    private static let debugMarks: Set = ["DEBUG", "kDebugMode", "__DEV__", "isDebug", "IsDevelopment"]

    /// Whether a place is in the branch of a condition on a debug build: `if (BuildConfig.DEBUG) {`, `#if DEBUG`.
    func isDebugOnly(_ index: Int) -> Bool {
        for brace in ancestors(of: index) where isMark("{", at: brace) {
            if isDebugBuild(brace) { return true }
            var place = brace - 1
            let first = max(0, brace - 12)
            var isMarked = false
            while place >= first, !tokens[place].isMark(of: ";{}!|") {
                let token = tokens[place]
                if token.lastName.map(Self.debugMarks.contains) == true { isMarked = true }
                if token.name == "if", isMarked { return true }
                place -= 1
            }
        }
        return debugChoice(index) == true || isInDebugBranch(index)
    }

    /// Whether braces are those of a build type of Gradle for debugging: `debug {`, `getByName("debug") {`.
    private func isDebugBuild(_ brace: Int) -> Bool {
        // Each flavor has a build for release, whatever its name is.
        gradleBlock(brace) == "debug" && !isInFlavor(brace)
    }

    /// The name of a block of Gradle: `release {`, `getByName("release") {`; `nil` for others.
    func gradleBlock(_ brace: Int) -> String? {
        guard name.hasSuffix(".gradle") || name.hasSuffix(".kts") else { return nil }
        if isMark(")", at: brace - 1), isMark("(", at: brace - 3) { return self[brace - 2]?.text }
        return self[brace - 1]?.name
    }

    /// Whether a place is in a block of flavors.
    private func isInFlavor(_ index: Int) -> Bool {
        ancestors(of: index).contains { gradleBlock($0) == "productFlavors" }
    }

    /// The builds for which a condition without braces chooses a place: `if (DEBUG) a else b`, `DEBUG ? a : b`.
    ///
    /// - Returns: Whether debug builds run the place, and others do not; `nil` without such a condition.
    private func debugChoice(_ index: Int) -> Bool? {
        var place = index
        var isOther = false
        while place > max(0, index - 40) {
            if language.endsStatementsWithLine, endsLine(before: place) { return nil }
            place -= 1
            // The arguments of a call in front.
            if isMark(")", at: place), let open = start(of: place) { place = open }
            let token = tokens[place]
            if token.isMark(of: ",;{}") { return nil }
            if token.name == "else" || token.isMark(":") { isOther = true }
            if token.name == "if", isMark("(", at: place + 1), end(of: place + 1) < index {
                let condition = tokens[(place + 2)..<max(place + 2, end(of: place + 1))]
                guard condition.contains(where: isDebugMark), condition.count <= 2 else { return nil }
                return condition.contains { $0.isMark("!") } == isOther
            }
            if token.isMark("?"), let mark = self[place - 1], isDebugMark(mark) {
                let isNegated = isMark("!", at: place - 2)
                // In `a || DEBUG` and `a && !DEBUG`, another condition decides, too.
                let other = isNegated ? place - 3 : place - 2
                guard !isMark(isNegated ? "&" : "|", at: other) else { return nil }
                return isNegated == isOther
            }
        }
        return nil
    }

    private func isDebugMark(_ token: SourceToken) -> Bool {
        token.lastName.map(Self.debugMarks.contains) == true
    }
}
