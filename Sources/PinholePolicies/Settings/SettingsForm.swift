import PinholeSource
import PinholeTrust

/// The forms in which configurations are written.
enum SettingsForm: Hashable {
    /// YAML and JSON.
    case yaml
    /// Directives with a semicolon or a block behind them, as of nginx.
    case directives
    /// Objects with names and values, as of NATS, Nix and Terraform.
    case objects
    /// Lines of words in sections, as of HAProxy.
    case lines
    /// Lines `name = value` in sections with brackets, as of git.
    case ini
    /// Commands of a shell, each as a setting with its words.
    case commands

    /// Returns the form that the name or the first line of a file tells; `nil` if they tell none.
    init?(name: String?, _ text: String) {
        let ending = name?.split(separator: ".").last?.lowercased() ?? ""
        if ["yaml", "yml", "json"].contains(ending) {
            self = .yaml
        } else if ["sh", "bash", "zsh", "ksh"].contains(ending) || text.hasPrefix("#!") {
            self = .commands
        } else {
            return nil
        }
    }

    /// Divides a text into settings.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - firstLine: The number of its first line in its file.
    /// - Returns: The settings.
    /// - Throws: ``PolicyFailure`` with the line that is not read.
    func read(_ text: String, from firstLine: Int) throws(PolicyFailure) -> SettingsDocument {
        var document =
            switch self {
            case .yaml: try YAMLReader.read(text, from: firstLine)
            case .directives: Self.directives(text, firstLine)
            case .objects: try Self.objects(text, firstLine)
            case .lines: Self.lines(text, firstLine)
            case .ini: Self.sections(text, firstLine)
            case .commands: Self.commands(text, firstLine)
            }
        findTexts(in: &document, text)
        return document
    }

    /// The names of settings whose texts are for people.
    static let proseKeys: Set = [
        "description", "summary", "title", "help", "message", "comment", "notes", "name", "msg", "label",
        "respond",
    ]

    /// Finds the values that may be commands or configurations themselves, and takes texts for people out.
    ///
    /// A block of YAML is known by its line, as the value of a folded block is not the text of its lines, and an executed
    /// block may have the same text.
    private func findTexts(in document: inout SettingsDocument, _ text: String) {
        var texts: [(text: String, line: Int)] = []
        var prose: Set<String> = []
        var proseLines: Set<Int> = []
        func collect(_ setting: Setting) {
            let isProse = Self.proseKeys.contains(setting.key)
            if isProse, !setting.values.isEmpty { proseLines.insert(setting.line + 1) }
            for value in setting.values.map(\.code) where value.contains(where: { " \n\t{[".contains($0) }) {
                if isProse { prose.insert(value) } else { texts.append((value, setting.line)) }
            }
            if let command = Self.command(of: setting) { texts.append(command) }
            for member in setting.members { collect(member) }
        }
        collect(document.root)
        document.embedded.removeAll {
            self == .yaml ? proseLines.contains($0.line) : prose.contains($0.text)
        }
        let known = Set(document.embedded.map(\.text))
        document.texts = texts.filter { value, _ in
            !known.contains(value) && value.utf8.count < text.utf8.count && SettingsReader.holdsMark(value)
        }
    }

    /// The command whose words are the elements of a list: `command: [git, -c, http.sslVerify=false]`.
    private static func command(of list: Setting) -> (text: String, line: Int)? {
        let isList = list.members.allSatisfy {
            $0.name.isEmpty && $0.members.isEmpty && $0.values.count == 1
        }
        guard isList, list.members.count > 1 else { return nil }
        let words = list.members.flatMap(\.values).map(\.code)
        let marked = list.members.first { SettingsReader.holdsMark($0.values.first?.code ?? "") }
        guard let marked, !words.contains(where: { $0.contains("\n") || $0.contains("'") }) else {
            return nil
        }
        return (words.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " "), marked.line)
    }

    private static func directives(_ text: String, _ firstLine: Int) -> SettingsDocument {
        let rules = ConfigurationWords.Rules(marks: ["{", "}", ";"])
        var blocks = [Setting(name: "", line: firstLine)]
        var current: Setting?
        func close() {
            guard blocks.count > 1, let block = blocks.popLast() else { return }
            blocks[blocks.count - 1].members.append(block)
        }
        for word in ConfigurationWords.words(in: text, rules, from: firstLine).words {
            switch word.kind {
            case .end: break
            case .word(let text):
                if current == nil {
                    current = Setting(name: text.code, line: word.line)
                } else {
                    current?.values.append(text)
                }
            case .mark("{"):
                blocks.append(current ?? Setting(name: "", line: word.line))
                current = nil
            case .mark(let mark):
                if let setting = current { blocks[blocks.count - 1].members.append(setting) }
                current = nil
                if mark == "}" { close() }
            }
        }
        if let setting = current { blocks[blocks.count - 1].members.append(setting) }
        while blocks.count > 1 { close() }
        return SettingsDocument(root: blocks[0])
    }

    private static func objects(_ text: String, _ firstLine: Int) throws(PolicyFailure) -> SettingsDocument {
        var rules = ConfigurationWords.Rules(comments: ["#", "//", "--"])
        rules.marks = ["{", "}", "[", "]", "(", ")", ",", ";", "=", ":"]
        rules.dividesNames = true
        rules.hasLongTexts = true
        rules.hasBlocks = true
        let (words, embedded) = ConfigurationWords.words(in: text, rules, from: firstLine)
        var blocks = [Setting(name: "", line: firstLine)]
        // The name, the values, and whether a separator stands between them.
        var name: (text: String, line: Int)?
        var values: [SourceText] = []
        var isDivided = false
        func finish() {
            guard let known = name else { return }
            // A word alone is an element of a list.
            let setting =
                isDivided || !values.isEmpty
                ? Setting(name: known.text, values: values, line: known.line)
                : Setting(name: "", values: [scalar(known.text)], line: known.line)
            blocks[blocks.count - 1].members.append(setting)
            name = nil
            values = []
            isDivided = false
        }
        for word in words {
            switch word.kind {
            case .word(let text):
                if name == nil { name = (text.code, word.line) } else { values.append(text) }
            case .mark(let mark) where "=:".contains(mark): isDivided = true
            case .mark(let mark) where "{[(".contains(mark):
                blocks.append(Setting(name: name?.text ?? "", values: values, line: name?.line ?? word.line))
                (name, values, isDivided) = (nil, [], false)
                guard blocks.count < 64 else { throw PolicyFailure("line \(word.line): too many levels") }
            case .mark(let mark) where "}])".contains(mark):
                finish()
                guard blocks.count > 1, let block = blocks.popLast() else { continue }
                blocks[blocks.count - 1].members.append(block)
            case .mark: finish()
            case .end:
                // A value may stand on the next line.
                if !isDivided || !values.isEmpty { finish() }
            }
        }
        finish()
        while blocks.count > 1, let block = blocks.popLast() {
            blocks[blocks.count - 1].members.append(block)
        }
        return SettingsDocument(root: blocks[0], embedded: embedded)
    }

    /// The first words of HAProxy's sections.
    private static let sectionWords: Set = [
        "global", "defaults", "frontend", "backend", "listen", "peers", "resolvers", "cache", "ring",
        "program", "userlist", "mailers", "http-errors", "log-forward", "fcgi-app", "crt-store", "traces",
    ]

    private static func lines(_ text: String, _ firstLine: Int) -> SettingsDocument {
        var root = Setting(name: "", line: firstLine)
        for words in lineWords(text, firstLine) {
            guard let first = words.first, let name = first.text?.code else { continue }
            let setting = Setting(name: name, values: words.dropFirst().compactMap(\.text), line: first.line)
            if sectionWords.contains(name) || root.members.isEmpty {
                root.members.append(setting)
            } else {
                root.members[root.members.count - 1].members.append(setting)
            }
        }
        return SettingsDocument(root: root)
    }

    private static func lineWords(_ text: String, _ firstLine: Int) -> [[ConfigurationWords.Word]] {
        ConfigurationWords.words(in: text, .init(), from: firstLine).words.split { $0.kind == .end }.map {
            Array($0)
        }
    }

    private static func sections(_ text: String, _ firstLine: Int) -> SettingsDocument {
        var root = Setting(name: "", line: firstLine)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
            .enumerated()
        {
            var content = line.drop(while: \.isWhitespace)
            guard let first = content.first, first != "#", first != ";" else { continue }
            if first == "[", let end = content.lastIndex(of: "]") {
                // `[http "https://example.com/"]`
                let head = content[content.index(after: content.startIndex)..<end]
                let name = head.prefix { $0 != " " && $0 != "\t" }
                let rest = head.dropFirst(name.count).filter { $0 != "\"" }.drop(while: \.isWhitespace)
                root.members.append(
                    Setting(
                        name: String(name),
                        values: rest.isEmpty ? [] : [scalar(String(rest))],
                        line: number + firstLine
                    )
                )
                content = content[content.index(after: end)...].drop(while: \.isWhitespace)
                if content.isEmpty { continue }
            }
            guard !root.members.isEmpty else { continue }
            let name = content.prefix { $0 != "=" && !$0.isWhitespace }
            let value = content.dropFirst(name.count).drop { $0 == "=" || $0.isWhitespace }
            let setting = Setting(
                name: String(name),
                // A name alone is true.
                values: [content.contains("=") ? scalar(iniValue(value)) : SourceText("true")],
                line: number + firstLine
            )
            root.members[root.members.count - 1].members.append(setting)
        }
        return SettingsDocument(root: root)
    }

    private static func iniValue(_ text: Substring) -> String {
        var value = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == "#" || character == ";" && value.last?.isWhitespace != false {
                break
            } else {
                value.append(character)
            }
        }
        let last = value.lastIndex { !$0.isWhitespace }.map(value.index(after:)) ?? value.startIndex
        return String(value[..<last])
    }

    private static func commands(_ text: String, _ firstLine: Int) -> SettingsDocument {
        var document = SettingsDocument()
        let commands = ShellCommand.commands(in: text)
        let functions = ShellWords.functions(in: commands)
        for command in commands {
            let line = command.line + firstLine - 1
            let isMessage = ShellWords.isMessage(command, functions)
            let texts = command.words.map(\.text)
            let words = isMessage ? Array(texts.prefix(1)) : ShellWords.deciding(texts)
            var setting = Setting(name: "", values: words, line: line)
            // The variables of the environment are the settings of a command.
            setting.members = command.assignments.map {
                Setting(name: $0.name, values: [$0.value], line: line)
            }
            document.root.members.append(setting)
            if let input = command.input, !isMessage {
                document.embedded.append((input, command.line + firstLine))
            }
        }
        return document
    }
}
