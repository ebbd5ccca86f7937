import PinholeModel
import PinholeSource
import PinholeTrust

/// A policy file of text, whose kind is recognised by its content, and source code also by its name.
struct PolicyText {
    private let text: String
    private let lines: [Substring]
    private let options: PolicyFile.Options

    init(_ bytes: [UInt8], _ options: PolicyFile.Options) throws(PolicyFailure) {
        guard bytes.count <= 1 << 20, let text = String(validating: Self.withoutMark(bytes), as: UTF8.self)
        else {
            throw PolicyFailure(
                "expected a policy file, found bytes that are neither a property list nor UTF-8 text"
            )
        }
        self.text = text
        self.options = options
        lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
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
        if let language {
            if let file = try code(language, files, &notes) { return file }
            throw unknown
        }
        let settings = settings(files, &notes)
        let headers = try headers(&notes)
        if let file = combined(settings, headers) { return file }
        if let line = lines.first, line.hasPrefix("|g0|") || line.hasPrefix("|c0|") {
            let policy = TOFUPolicy(store: try KnownHosts(parsing: text))
            return PolicyFile(kinds: [.knownHosts], policies: [policy])
        }
        if text.contains("-----BEGIN PUBLIC KEY-----") {
            let policy = CurlPolicy(pinnedPublicKey: .file(Array(text.utf8)))
            return PolicyFile(kinds: [.curl], policies: [policy])
        }
        if let file = try CurlCommands(text, name: options.name).file(files, &notes) { return file }
        if let file = try code(.unknown, files, &notes) { return file }
        if lines.contains(where: { $0.contains("sha256/") || $0.contains("sha1/") }) {
            let pins = try okHttpLines(&notes)
            if pins.isEmpty, let failure = notes.obstacle { throw failure }
            return PolicyFile(kinds: [.okHttp], policies: [OkHttpPolicy(pins: pins)])
        }
        if lines.contains(where: ZoneFile.looksLikeRecord) {
            let zone = try ZoneFile(text)
            return PolicyFile(kinds: [.dane], policies: [try zone.policy()], bystanders: zone.hosts)
        }
        // The settings were read, and neither pin nor leave out a check.
        if let settings { return settings }
        throw unknown
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

    /// The policies of settings and headers of one file; `nil` if there are none.
    private func combined(_ settings: PolicyFile?, _ headers: PolicyFile?) -> PolicyFile? {
        guard let settings, !settings.policies.isEmpty else { return headers }
        guard let headers else { return settings }
        var file = PolicyFile(
            kinds: settings.kinds + headers.kinds,
            policies: settings.policies + headers.policies
        )
        file.isOfSeveralClients = true
        return file
    }

    private var unknown: PolicyFailure {
        if text.contains("\"sha256/") || text.contains("CertificatePinner.Builder") {
            return PolicyFailure(
                "expected .add(\"example.com\", \"sha256/…\") in the source code, found it in comments only"
            )
        }
        let found = lines.isEmpty ? "nothing in it but spaces and comments" : "text of no such kind"
        return PolicyFailure(
            "expected a policy file (\(PolicyFile.Kind.allCases.count) kinds are read, see docs/PINS.md#pinhole-pins-check), "
                + "found \(found)"
        )
    }

    /// Reads headers with pins or Expect-CT, alone or in the configuration of a server; `nil` for other text.
    private func headers(_ notes: inout DocumentNotes) throws(PolicyFailure) -> PolicyFile? {
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

    /// Reads source code by all readers that it concerns; `nil` if it concerns none.
    private func code(
        _ language: SourceLanguage,
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile? {
        let code = SourceCode(Array(text.utf8), name: options.name, language)
        let words = code.words
        let readers = SourceReader.all.filter { $0.concerns(code, words) }
        guard !readers.isEmpty else { return nil }
        var reading = SourceReading(
            SourceEvaluator(code, options.project),
            hosts: options.hosts,
            debug: options.debug,
            files,
            notes
        )
        for reader in readers { reading.run(reader) }
        notes = reading.notes
        let found = reading.found
        guard !found.isEmpty else {
            if let failure = notes.obstacle ?? notes.gap { throw failure }
            // The code was read, and neither pins nor leaves out a check.
            let kinds = readers.map { PolicyFile.Kind(rawValue: $0.title) }
            return language == .unknown ? nil : PolicyFile(kinds: kinds, policies: [])
        }
        var file = PolicyFile(
            kinds: found.map { PolicyFile.Kind(rawValue: $0.title) },
            policies: found.map(\.policy),
            bystanders: reading.bystanders
        )
        file.isOfSeveralClients = found.count > 1
        return file
    }

    private func okHttpLines(_ notes: inout DocumentNotes) throws(PolicyFailure) -> [OkHttpPin] {
        var pins: [OkHttpPin] = []
        noteUnpadded(&notes)
        let lines = OkHttpPin.canonical(text).split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        )
        for (index, line) in lines.enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#"), !first.hasPrefix("//") else { continue }
            guard words.count > 1 else {
                throw PolicyFailure(
                    "line \(index + 1): “\(line)” is no OkHttp pin: expected a pattern and a pin, “example.com sha256/…”"
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
    private func noteUnpadded(_ notes: inout DocumentNotes) {
        for word in lines.joined(separator: " ").split(whereSeparator: \.isWhitespace) {
            guard let pin = try? Pin(okHttp: word), word != pin.description else { continue }
            notes.unusual(String(word), at: .root(""), documented: "“\(pin)”")
        }
    }
}
