import PinholeFiles
import PinholeModel
import PinholeSource
import PinholeTrust

/// The commands of curl and Wget in a script, in the lines of a configuration, or a value of `--pinnedpubkey` alone.
struct CurlCommands {
    /// A transfer with its options, which begin anew behind `--next`.
    struct Transfer {
        var line: Int
        /// The value of `--pinnedpubkey`; the last one counts.
        var pin: SourceText?
        var insecure = false
        var urls: [SourceText] = []
        /// The protocol of a URL that names none.
        var scheme = "http"
        /// Whether a protocol that begins without TLS has to change to it.
        var requiresTLS = false
        /// The file with further options that `--config` names; `nil` if there is none, or the options are in the text.
        var configuration: SourceText?
        /// The expression that adds words to the command; `nil` if there is none.
        var rest: String?
        /// Whether the command is run for certain, and not only written somewhere.
        var isRun = true
        /// Whether the program is Wget, whose short options mean other things.
        var isWget = false
        /// Whether the options are those of a `.curlrc` that a command writes.
        var isConfiguration = false
    }

    /// The letters of curl's short options that take a value.
    private static let letters = "AbcCdDeEFhHKmoPQrtTuUwxXyYz"
    /// The letters of Wget's short options that take a value.
    private static let lettersOfWget = "aABDeGiIlnoOPQRtTUwX"
    /// Long options that take a value, so that the value is no URL.
    private static let valued: Set = [
        "abstract-unix-socket", "alt-svc", "aws-sigv4", "cacert", "capath", "cert", "cert-type", "ciphers",
        "config", "connect-timeout", "connect-to", "continue-at", "cookie", "cookie-jar", "crlfile",
        "curves", "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "dns-servers",
        "doh-url", "dump-header", "engine", "form", "form-string", "header", "hsts", "interface", "json",
        "keepalive-time", "key", "key-type", "limit-rate", "local-port", "max-filesize", "max-redirs",
        "max-time", "netrc-file", "noproxy", "output", "output-dir", "output-document", "pass",
        "pinnedpubkey", "post-data", "preproxy", "proto", "proto-default", "proto-redir", "proxy",
        "proxy-cacert", "proxy-header", "proxy-pinnedpubkey", "proxy-user", "quote", "range", "rate",
        "referer", "request", "request-target", "resolve", "retry", "retry-delay", "retry-max-time",
        "socks5", "socks5-hostname", "speed-limit", "speed-time", "stderr", "tls-max", "trace",
        "trace-ascii", "timeout", "tries", "unix-socket", "upload-file", "url", "user", "user-agent",
        "write-out", "ca-certificate",
    ]

    private static let marks = MarkSearch(["pinnedpubkey", "sha256//", "curl", "wget"])

    private let text: String
    let name: String?
    private let files: NamedFiles
    var transfers: [Transfer] = []
    /// The words that stand for an alias.
    private var aliases: [String: [SourceText]] = [:]
    /// The options outside of commands by which one may accept every server, each with its line.
    private var looseOptions: [(option: String, line: Int)] = []
    /// The lines at which a script makes a function of the name of a program.
    private var functions: [Int] = []
    /// The tokens of the commands in source code.
    private(set) var tokens: Set<Int> = []

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: The name of its file; `nil` if it has none.
    ///   - files: The files that the commands may name.
    ///   - isCommandsOnly: Whether the text is of another kind, so that its lines are no `.curlrc`.
    init(_ text: String, name: String?, _ files: NamedFiles, isCommandsOnly: Bool = false) {
        self.text = text
        self.name = name
        self.files = files
        guard Self.marks.isIn(Array(text.utf8)) || name?.hasSuffix("curlrc") == true else { return }
        readCommands(text)
        functions = Self.functions(in: text)
        guard !isCommandsOnly else { return }
        if transfers.allSatisfy({ $0.pin == nil }) { readConfiguration() }
        if !isScript, transfers.allSatisfy({ $0.pin == nil }) { readValue() }
    }

    /// Whether the text has commands with URLs; a pin beside them is no option, but printed or passed on.
    var isScript: Bool {
        let words = transfers.flatMap(\.urls).map(\.beginning)
        return words.contains { $0.contains("://") } && !words.contains { $0.hasPrefix("sha256//") }
    }

    /// Reads the commands that source code runs.
    ///
    /// - Parameters:
    ///   - code: The source code.
    ///   - files: The files that the commands may name.
    init(in code: SourceCode, _ files: NamedFiles) {
        text = ""
        name = nil
        self.files = files
        for command in SourceCommand.commands(in: code) {
            let first = transfers.count
            switch command.form {
            case .words(let words):
                let isWget = code.tokens[command.tokens.lowerBound].text?.hasSuffix("wget") == true
                read(words, line: command.line, rest: command.rest, isWget: isWget)
            case .script(let script):
                readCommands(script, from: command.line)
                // A pin in a text that may be printed pins nothing.
                if !command.isRun {
                    let own = transfers[first...].filter { $0.pin == nil }
                    transfers.replaceSubrange(first..., with: own)
                }
            }
            for place in first..<transfers.count { transfers[place].isRun = command.isRun }
            if case .script = command.form, !command.isRun { continue }
            tokens.formUnion(command.tokens)
        }
        guard pins else { return }
        for index in code.tokens.indices where !tokens.contains(index) {
            guard let text = code.tokens[index].text, SourceCommand.insecureOptions.contains(text) else {
                continue
            }
            looseOptions.append((text, code.line(of: index)))
        }
    }

    /// Reads the words behind the name of a program, without the files that they name.
    init(_ words: [SourceText], isWget: Bool) {
        (text, name, files) = ("", nil, NamedFiles(.none(remedy: "")))
        read(words, line: 1, isWget: isWget)
    }

    /// Whether a command has a pin.
    var pins: Bool { transfers.contains { $0.pin != nil } }

    /// Returns the policies of the commands; `nil` if none pins.
    ///
    /// - Parameters:
    ///   - others: The hosts that others pin, whom a command may ask without a pin; `nil` if nothing else pins.
    ///   - notes: Gets the findings.
    /// - Returns: The policies.
    /// - Throws: ``PolicyFailure`` if no pin can be used.
    func file(
        beside others: ((Host) -> Bool)? = nil,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile? {
        let pinning = transfers.filter { $0.pin != nil }
        guard !pinning.isEmpty else {
            let open = others.map { openClients($0, &notes) } ?? []
            guard !open.isEmpty else { return nil }
            return PolicyFile(kinds: open.map { _ in .curl }, policies: open)
        }
        for line in functions {
            notes.unproven(
                .root("line \(line)"),
                "This function has the name of the program, and may give it --insecure.",
                "Give the function another name, or prove it: pinhole audit -- COMMAND."
            )
        }
        for (option, line) in looseOptions {
            notes.unproven(
                .root("line \(line)"),
                "“\(option)” stands outside of the commands of this file, and may become an option of one.",
                "Write the options into the command, or prove it: pinhole audit -- COMMAND."
            )
        }
        var found: [(policy: CurlPolicy, hosts: [Host])] = []
        for transfer in pinning {
            guard let policy = policy(of: transfer, &notes) else { continue }
            let hosts = hosts(of: transfer)
            if let known = found.firstIndex(where: {
                $0.policy == policy && $0.hosts.isEmpty == hosts.isEmpty
            }) {
                found[known].hosts += hosts.filter { !found[known].hosts.contains($0) }
            } else {
                found.append((policy, hosts))
            }
        }
        guard let first = found.first else {
            throw notes.obstacle ?? notes.gap ?? PolicyFailure("no pin can be used")
        }
        let pinned = Set(found.flatMap(\.hosts))
        let open = openClients({ pinned.contains($0) || others?($0) == true }, &notes)
        guard found.count + open.count > 1 else {
            return PolicyFile(
                kinds: [.curl],
                policies: [first.policy],
                bystanders: first.hosts,
                places: pinning.flatMap(places)
            )
        }
        let policies =
            found.map { policy, hosts -> any TrustPolicy in
                hosts.isEmpty ? policy : Self.client(policy, hosts)
            } + open
        var file = PolicyFile(kinds: policies.map { _ in .curl }, policies: policies)
        file.isOfSeveralClients = true
        return file
    }

    private func policy(
        of transfer: Transfer,
        _ notes: inout DocumentNotes
    ) -> CurlPolicy? {
        let path = DocumentPath.root("line \(transfer.line)")
        let clear = transfer.urls.compactMap { cleartext(of: $0, transfer) }
        if let scheme = clear.first, clear.count == transfer.urls.count {
            notes.fail(
                .cleartext,
                path,
                "The URL is of \(scheme), where curl never looks at the pin.",
                "Write https://."
            )
            return nil
        }
        if let scheme = clear.first {
            notes.remark(
                .cleartext,
                path,
                "One URL is of \(scheme), where curl never looks at the pin.",
                "Write https://.",
                severity: .error
            )
        }
        noteUnknownWords(of: transfer, &notes)
        noteConfiguration(of: transfer, &notes)
        guard let value = transfer.pin?.whole else {
            notes.notLiteral(transfer.pin?.code ?? "", line: transfer.line)
            return nil
        }
        guard !CurlPinnedKey.holdsDigests(value) else {
            return CurlPolicy(pinnedPublicKey: CurlPinnedKey(digests: value), insecure: transfer.insecure)
        }
        do throws(PolicyFailure) {
            let key = try files.parsed(value, as: "a public key in PEM or DER", remedy: "pinhole pins show") {
                content in
                guard CurlPinnedKey.file(content).fileKey != nil else { throw PolicyFailure("no public key") }
                return content
            }
            return CurlPolicy(pinnedPublicKey: .file(key), insecure: transfer.insecure)
        } catch {
            notes.missing(path, "\(error)")
            return nil
        }
    }

    static func client(_ policy: any TrustPolicy, _ hosts: [Host]) -> HostPolicies {
        HostPolicies([(hosts.compactMap { try? HostPattern($0.uriText) }, policy)], namesHosts: true)
    }

    /// Notes words that may hold any option, `curl $OPTIONS https://example.com`.
    private func noteUnknownWords(of transfer: Transfer, _ notes: inout DocumentNotes) {
        let unknown = transfer.urls.first { $0.beginning.isEmpty && $0.whole == nil }
        let isBesideURL = transfer.urls.contains { !$0.beginning.isEmpty }
        guard let code = transfer.rest ?? (isBesideURL ? unknown?.code : nil) else { return }
        notes.unproven(
            .root("line \(transfer.line)"),
            "The words of “\(DocumentPath.cut(code))” are not in this file, and may hold --insecure.",
            "Give them a value in the script, or write the options themselves."
        )
    }

    /// The protocols without TLS, and those that change to it only if they are told to.
    private static let cleartext: Set = [
        "http", "ws", "dict", "file", "gopher", "mqtt", "rtsp", "scp", "sftp", "smb", "telnet", "tftp",
    ]
    private static let upgradable: Set = ["ftp", "imap", "ldap", "pop3", "smtp"]

    /// The protocol of a URL if curl speaks it without TLS; `nil` for other URLs.
    func cleartext(of url: SourceText, _ transfer: Transfer) -> String? {
        guard let scheme = scheme(of: url, transfer) else { return nil }
        let isClear =
            Self.cleartext.contains(scheme) || Self.upgradable.contains(scheme) && !transfer.requiresTLS
        return isClear ? scheme : nil
    }

    private func scheme(of url: SourceText, _ transfer: Transfer) -> String? {
        let text = url.beginning
        guard let end = text.firstRange(of: "://") else {
            // A variable may have the protocol in it.
            return text.isEmpty ? nil : transfer.scheme
        }
        return text[..<end.lowerBound].lowercased()
    }
}

extension CurlCommands {
    /// Reads the commands of a text, also those in a word of another command: `sh -c "curl …"`.
    private mutating func readCommands(_ text: String, from firstLine: Int = 1, depth: Int = 0) {
        let commands = ShellCommand.commands(in: text)
        let functions = ShellWords.functions(in: commands)
        for command in commands {
            let line = command.line + firstLine - 1
            // `user_data = <<EOT` of Terraform makes a script of the text.
            let isAssigned = command.words.dropFirst().first?.text.whole == "="
            if depth < 3, !command.runsInput, !isAssigned,
                let text = ShellWords.sentText(of: command, functions)
            {
                readText(text, of: command, line: line, depth)
            }
            if ShellWords.prints(command, functions) { continue }
            var words = ShellWords.deciding(command.words.map(\.text))
            if ["alias", "abbr"].contains(words.first?.whole) {
                readAliases(words.dropFirst(), from: line, depth)
                continue
            }
            if let alias = words.first?.whole.flatMap({ aliases[$0] }) { words = alias + words.dropFirst() }
            // The shell's command that does nothing.
            if words.first?.whole == ":" { continue }
            let start = words.firstIndex { word in
                guard let text = word.whole else { return false }
                let name = text.split(separator: "/").last.map { $0.drop { "@-".contains($0) } } ?? ""
                return ["curl", "curl.exe", "wget"].contains(name)
            }
            // A text for people, as a value or as a message.
            let first = words.first { $0.whole != "-" }?.whole ?? ""
            let isProse = first.last == ":" && SettingsForm.proseKeys.contains(first.dropLast().lowercased())
            if isProse { continue }
            if let start {
                // A function that hands its arguments on is called with the words of the command.
                if let function = command.function, let end = words.firstIndex(where: ShellWords.isArgument),
                    end > start
                {
                    aliases[function] = Array(words[start..<end])
                }
                let isWget = words[start].whole?.hasSuffix("wget") == true
                // xargs and parallel add the words that they read.
                let isFed = words[..<start].contains { ["xargs", "parallel"].contains($0.whole) }
                let rest = isFed ? [SourceText([.expression("xargs")])] : []
                let first = transfers.count
                read(words[(start + 1)...] + rest, input: command.input, line: line, isWget: isWget)
                if ShellWords.isUnknown(command, functions) { doubt(from: first) }
                continue
            }
            // `ExecStart=/usr/bin/curl -k …` of systemd.
            if words.first?.beginning.hasPrefix("-") == true,
                let program = command.assignments.last?.value.whole?.split(separator: "/").last,
                ["curl", "wget"].contains(program)
            {
                read(words, line: line, isWget: program == "wget")
                continue
            }
            guard depth < 3 else { continue }
            if isAssigned, let input = command.input {
                readCommands(input, from: line + 1, depth: depth + 1)
            }
            for part in words.compactMap(\.whole) where part.utf8.count < text.utf8.count {
                guard part.contains("curl ") || part.contains("wget ") else { continue }
                readCommands(part, from: line, depth: depth + 1)
            }
        }
    }

    /// Reads a text that a command writes to a file, or hands to a shell or another command.
    private mutating func readText(_ text: String, of command: ShellCommand, line: Int, _ depth: Int) {
        let destination = ShellWords.destination(of: command)
        if case .file(let name)? = destination, name.hasSuffix("curlrc") {
            var transfer = Transfer(line: line)
            readOptions(of: Self.configuration(text), &transfer)
            transfer.isConfiguration = true
            if transfer.insecure, transfer.pin == nil { transfers.append(transfer) }
            return
        }
        guard Self.marks.isIn(Array(text.utf8)) else { return }
        if let destination, ShellWords.isLog(destination) { return }
        let first = transfers.count
        let known = aliases
        readCommands(text, from: command.inputLines == nil ? line : line + 1, depth: depth + 1)
        aliases = known
        guard destination != .shell else { return }
        doubt(from: first)
    }

    /// Remembers the words of aliases, `alias curl='curl -k'` or `abbr c 'curl -k'`, and reads them with those of any use.
    private mutating func readAliases(_ words: ArraySlice<SourceText>, from line: Int, _ depth: Int) {
        let names = words.drop { $0.beginning.hasPrefix("-") }
        let pairs =
            names.first?.whole?.contains("=") == false
            ? [names.map(\.code)] : names.map { $0.code.split(separator: "=", maxSplits: 1).map(String.init) }
        for pair in pairs where pair.count > 1 && depth < 3 {
            let command = pair.dropFirst().joined(separator: " ")
            let words = ShellCommand.commands(in: command).first?.words.map(\.text) ?? []
            readCommands(command + " \"$@\"", from: line, depth: depth + 1)
            aliases[pair[0]] = ShellWords.deciding(words)
        }
    }

    /// Reads the options of one command.
    private mutating func read(
        _ words: [SourceText],
        input: String? = nil,
        line: Int,
        rest: String? = nil,
        isWget: Bool = false
    ) {
        var transfer = Transfer(line: line)
        transfer.rest = rest
        transfer.isWget = isWget
        var index = 0
        var onlyURLs = false
        while index < words.count {
            let word = words[index]
            index += 1
            let text = word.beginning
            if onlyURLs || !text.hasPrefix("-") || text == "-" {
                if text != "-" { transfer.urls.append(word) }
            } else if text == "--" {
                onlyURLs = true
            } else if text.hasPrefix("--") {
                readLong(word, words, &index, &transfer, input)
            } else {
                readShort(word, words, &index, &transfer, input)
            }
        }
        transfers.append(transfer)
    }

    private mutating func readLong(
        _ word: SourceText,
        _ words: [SourceText],
        _ index: inout Int,
        _ transfer: inout Transfer,
        _ input: String?
    ) {
        let text = word.beginning
        let option = String(text.dropFirst(2).prefix { $0 != "=" })
        var value: SourceText?
        if let sign = text.firstIndex(of: "=") {
            value = SourceText([.text(String(text[text.index(after: sign)...]))] + word.pieces.dropFirst())
        } else if Self.valued.contains(option) || isPinOption(option), index < words.count {
            value = words[index]
            index += 1
        }
        set(option, value, &transfer, input)
    }

    /// Whether an option is `--pinnedpubkey`, which curl takes in short as well.
    private func isPinOption(_ option: String) -> Bool {
        option.count >= 3 && "pinnedpubkey".hasPrefix(option)
    }

    private mutating func readShort(
        _ word: SourceText,
        _ words: [SourceText],
        _ index: inout Int,
        _ transfer: inout Transfer,
        _ input: String?
    ) {
        var rest = word.beginning.dropFirst()
        while let letter = rest.popFirst() {
            if letter == "k", !transfer.isWget { transfer.insecure = true }
            if letter == ":" { next(&transfer) }
            guard (transfer.isWget ? Self.lettersOfWget : Self.letters).contains(letter) else { continue }
            // The rest of the word is the value, or else the next word.
            var value = SourceText([.text(String(rest))] + word.pieces.dropFirst())
            if rest.isEmpty, word.pieces.count == 1, index < words.count {
                value = words[index]
                index += 1
            }
            if letter == "K" { set("config", value, &transfer, input) }
            return
        }
    }

    private mutating func set(
        _ option: String,
        _ value: SourceText?,
        _ transfer: inout Transfer,
        _ input: String?
    ) {
        switch option {
        case "no-check-certificate": transfer.insecure = true
        case "ssl-reqd", "ftp-ssl-reqd": transfer.requiresTLS = true
        // curl accepts an unambiguous prefix of an option.
        case _ where option.count >= 3 && "insecure".hasPrefix(option): transfer.insecure = true
        case "no-insecure", "check-certificate": transfer.insecure = false
        case "next": next(&transfer)
        case "url":
            if let value { transfer.urls.append(value) }
        case "proto-default": transfer.scheme = value?.whole ?? transfer.scheme
        case "config":
            if value?.whole == "-", let input {
                return readOptions(of: Self.configuration(input), &transfer)
            }
            let inclusion = files.including(value?.whole ?? "", as: "options of curl") { content in
                Self.configuration(String(decoding: content, as: UTF8.self))
            } use: { lines in
                readOptions(of: lines, &transfer)
            }
            if case .read = inclusion { return }
            transfer.configuration = value
        default:
            if isPinOption(option), let value { transfer.pin = value }
        }
    }

    private mutating func next(_ transfer: inout Transfer) {
        transfers.append(transfer)
        let rest = transfer.rest
        transfer = Transfer(line: transfer.line)
        transfer.rest = rest
    }

    private mutating func readOptions(
        of lines: [(words: [SourceText], line: Int)],
        _ transfer: inout Transfer
    ) {
        for (words, _) in lines { readOption(words, &transfer) }
    }

    /// Reads the option of a line of a configuration.
    private mutating func readOption(_ words: [SourceText], _ transfer: inout Transfer) {
        guard let word = words.first else { return }
        var index = 1
        if word.beginning.hasPrefix("--") {
            readLong(word, words, &index, &transfer, nil)
        } else {
            readShort(word, words, &index, &transfer, nil)
        }
    }

    /// Reads the lines of a `.curlrc`.
    private mutating func readConfiguration() {
        let lines = Self.configuration(text)
        let isOfCurl =
            isConfiguration
            || lines.contains { words, _ in
                words.first.map { isPinOption(String($0.beginning.dropFirst(2))) } == true
            }
        guard isOfCurl else { return }
        var transfer: Transfer?
        for (words, line) in lines {
            var current = transfer ?? Transfer(line: line)
            if words.first.map({ isPinOption(String($0.beginning.dropFirst(2))) }) == true {
                current.line = line
            }
            readOption(words, &current)
            transfer = current
        }
        if let transfer { transfers.append(transfer) }
    }

    /// The lines of a configuration as options: `name = "value"`, `name: value`, `--name value`, `-x value`.
    private static func configuration(_ text: String) -> [(words: [SourceText], line: Int)] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
            number,
            line in
            let content = line.drop(while: \.isWhitespace)
            guard let first = content.first, first != "#" else { return nil }
            let name = content.prefix { !$0.isWhitespace && $0 != "=" && $0 != ":" }
            let option = name.hasPrefix("-") ? String(name) : "--\(name)"
            let rest = content.dropFirst(name.count).drop { $0.isWhitespace || $0 == "=" || $0 == ":" }
            guard !rest.isEmpty else { return ([SourceText(option)], number + 1) }
            return ([SourceText(option), SourceText(value(rest))], number + 1)
        }
    }

    /// The value of a line: up to a space, or between quotation marks with their escapes.
    private static func value(_ text: Substring) -> String {
        guard text.first == "\"" else { return String(text.prefix { !$0.isWhitespace }) }
        var value = ""
        var isEscaped = false
        for character in text.dropFirst() {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                value.append(character)
            }
        }
        return value
    }

    /// Reads a value of `--pinnedpubkey` that stands in a file without a command.
    private mutating func readValue() {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            let content = line.drop(while: \.isWhitespace)
            guard !content.hasPrefix("#"), !content.hasPrefix("//"),
                let start = content.firstRange(of: "sha256//")
            else { continue }
            let value = content[start.lowerBound...].prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            guard Pin.isCurlNotation(value.prefix { $0 != ";" && $0 != "," && $0 != ")" }) else { continue }
            var transfer = Transfer(line: number + 1)
            transfer.pin = SourceText(String(value))
            let words = line.split(whereSeparator: \.isWhitespace)
            transfer.insecure = words.contains { $0 == "--insecure" || $0 == "insecure" || $0 == "-k" }
            transfer.urls = words.filter { $0.hasPrefix("https://") }.map { SourceText(String($0)) }
            transfers.append(transfer)
            return
        }
    }
}
