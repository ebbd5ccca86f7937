import ArgumentParser
import PinholeModel
import PinholeRules
import PinholeSession

/// Rules of `proxy` and `run` without a file.
///
/// The user has written them just now, so they need no confirmation.
struct RuleOptions: ParsableArguments {
    @Option(
        help: .value(
            "rule",
            "A rule, 'KIND PATTERN key=value …' or JSON (docs/RULES.md#on-the-command-line); may be repeated."
        )
    )
    var rule: [String] = []

    @Option(
        help: .value(
            "answer",
            "Answer with a status: 'PATTERN=STATUS[:TYPE][=BODY|@FILE]'; a body that begins with @ names a file; may be repeated."
        )
    )
    var mock: [String] = []

    @Option(
        help: .value(
            "place",
            "Answer from another server, a file or a folder: 'PATTERN=URL|PATH'; may be repeated."
        )
    )
    var map: [String] = []

    @Option(
        help: .value(
            "header",
            "Set a header of requests, or remove it: 'PATTERN=NAME: VALUE'; may be repeated."
        )
    )
    var header: [String] = []

    func validate() throws { _ = try lines() }

    /// Adds the rules before those of the file.
    ///
    /// - Throws: ``CommandFailure`` if a rule cannot be used.
    func apply(to loaded: inout Configuration) throws(CommandFailure) {
        let texts: [(flag: String, text: String)]
        do {
            texts = try lines()
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        var rules: [Rule] = []
        for (index, line) in texts.enumerated() {
            do throws(DocumentFailure) {
                let value = try JSONValue(parsing: Array(line.text.utf8))
                let number = loaded.ruleTexts.count + index + 1
                let rule = try Rule(
                    value,
                    number: number,
                    path: line.flag,
                    vocabulary: loaded.filters.vocabulary
                )
                rules.append(try rule.resolvingProgram(loaded.programs, path: line.flag))
            } catch {
                throw CommandFailure(.usage, error.description, remedy: "pinhole rules kinds")
            }
        }
        // A file that is written later is fine for a rule of the file, and a mistake in a command just typed.
        if let remark = RuleSet(rules).remarksOnFiles(RuleSet.PathKind.init(ofFile:)).first {
            throw CommandFailure(.usage, "\(texts[remark.index].flag): \(remark.text)")
        }
        loaded.rules = RuleSet(rules + loaded.rules.rules)
        loaded.ruleTexts = texts.map(\.text) + loaded.ruleTexts
    }

    /// The flags as a shell has them, in the order of their rules.
    var words: [String] {
        [("--rule", rule), ("--mock", mock), ("--map", map), ("--header", header)].flatMap { flag, texts in
            texts.map { "\(flag) \(ShellWord.word($0.utf8))" }
        }
    }

    /// Returns the rules as JSON, each with its flag.
    private func lines() throws -> [(flag: String, text: String)] {
        let flags: [(String, [String], (String) throws(DocumentFailure) -> String)] = [
            ("--rule", rule, { (text) throws(DocumentFailure) in try RuleLine.json(of: text) }),
            ("--mock", mock, { (text) throws(DocumentFailure) in try RuleShorthand.mock(text).json }),
            ("--map", map, { (text) throws(DocumentFailure) in try RuleShorthand.map(text).json }),
            ("--header", header, { (text) throws(DocumentFailure) in try RuleShorthand.header(text).json }),
        ]
        return try flags.flatMap { flag, texts, json in
            try texts.map { text in
                do throws(DocumentFailure) {
                    return (flag, try json(text))
                } catch {
                    throw ValidationError("\(flag): \(error)")
                }
            }
        }
    }
}
