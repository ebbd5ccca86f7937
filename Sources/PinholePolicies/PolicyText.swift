import PinholeModel
import PinholeSource
import PinholeTrust

/// A policy file of text, whose kind is recognised by its content, and source code also by its name.
struct PolicyText {
    private static let luaBlocks = MarkSearch(["_by_lua_block"])
    private static let keys = MarkSearch(["-----BEGIN PUBLIC KEY-----"])
    private static let pins = MarkSearch(["sha256/", "sha1/"])
    private static let headers = MarkSearch(
        ServerHeaders.wanted + ["expect-ct:", "public-key-pins", "pin-sha256="]
    )
    private static let records = MarkSearch(["tlsa", "type52"])

    private let text: String
    private let bytes: [UInt8]
    /// The lines of a file that is no source code by its name.
    private let lines: [Substring]
    private let options: PolicyFile.Options

    init(_ bytes: [UInt8], _ options: PolicyFile.Options) throws(PolicyFailure) {
        var options = options
        var bytes = bytes
        if let name = options.name, let part = Notebook.parts(in: bytes, named: name).first {
            (options.name, bytes) = part
        }
        guard bytes.count <= 1 << 20, let whole = String(validating: Self.withoutMark(bytes), as: UTF8.self)
        else {
            throw PolicyFailure(
                "expected a policy file, found bytes that are neither a property list nor UTF-8 text"
            )
        }
        let text = options.name?.hasSuffix(".txt") == true ? SourceLanguage.withoutSentences(whole) : whole
        self.text = text
        self.options = options
        self.bytes = Array(text.utf8)
        lines = options.name.flatMap { SourceLanguage(fileName: $0) } == nil ? Self.lines(of: text) : []
    }

    /// The lines that are neither blank nor remarks, without the white space in front of them.
    private static func lines(of text: String) -> [Substring] {
        text.utf8.split { (0x0a...0x0d).contains($0) }.map { Substring($0.drop { $0 == 0x20 || $0 == 0x09 }) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("//") }
    }

    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    }

    /// Reads the file by its kind.
    ///
    /// - Parameters:
    ///   - files: The files that the text may name.
    ///   - notes: Gets the findings about oddities.
    /// - Returns: The policies.
    /// - Throws: ``PolicyFailure`` that says what was expected.
    func file(_ files: NamedFiles, _ notes: inout DocumentNotes) throws(PolicyFailure) -> PolicyFile {
        let language =
            options.name.flatMap { SourceLanguage(fileName: $0) } ?? SourceLanguage(firstLine: text)
            ?? (SourceLanguage.isListOfTerms(bytes) ? .erlang : nil)
        if let language {
            if let file = try code(language, files, &notes) { return file }
            if language.holdsSettings, let file = settings(files, &notes) { return file }
            throw unknown
        }
        guard let settings = settings(files, &notes) else {
            if let file = try document(files, &notes) { return file }
            throw unknown
        }
        return combined(settings, others(files, &notes))
    }

    /// Reads a document of one kind, or the commands of curl; `nil` if the text is none.
    private func document(
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile? {
        if let file = try headers(&notes) { return file }
        if let line = lines.first, line.hasPrefix("|g0|") || line.hasPrefix("|c0|") {
            let policy = TOFUPolicy(store: try KnownHosts(parsing: text))
            return PolicyFile(kinds: [.knownHosts], policies: [policy])
        }
        if Self.keys.isIn(bytes) {
            let policy = CurlPolicy(pinnedPublicKey: .file(bytes))
            return PolicyFile(kinds: [.curl], policies: [policy])
        }
        let commands = CurlCommands(text, name: options.name, files)
        if let file = try commands.file(&notes) { return file }
        let language: SourceLanguage = Self.luaBlocks.isIn(bytes) ? .lua : .unknown
        if !commands.isScript, let file = try code(language, files, &notes) { return file }
        if !commands.isScript, Self.pins.isIn(bytes),
            lines.contains(where: { $0.contains("sha256/") || $0.contains("sha1/") })
        {
            let pins = try okHttpLines(&notes)
            if pins.isEmpty, let failure = notes.obstacle { throw failure }
            return PolicyFile(kinds: [.okHttp], policies: [OkHttpPolicy(pins: pins)])
        }
        if looksLikeZone { return try ZoneFile(text).file() }
        return commands.insecureFile(&notes)
    }

    /// Reads the commands of curl and Wget in a text of another kind; `nil` if none pins or accepts every server.
    func commands(_ files: NamedFiles, _ notes: inout DocumentNotes) throws(PolicyFailure) -> PolicyFile? {
        let commands = CurlCommands(text, name: options.name, files, isCommandsOnly: true)
        return try commands.file(&notes) ?? commands.insecureFile(&notes)
    }

    /// Reads everything beside the settings of the same text: headers, commands, records and lines of pins.
    ///
    /// A part that its reader refuses is a finding, so that the settings do not hide it.
    private func others(_ files: NamedFiles, _ notes: inout DocumentNotes) -> [PolicyFile] {
        var found: [PolicyFile] = []
        read(&found, &notes) { (notes) throws(PolicyFailure) in try headers(&notes) }
        read(&found, &notes) { (notes) throws(PolicyFailure) in
            let commands = CurlCommands(text, name: options.name, files, isCommandsOnly: true)
            if let file = try commands.file(&notes) { return file }
            // The doubts and faults of the settings are no reason to refuse the code.
            var own = DocumentNotes()
            defer { notes.add(own) }
            commands.noteConfigurations(&own)
            // The blocks of OpenResty are Lua.
            let language: SourceLanguage = Self.luaBlocks.isIn(bytes) ? .lua : .unknown
            return try code(language, files, &own) ?? commands.insecureFile(&own)
        }
        if Self.pins.isIn(bytes), lines.contains(where: isOkHttpLine) {
            read(&found, &notes) { (notes) throws(PolicyFailure) in
                let pins = try okHttpLines(amongOthers: true, &notes)
                return PolicyFile(kinds: [.okHttp], policies: [OkHttpPolicy(pins: pins)])
            }
        }
        if looksLikeZone {
            read(&found, &notes) { (_) throws(PolicyFailure) in
                try ZoneFile(text).file()
            }
        }
        return found
    }

    private func read(
        _ found: inout [PolicyFile],
        _ notes: inout DocumentNotes,
        _ reader: (inout DocumentNotes) throws(PolicyFailure) -> PolicyFile?
    ) {
        var own = DocumentNotes()
        defer { notes.add(own) }
        do throws(PolicyFailure) {
            if let file = try reader(&own) { found.append(file) }
        } catch {
            // The reader may have told the reason already; a hint is none.
            guard own.obstacle == nil, own.gap == nil else { return }
            own.fail(
                .unreadable,
                .root(""),
                "A part of the file beside its settings is not read: \(error).",
                "Fix it, or move it to a file of its own."
            )
        }
    }

    /// Whether a line is a pattern with a pin of OkHttp; the pins of curl begin with “sha256//”.
    private func isOkHttpLine(_ line: Substring) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, (try? OkHttpPin.Pattern(words[0])) != nil else { return false }
        return words.dropFirst().allSatisfy {
            ($0.hasPrefix("sha256/") || $0.hasPrefix("sha1/")) && !$0.hasPrefix("sha256//")
        }
    }

    /// Reads the settings of proxies, resolvers and tools; `nil` if the text has none.
    func settings(_ files: NamedFiles, _ notes: inout DocumentNotes) -> PolicyFile? {
        let (found, kinds) = SettingsReading.policies(
            in: text,
            named: options.name,
            hosts: options.hosts,
            files,
            &notes
        )
        guard !kinds.isEmpty else { return nil }
        var file = PolicyFile(
            kinds: (found.isEmpty ? kinds : found.map(\.title)).map { PolicyFile.Kind(rawValue: $0) },
            policies: found.map(\.policy)
        )
        file.isOfSeveralClients = found.count > 1
        return file
    }

    /// The policies of the settings and of everything else in one file, each of a client of its own.
    private func combined(_ settings: PolicyFile, _ others: [PolicyFile]) -> PolicyFile {
        let others = others.filter { !$0.policies.isEmpty }
        guard let first = others.first else { return settings }
        if settings.policies.isEmpty, others.count == 1 { return first }
        let known = Set(settings.policies.compactMap { ($0 as? BrokenPolicy)?.finding?.path })
        var file = PolicyFile(
            kinds: settings.policies.isEmpty ? [] : settings.kinds,
            policies: settings.policies
        )
        for other in others {
            for (index, policy) in other.policies.enumerated() {
                // Two readers may know one switch.
                if let path = (policy as? BrokenPolicy)?.finding?.path, known.contains(path) { continue }
                file.kinds.append(other.kinds[min(index, other.kinds.count - 1)])
                file.policies.append(limited(policy, to: other.bystanders))
            }
        }
        file.isOfSeveralClients = file.policies.count > 1
        return file
    }

    /// A policy for the hosts beside it, which a file with several clients does not name.
    private func limited(_ policy: any TrustPolicy, to hosts: [Host]) -> any TrustPolicy {
        let patterns = hosts.compactMap { try? HostPattern($0.uriText) }
        return patterns.isEmpty ? policy : HostPolicies([(patterns, policy)], namesHosts: true)
    }

    private var unknown: PolicyFailure {
        if text.contains("\"sha256/") || text.contains("CertificatePinner.Builder") {
            return PolicyFailure(
                "expected .add(\"example.com\", \"sha256/…\") in the source code, found it in comments only"
            )
        }
        let found =
            Self.lines(of: text).isEmpty ? "nothing in it but spaces and comments" : "text of no such kind"
        return PolicyFailure(
            "expected a policy file (\(PolicyFile.Kind.allCases.count) kinds are read, see docs/PINS.md#pinhole-pins-check), "
                + "found \(found)"
        )
    }

    /// Reads headers with pins or Expect-CT, alone or in the configuration of a server; `nil` for other text.
    private func headers(_ notes: inout DocumentNotes) throws(PolicyFailure) -> PolicyFile? {
        guard Self.headers.isIn(Array(text.lowercased().utf8)) else { return nil }
        if lines.contains(where: ServerHeaders.sets) {
            let (kinds, policies) = try ServerHeaders(text).policies(&notes)
            return PolicyFile(kinds: kinds, policies: policies)
        }
        if let header = lines.first(where: { $0.lowercased().hasPrefix("expect-ct:") }) {
            let value = header.drop { $0 != ":" }.dropFirst()
            let policy = try ServerHeaders.expectCT(value, .root(""), &notes)
            return PolicyFile(kinds: [.expectCT], policies: [policy])
        }
        let header = lines.first {
            $0.lowercased().hasPrefix("public-key-pins") || $0.contains("pin-sha256=")
        }
        guard let header else { return nil }
        let reportOnly = HPKPHeader.isReportOnly(header) ?? false
        let policy = try ServerHeaders.hpkp(header, reportOnly: reportOnly, .root(""), &notes)
        return PolicyFile(kinds: [.hpkp], policies: [policy])
    }

    /// Whether a line is a record of a zone, or the value of one.
    private var looksLikeZone: Bool {
        let isNamed = Self.records.isIn(Array(text.lowercased().utf8))
        return lines.contains {
            (isNamed || $0.first?.isWholeNumber == true) && ZoneFile.looksLikeRecord($0)
        }
    }

    /// The bytes of a text whose language is not known, with blanks in place of the lines that are remarks: `# …`.
    private static func withoutRemarks(_ text: String) -> [UInt8] {
        var lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
        for index in lines.indices {
            let start = lines[index].drop { $0 == 0x20 || $0 == 0x09 }.prefix(2)
            guard start.first == UInt8(ascii: "#"), [0x20, 0x09, 0x23].contains(start.last) else { continue }
            lines[index] = [UInt8](repeating: 0x20, count: lines[index].count)
        }
        return Array(lines.joined(separator: [0x0a]))
    }

    /// Reads source code by all readers that it concerns; `nil` if it concerns none.
    private func code(
        _ language: SourceLanguage,
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile? {
        var bytes = language == .unknown ? Self.withoutRemarks(text) : bytes
        if language == .unknown, SettingsForm(name: options.name, text) == .commands {
            bytes = ShellWords.withoutPrintedLines(bytes)
        }
        let code = SourceCode(bytes, name: options.name, language)
        let evaluator = SourceEvaluator(code, options.project)
        let words = code.words.union(evaluator.computedNames + evaluator.scatteredNames.map(\.name))
        let commands = CurlCommands(in: code, files)
        let readers = SourceReader.all.filter { $0.concerns(code, words) }
        guard !readers.isEmpty || commands.pins || commands.isInsecure else { return nil }
        var reading = SourceReading(
            evaluator,
            hosts: options.hosts,
            debug: options.debug,
            files,
            notes
        )
        // The commands know the options beside their pins.
        if commands.pins { reading.commands = commands.tokens }
        for reader in readers { reading.run(reader) }
        notes = reading.notes
        let found = reading.found
        let pinning = found.map(\.policy).filter { !$0.pinLists.isEmpty }
        let isPinned = { (host: Host) in pinning.contains { !$0.pinnedLists(for: host).isEmpty } }
        var commanded: PolicyFile?
        do throws(PolicyFailure) {
            commanded = try commands.file(beside: found.isEmpty ? nil : isPinned, &notes)
            if found.isEmpty, commanded == nil { commanded = commands.insecureFile(&notes) }
        } catch {
            // The reason is among the notes, and leaves the other pins of the code.
            guard !found.isEmpty else { throw error }
        }
        OtherRequests(code, isPinned: isPinned).note(&notes)
        guard !found.isEmpty else {
            if let commanded { return commanded }
            if let failure = notes.obstacle ?? notes.gap { throw failure }
            // The code was read, and neither pins nor leaves out a check.
            let kinds = readers.isEmpty ? [.curl] : readers.map { PolicyFile.Kind(rawValue: $0.title) }
            return language == .unknown ? nil : PolicyFile(kinds: kinds, policies: [])
        }
        var file = PolicyFile(
            kinds: found.map { PolicyFile.Kind(rawValue: $0.title) },
            policies: found.map(\.policy),
            bystanders: reading.bystanders
        )
        file.isOfSeveralClients = found.count > 1
        guard let commanded else { return file }
        return combined(PolicyFile(kinds: [], policies: []), [file, commanded])
    }

    /// Reads lines of a pattern and its pins.
    ///
    /// - Parameters:
    ///   - amongOthers: Whether the text has lines of other kinds, which are not read then.
    ///   - notes: Gets the findings.
    /// - Returns: The pins.
    /// - Throws: ``PolicyFailure`` with the line that is no pin.
    private func okHttpLines(
        amongOthers: Bool = false,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> [OkHttpPin] {
        var pins: [OkHttpPin] = []
        noteUnpadded(in: amongOthers ? self.lines.filter(isOkHttpLine) : self.lines, &notes)
        let lines = OkHttpPin.canonical(text).split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        )
        for (index, line) in lines.enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#"), !first.hasPrefix("//") else { continue }
            if amongOthers, !isOkHttpLine(line) { continue }
            guard words.count > 1 else {
                throw PolicyFailure(
                    "line \(index + 1): “\(line)” is not an OkHttp pin: expected a pattern and a pin, “example.com sha256/…”"
                )
            }
            let path = DocumentPath.root("line \(index + 1)")
            var pattern: OkHttpPin.Pattern?
            do throws(PolicyFailure) {
                pattern = try OkHttpPin.Pattern(first)
            } catch {
                notes.badPattern(first, at: path, error)
            }
            for word in words.dropFirst() {
                do throws(PolicyFailure) {
                    let pin = try Pin(okHttp: word)
                    if let pattern { pins.append(OkHttpPin(pattern, pin)) }
                } catch {
                    notes.badPin(word, at: path, error)
                }
            }
        }
        return pins
    }

    /// Notes pins that only OkHttp's own decoder takes.
    private func noteUnpadded(in lines: [Substring], _ notes: inout DocumentNotes) {
        for word in lines.joined(separator: " ").split(whereSeparator: \.isWhitespace) {
            guard let pin = try? Pin(okHttp: word), word != pin.description else { continue }
            notes.unusual(String(word), at: .root(""), documented: "“\(pin)”")
        }
    }
}
