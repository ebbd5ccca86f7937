import PinholeModel
import PinholeSource
import PinholeTrust

/// The reading of one file of source code: the code, and the policies and findings of all readers.
struct SourceReading {
    /// The values of the code.
    let evaluator: SourceEvaluator
    /// The hosts of pins whose host the code does not show.
    let hosts: [Host]
    /// The files that the code may name.
    let files: NamedFiles
    /// Whether code that only debug builds run counts.
    let debug: Bool
    /// The findings.
    var notes: DocumentNotes
    /// The policies, each with the title of its kind.
    private(set) var found: [(title: String, policy: any TrustPolicy)] = []
    /// The hosts of the policies, if the code names them only beside the policies.
    var bystanders: [Host] = []
    /// The tokens of commands, whose literals are no policies of their own.
    var commands: Set<Int> = []
    /// The host verifiers of the code.
    let verifiers: HostVerifierIndex
    /// Whether code accepts every server.
    private(set) var acceptsAny = false
    private var title = ""
    private var told: Set<String> = []
    /// The last members that may replace others, by the braces around them; -1 for none.
    private var replacers: [Int: Int] = [:]

    /// The tokens that are read.
    var code: SourceCode { evaluator.code }

    /// Begins a reading.
    init(
        _ evaluator: SourceEvaluator,
        hosts: [Host],
        debug: Bool,
        _ files: NamedFiles,
        _ notes: DocumentNotes
    ) {
        self.evaluator = evaluator
        verifiers = HostVerifierIndex(evaluator)
        self.hosts = hosts
        self.debug = debug
        self.files = files
        self.notes = notes
    }

    /// Lets a reader read the code.
    mutating func run(_ reader: SourceReader) {
        title = reader.title
        reader.read(&self)
    }

    /// Adds a policy of the reader that reads.
    mutating func add(_ policy: any TrustPolicy) { found.append((title, policy)) }

    /// The place of a token, for findings.
    func path(_ index: Int) -> DocumentPath { .root("line \(code.line(of: index))") }

    /// Whether a finding is the first one with its text.
    mutating func isFirst(_ text: String) -> Bool { told.insert(text).inserted }

    /// The indices of the tokens whose last name is one of these.
    func places(of names: Set<String>) -> [Int] {
        names.flatMap { evaluator.places[$0, default: []] }.sorted()
    }

    /// The index of the value that a name gets at a place: behind `=`, `+=`, `??=`, `:` or `=>`.
    func assigned(at index: Int) -> Int? {
        var next = index + 1
        // `["key"] = value`, `["key"]: value`.
        if code.tokens[index].isLiteral, code.isMark("]", at: next) { next += 1 }
        if let end = code.computedEnd(index) { next = end + 1 }
        // `a ??= b`, `a ||= b`.
        for mark: Character in ["?", "|"]
        where code.isMark(mark, at: next) && code.isMark(mark, at: next + 1) {
            return code.isMark("=", at: next + 2) ? next + 3 : nil
        }
        // `a == b` compares, and the colon of a parameter has its type behind it.
        if code.isMark("=", at: next) { return code.isMark("=", at: next + 1) ? nil : next + 1 }
        if code.isMark("+", at: next), code.isMark("=", at: next + 1) { return next + 2 }
        return code.isMark(":", at: next) && !code.isMark("=", at: next + 1) ? next + 1 : nil
    }

    /// Whether a member behind a setting may replace it: that of an object that is spread, `...options`, or one whose
    /// name is no constant, `[key]: value`.
    mutating func mayBeReplaced(_ index: Int) -> Bool {
        guard let brace = code.parent(of: index), code.isMark("{", at: brace) else { return false }
        if let last = replacers[brace] { return last > index }
        var last = -1
        var place = brace + 1
        while place < code.end(of: brace) {
            let next = place + 1
            let isSpread = code.isMark(".", at: place) && code.isMark(".", at: place - 1)
            if isSpread, !code.isMark(".", at: next), !isWholeObject(next) { last = next }
            let key = code.computedEnd(next).map { evaluator.value(at: next, before: $0).wholeText }
            if let key, key == nil { last = next }
            place = code.tokens[place].isMark(of: "([{") ? code.end(of: place) + 1 : next
        }
        replacers[brace] = last
        return last > index
    }

    /// The most tokens of an object whose members are read.
    private static let longestObject = 4000

    /// Whether a name is that of one object of the same file, whose members are written there.
    private func isWholeObject(_ index: Int) -> Bool {
        guard let name = code[index]?.name else { return false }
        let declared = evaluator.places[name, default: []].filter {
            code.isMark("=", at: $0 + 1) && code.isMark("{", at: $0 + 2)
        }
        guard declared.count == 1, let place = declared.first else { return false }
        let members = code.tokens[(place + 3)..<max(place + 3, code.end(of: place + 2))]
        return members.count < Self.longestObject && !members.contains { $0.isMark(of: ".[") }
    }

    /// The name of a setting at a place, which JavaScript may take from a constant.
    func settingName(at index: Int) -> String? {
        let token = code.tokens[index]
        if let end = code.computedEnd(index), let name = evaluator.value(at: index, before: end).wholeText {
            return name
        }
        return token.text ?? token.lastName
    }

    /// The value that a setting gets at a place: assigned, or that of the name itself, `{ secure }` of JavaScript.
    func setting(at index: Int, bad: (SourceValue) -> Bool) -> SourceValue? {
        if let place = assigned(at: index) { return value(at: place, bad: bad) }
        return isShorthand(index) ? value(at: index, bad: bad) : nil
    }

    /// Whether a name alone is a member of an object, and none of a pattern or of a list of imports.
    func isShorthand(_ index: Int) -> Bool {
        guard code.language == .script, code.tokens[index].name != nil, code.tokens[index].qualifier == nil,
            code[index - 1]?.isMark(of: "{,") == true, code[index + 1]?.isMark(of: ",}") == true,
            let brace = code.parent(of: index), code.isMark("{", at: brace),
            code[brace - 1].map({ $0.isMark(of: "(,=:[?>|&") || $0.name == "return" }) == true
        else { return false }
        return !code.ancestors(of: index).contains { bracket in
            let end = code.end(of: bracket) + 1
            let isArrow = code.isMark("=", at: end) && code.isMark(">", at: end + 1)
            if code.isMark("(", at: bracket) {
                // The parameters of a function.
                return bracket == code.parent(of: brace) && (isArrow || code.isMark("{", at: end))
            }
            return code.isMark("=", at: end) && !code.isMark("=", at: end + 1)
        }
    }

    /// Notes that the code accepts every server.
    ///
    /// - Parameters:
    ///   - index: The place of the code.
    ///   - name: The callback or setting.
    mutating func acceptsEverything(at index: Int, by name: String) {
        guard isNew("all", at: index, name) else { return }
        acceptsAny = true
        add(BrokenPolicy(acceptingAllAt: path(index).description, by: name))
    }

    /// Notes that the code accepts valid certificates of other hosts.
    mutating func ignoresHost(at index: Int, by name: String) {
        guard isNew("host", at: index, name) else { return }
        var policy = BrokenPolicy(.noHost)
        policy.finding = LintFinding.error(
            .authorityWithoutHost,
            at: path(index).description,
            "\(name) accepts a certificate for any host.",
            remedy: "Leave the check of the host to the library."
        )
        add(policy)
    }

    /// Notes a callback that the platform calls beside its own check, and that refuses no server.
    mutating func neverRefuses(at index: Int, by name: String) {
        guard counts(index, name) else { return }
        notes.remark(
            .notEnforced,
            path(index),
            "\(name) refuses no server, whatever it finds: the check of the chain alone decides.",
            "Return an error if the server is not the expected one, or remove the callback.",
            severity: .warning
        )
    }

    /// Notes that code decides, which is not run here.
    mutating func undecided(at index: Int, by name: String) {
        guard isNew("code", at: index, name) else { return }
        notes.unproven(
            path(index),
            "\(name) judges the server in code, which is not run here.",
            "Prove it with the app itself: pinhole audit -- COMMAND."
        )
    }

    /// Judges a switch of a library: a literal decides, and an expression that is not known is a question.
    ///
    /// - Parameters:
    ///   - value: The value that the switch gets.
    ///   - name: The switch.
    ///   - sign: The switch with its bad value, for findings.
    ///   - index: The place of the switch.
    ///   - bad: The truth of the value by which the check is left out.
    ///   - ofHost: Whether the check of the host alone is left out.
    mutating func judge(
        _ value: SourceValue,
        of name: String,
        as sign: String? = nil,
        at index: Int,
        bad: Bool,
        ofHost: Bool = false
    ) {
        guard let truth = settingTruth(of: value) else {
            notLiteral(value, of: name, at: index, remedy: "Write \(!bad), or leave it out.")
            return
        }
        guard truth == bad else { return }
        if ofHost {
            ignoresHost(at: index, by: sign ?? name)
        } else {
            acceptsEverything(at: index, by: sign ?? name)
        }
    }

    /// Notes a switch whose value the file does not show.
    mutating func notLiteral(_ value: SourceValue, of name: String, at index: Int, remedy: String) {
        // A type is no value: `rejectUnauthorized: boolean`.
        guard !["boolean", "bool", "Bool"].contains(value.lastName ?? ""), isNew("value", at: index, name)
        else { return }
        notes.unproven(
            path(index),
            "\(name) (\(DocumentPath.cut(value.code))) is not a literal in this file.",
            remedy
        )
    }

    /// The truth of a setting, which C writes as a number and PHP also as a text; `nil` if it is not known.
    func settingTruth(of value: SourceValue) -> Bool? {
        switch value {
        case .boolean(let truth): truth
        case .integer(let number): number != 0
        case .text(let text): text.whole.map { !["", "0", "false", "no", "off"].contains($0.lowercased()) }
        // `OpenSSL::SSL::VERIFY_NONE` of Ruby.
        case .other(let expression) where expression.code.contains("VERIFY_NONE"): false
        case .other(let expression) where expression.code.contains("VERIFY_PEER"): true
        // The file with the CAs, as configurations name it: `ssl_verify: /etc/ssl/ca.pem`.
        case .other(let expression) where expression.code.hasPrefix("/"): true
        case .other(let expression):
            [
                "0L": false, "1L": true, "2L": true, "kCFBooleanFalse": false, "kCFBooleanTrue": true,
            ][expression.code]
        default: nil
        }
    }

    /// Whether a finding of a kind counts, and is the first one about a name on its line.
    private mutating func isNew(_ kind: String, at index: Int, _ name: String) -> Bool {
        let text = "\(kind) \(code.line(of: index)) \(name)"
        return !told.contains(text) && counts(index, name) && isFirst(text)
    }

    /// Whether a place counts in the build that is judged; if it does not, a hint says so.
    private mutating func counts(_ index: Int, _ name: String) -> Bool {
        guard !debug, code.isDebugOnly(index) else { return true }
        if isFirst("debug \(code.line(of: index))") {
            notes.remark(
                .ignored,
                path(index),
                "Only debug builds run \(name).",
                "Check them with --debug."
            )
        }
        return false
    }

    /// The value of a setting: of all runs of the loops and functions around it, the first that is bad, or else the first.
    func value(at index: Int, bad: (SourceValue) -> Bool) -> SourceValue {
        let limit = valueEnd(from: index)
        let values = evaluator.runs(at: index).map { evaluator.value(at: index, before: limit, $0) }
        return values.first(where: bad) ?? values.first ?? .null
    }

    /// Reads the answer of a callback that stands there, or of the function that it names.
    ///
    /// - Parameters:
    ///   - index: The first token of the callback.
    ///   - limit: The index behind it.
    ///   - checks: Whether the callback refuses by an error, and returns nothing.
    /// - Returns: The answer.
    func answer(at index: Int, before limit: Int, byError checks: Bool = false) -> SourceAnswer {
        guard let callback = evaluator.callback(at: index, before: limit) else { return .undecided }
        return checks && !callback.isExpression
            ? evaluator.answer(ofChecks: callback.body) : evaluator.answer(of: callback)
    }

    /// The end of an argument or setting whose value begins at an index.
    func valueEnd(from index: Int) -> Int { code.valueEnd(from: index) }
}

extension SourceCode {
    /// The end of the brackets that begin in front of a token and hold the name of a member that gets a value:
    /// `{ [key]: value }`, `a[first + second] = value`; `nil` for other tokens.
    fileprivate func computedEnd(_ index: Int) -> Int? {
        guard language == .script, isMark("[", at: index - 1) else { return nil }
        let end = end(of: index - 1)
        guard end > index, end - index < 32, self[end + 1]?.isMark(of: ":=") == true,
            !isMark("=", at: end + 2)
        else { return nil }
        return end
    }
}

extension SourceEvaluator {
    /// The names of members that JavaScript takes from constants or joins: `{ [first + second]: value }`.
    var computedNames: [String] {
        guard code.language == .script else { return [] }
        return code.tokens.indices.compactMap { index in
            code.computedEnd(index).flatMap { value(at: index, before: $0).wholeText }
        }
    }

    /// The settings whose names the literals of a script make up in a way that is not followed, each with the place of
    /// its first part: `["reject", "Unauthorized"].join("")`.
    var scatteredNames: [(name: String, index: Int)] {
        guard code.language == .script else { return [] }
        let known = Set(computedNames)
        return ["rejectUnauthorized", "NODE_TLS_REJECT_UNAUTHORIZED"].compactMap { name in
            guard !known.contains(name) else { return nil }
            var parts: [String: Int] = [:]
            for index in code.tokens.indices {
                guard case .literal(let pieces) = code.tokens[index].kind else { continue }
                for case .text(let text) in pieces
                where (2..<name.count).contains(text.count) && name.contains(text) {
                    parts[text.filter { $0 != "_" }] = parts[text.filter { $0 != "_" }] ?? index
                }
            }
            let letters = name.filter { $0 != "_" }
            guard Self.isMade(letters, of: parts.keys.filter { !$0.isEmpty }) else { return nil }
            return parts.filter { letters.hasPrefix($0.key) }.map(\.value).min().map { (name, $0) }
        }
    }

    /// Whether a text is made of parts, each of which stands in the text itself.
    private static func isMade(_ text: String, of parts: [String]) -> Bool {
        var reached: Set = [text.startIndex]
        for index in text.indices where reached.contains(index) {
            let rest = text[index...]
            for part in parts where rest.hasPrefix(part) {
                reached.insert(text.index(index, offsetBy: part.count))
            }
        }
        return reached.contains(text.endIndex)
    }
}
