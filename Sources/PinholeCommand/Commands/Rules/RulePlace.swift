import ArgumentParser
import PinholeFilter
import PinholeModel
import PinholeRules
import PinholeSession

/// The options that say whose rules a command reads or changes.
struct RulePlaceOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var capture: CaptureOptions

    /// Finds the rules: those of the named file, else of the proxy that records into the capture, else of ./config.json.
    ///
    /// - Parameter file: A file that an argument names; `nil` without one.
    /// - Returns: The place, with its present rules.
    /// - Throws: ``CommandFailure`` if there are none, or if they cannot be read.
    func find(_ file: String? = nil) async throws -> RulePlace {
        if let named = file ?? configuration.config { return try RulePlace(file: named, isFound: false) }
        let loaded = try configuration.load(nil, capture)
        var absence = "nothing is recorded"
        var console: RunningConsole?
        if let path = loaded.capture.file {
            do throws(RunningConsole.Absence) {
                console = try RunningConsole(beside: path)
            } catch {
                absence = error.reason
            }
        }
        if let console { return try await RulePlace(console) }
        if let capture = capture.capture {
            throw CommandFailure("no proxy that records into \(capture) can be reached: \(absence)")
        }
        guard let path = configuration.file.path else {
            throw CommandFailure(
                "there are no rules here: no proxy runs, and there is no ./config.json",
                remedy: "pinhole proxy --rule 'KIND PATTERN key=value', or pinhole config > config.json"
            )
        }
        return try RulePlace(file: path, isFound: true)
    }
}

/// The rules of a running proxy, or of a file.
struct RulePlace {
    private enum Source {
        case proxy(any ProxyControl, revision: Int)
        case file(ConfigurationFile, path: String, Configuration)
    }

    /// The place in words: `the proxy on 127.0.0.1:8080`, or the file.
    let name: String
    /// The rules, in the order in which Pinhole tries them.
    let entries: [RuleListing.Entry]
    /// Whether a proxy counts the exchanges that the rules have acted on.
    let isCounted: Bool
    private let source: Source

    /// Reads the rules of a running proxy.
    init(_ console: RunningConsole) async throws(Problem) {
        let control = try await ControlAPI(console).control
        let listing = try await control.rules()
        name = "the running proxy, whose console is at \(console.address)"
        entries = listing.rules
        isCounted = true
        source = .proxy(control, revision: listing.revision)
    }

    /// Reads the rules of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isFound: Whether the file was found in the folder, and not named.
    /// - Throws: ``CommandFailure`` if the file cannot be read.
    init(file path: String, isFound: Bool) throws(CommandFailure) {
        let file = ConfigurationFile(named: path, isFound: isFound)
        let configuration = try file.load()
        name = path
        entries = RuleListing(configuration, revision: 0) { _ in 0 }.rules
        isCounted = false
        source = .file(file, path: path, configuration)
    }

    /// Replaces the rules.
    ///
    /// - Parameter texts: The rules, each as JSON.
    /// - Throws: ``Problem`` if a rule cannot be read, or if somebody else changed the rules meanwhile.
    func replace(with texts: [String]) async throws(Problem) {
        switch source {
        case .proxy(let control, let revision):
            try await control.replaceRules(with: texts, revision: revision)
        case .file(let file, let path, var configuration):
            configuration.ruleTexts = texts
            let consent = ConfigurationConsent()
            // The user has written the rules just now, so they are as confirmed as the rest of the file.
            let writer = ConfigurationWriter(path: file.path ?? path) { before, after in
                consent.carryOver(path, from: before, to: after)
            }
            let shown = try writer.preview(of: configuration)
            _ = try writer.write(configuration, over: shown.fingerprint)
        }
    }

    /// Puts a rule into the list, and tells the user what it does.
    ///
    /// - Parameters:
    ///   - text: The rule as JSON.
    ///   - places: The rules that it replaces; an empty range before which it goes.
    ///   - verb: What is done, for the user.
    /// - Throws: ``CommandFailure`` if the rule or the list cannot be used.
    func put(
        _ text: String,
        _ places: Range<Int>,
        saying verb: (String) -> String
    ) async throws {
        let whole = try RuleFiles.resolved(text)
        let reading = try await reading(whole, at: places.lowerBound)
        var texts = entries.map(\.text)
        texts.replaceSubrange(places, with: [whole])
        try await replace(with: texts)
        StandardOutput.show("\(verb(name)): \(Plain.printable(reading.sentence))")
        StandardOutput.write("     \(RuleJSON.line(whole))")
        for remark in reading.remarks { StandardError.write("pinhole: \(Plain.printable(remark))") }
    }

    /// Returns the sentence that says what a rule does, and remarks on it.
    ///
    /// - Throws: ``CommandFailure`` if the rule cannot be read.
    private func reading(_ text: String, at index: Int) async throws -> RuleReading {
        switch source {
        case .proxy(let control, _):
            let result = try await control.checkRule(text, at: index)
            do throws(RuleMistake) {
                return try result.get()
            } catch {
                let place = error.place.isEmpty ? "" : "\(error.place): "
                throw CommandFailure(.usage, "the rule is wrong: \(place)\(error.message)")
            }
        case .file(_, _, let configuration):
            do throws(DocumentFailure) {
                let value = try JSONValue(parsing: Array(text.utf8))
                let rule = try Rule(
                    value,
                    number: index + 1,
                    path: "rule",
                    vocabulary: configuration.filters.vocabulary
                ).resolvingProgram(configuration.programs, path: "rule")
                let others = configuration.rules.rules
                let place = min(index, others.count)
                return RuleReading(rule, at: place, of: others, in: RuleSurroundings(configuration))
            } catch {
                throw CommandFailure(.usage, "the rule is wrong: \(error)")
            }
        }
    }

    /// Returns the index of a rule.
    ///
    /// - Parameter word: Its name, or its number in the list.
    /// - Returns: The index.
    /// - Throws: ``CommandFailure`` if there is no such rule, or if several have the name.
    func index(of word: String) throws(CommandFailure) -> Int {
        let named = entries.indices.filter { entries[$0].name == word }
        if named.count == 1 { return named[0] }
        if let number = Int(word), entries.indices.contains(number) { return number }
        guard named.isEmpty else {
            throw CommandFailure.usage(
                "\(named.count) rules are called “\(word)”",
                remedy: "write a number: \(named.map(String.init).joined(separator: ", "))"
            )
        }
        throw CommandFailure(
            .negative,
            "there is no rule “\(word)” in \(name)",
            remedy: EditDistance.nearest(to: word, in: entries.map(\.name)).map(Remedy.write)
                ?? "pinhole rules list"
        )
    }
}
