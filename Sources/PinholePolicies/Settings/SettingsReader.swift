import PinholeModel
import PinholeSource
import PinholeTrust

/// The reader of one kind of configuration.
///
/// One more kind is one more file in `Readers`, and a line in ``all``.
struct SettingsReader: Sendable {
    /// The kind, for users.
    let title: String
    /// The texts of which one stands in every file of the kind.
    let marks: [String]
    /// The marks that other files have, too, so that they say nothing about trust by themselves.
    var commonMarks: Set<String> = []
    /// The forms in which the kind is written; the first one that the reader knows its settings in counts.
    let forms: [SettingsForm]
    /// Whether a text may have settings of the kind in several forms, so that a safe setting in one form does not
    /// hide an unsafe one in another.
    var readsEveryForm = false
    /// Reads the settings, and adds policies and findings; false if they are of another kind.
    let read: @Sendable (inout SettingsReading) -> Bool

    /// All readers, in the order in which their policies are told.
    static let all: [SettingsReader] = [
        .envoy, .nginx, .apache, .haProxy, .stubby, .knot, .git, .kubeadm, .nats, .settingSwitches,
        .terraform, .developmentProxy, .cleartext,
    ]

    private static let search = MarkSearch(all.flatMap(\.marks))
    /// The numbers of the readers of all marks, in the order of the search.
    private static let owners = all.indices.flatMap { number in all[number].marks.map { _ in number } }

    /// The readers that a text may be for, in their order.
    static func concerned(by text: String) -> [SettingsReader] {
        var found: Set<Int> = []
        _ = search.isIn(Array(text.utf8)) { mark, _ in
            found.insert(owners[mark])
            return found.count == all.count
        }
        return found.sorted().map { all[$0] }
    }

    /// Whether a text has a mark of one of the readers.
    static func holdsMark(_ text: String) -> Bool { search.isIn(Array(text.utf8)) }
}

/// The reading of one configuration: the settings, and the policies and findings of the readers.
struct SettingsReading {
    /// The settings.
    var root: Setting
    /// The hosts of pins whose host the settings do not name.
    let hosts: [Host]
    /// The files that the settings may name.
    let files: NamedFiles
    /// The findings.
    var notes: DocumentNotes
    /// The policies, each with the title of its kind.
    private(set) var found: [(title: String, policy: any TrustPolicy)] = []
    /// The kind that is read.
    var title = ""
    fileprivate var told: Set<String> = []
    /// Whether the file is a text for people, which only quotes settings.
    var isProse = false
    /// Whether the settings stand in a text within the file.
    var isPart = false
    /// Whether a pin is not written out.
    private var hasUnknownPin = false

    init(_ root: Setting, hosts: [Host], _ files: NamedFiles, _ notes: DocumentNotes) {
        self.root = root
        self.hosts = hosts
        self.files = files
        self.notes = notes
    }

    /// The place of a line, for findings.
    func path(_ line: Int) -> DocumentPath { .root("line \(line)") }

    /// Whether a finding is the first one with its text.
    mutating func isFirst(_ text: String) -> Bool { told.insert(text).inserted }

    /// Adds a policy for hosts; for every host if none is known.
    mutating func add(_ policy: any TrustPolicy, for hosts: [Host]) {
        // If no pin is written out, the question is told, and the rest says nothing.
        if hasUnknownPin, (policy as? ServerVerification)?.pins?.isEmpty == true { return }
        let owners = hosts.isEmpty ? self.hosts : hosts
        let patterns = owners.compactMap { try? HostPattern($0.uriText) }
        guard !patterns.isEmpty else {
            found.append((title, policy))
            return
        }
        // The servers of a program are one client, unless it has two policies for one host.
        let place = found.firstIndex { known in
            guard known.title == title, let others = known.policy as? HostPolicies else { return false }
            return Set(others.entries.flatMap(\.patterns)).isDisjoint(with: patterns)
        }
        guard let place, let others = found[place].policy as? HostPolicies else {
            found.append((title, HostPolicies([(patterns, policy)], namesHosts: true)))
            return
        }
        let entries = others.entries.map { (patterns: $0.patterns, policy: $0.policy) } + [(patterns, policy)]
        found[place].policy = HostPolicies(entries, namesHosts: true)
    }

    /// Notes that a setting accepts every server.
    mutating func acceptsEverything(at line: Int, by name: String, for hosts: [Host] = []) {
        guard isFirst("all \(line) \(name)") else { return }
        guard !isProse else {
            notes.remark(
                .acceptsEverything,
                path(line),
                "The text shows a setting that accepts every server (\(name)).",
                "Check the configuration itself."
            )
            return
        }
        add(BrokenPolicy(acceptingAllAt: path(line).description, by: name), for: hosts)
    }

    /// Notes a value that a template, a variable or another file gives.
    mutating func unknown(_ name: String, _ code: String, at line: Int) {
        guard !isProse, isFirst("unknown \(line) \(name)") else { return }
        notes.unproven(
            path(line),
            "\(name) (\(DocumentPath.cut(code))) is not written out in this file.",
            "Check the file as it is used, with its templates and variables filled in."
        )
    }

    /// Notes that a setting accepts certificates that have expired, or that its value is not known.
    ///
    /// - Parameters:
    ///   - setting: The setting; `nil` if there is none.
    ///   - truth: The value by which it accepts them.
    mutating func readExpiry(_ setting: Setting?, accepting truth: Bool) {
        guard let setting, setting.truth != !truth else { return }
        let code = setting.values.first?.code ?? ""
        guard setting.truth == truth else { return unknown(setting.name, code, at: setting.line) }
        guard isFirst("expired \(setting.line)") else { return }
        notes.remark(
            .invalidAllowed,
            path(setting.line),
            "\(setting.name) (\(code)) accepts certificates that have expired.",
            "Remove it, and renew the certificate of the server.",
            severity: .error
        )
    }

    /// Reads pins of keys in Base64.
    mutating func keyPins(_ setting: Setting?) -> [PinnedValue]? {
        guard let setting else { return nil }
        return setting.elements.compactMap { text, line in
            guard let whole = text.whole else {
                unknown(setting.name, text.code, at: line)
                hasUnknownPin = true
                return nil
            }
            return notes.pin(whole, at: path(line)).map { PinnedValue($0) }
        }
    }

    /// Reads digests in hexadecimal, with or without colons and a prefix.
    mutating func digests(
        _ setting: Setting?,
        _ notation: PinnedValue.Notation,
        after prefix: String = ""
    ) -> [PinnedValue]? {
        guard let setting else { return nil }
        return setting.elements.compactMap { text, line in
            guard let whole = text.whole else {
                unknown(setting.name, text.code, at: line)
                hasUnknownPin = true
                return nil
            }
            let digits = (whole.hasPrefix(prefix) ? whole.dropFirst(prefix.count) : whole[...]).filter {
                $0 != ":"
            }
            guard let bytes = Hexadecimal.decode(digits), bytes.count == 32 else {
                notes.fail(
                    Hexadecimal.decode(digits) == nil ? .notAPin : .wrongLength,
                    path(line),
                    "“\(DocumentPath.cut(whole))” is not a SHA-256 in hexadecimal.",
                    "Write 64 hexadecimal digits."
                )
                return nil
            }
            return PinnedValue(notation, bytes)
        }
    }

    /// The names of the system's own authorities.
    private static let systemBundles: Set = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs/ca-bundle.crt", "/etc/ssl/certs",
        "/etc/ssl/cert.pem",
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "@system-ca",
        "/etc/ssl/ca-bundle.pem", "/usr/share/ssl/certs/ca-bundle.crt", "system",
    ]

    /// The authorities of a file that a setting names.
    ///
    /// - Parameters:
    ///   - setting: The setting; `nil` if there is none.
    ///   - isPinned: Whether pins are compared, too, so that the authorities do not decide alone.
    /// - Returns: The authorities; `nil` if there is no setting.
    mutating func authorities(
        _ setting: Setting?,
        isPinned: Bool
    ) -> ServerVerification.Authorities? {
        guard let setting else { return nil }
        guard let name = setting.text else {
            unknown(setting.name, setting.values.first?.code ?? "", at: setting.line)
            return .device
        }
        if Self.systemBundles.contains(name) { return .device }
        do throws(PolicyFailure) {
            return .own(try files.certificates(name))
        } catch {
            let sentence = "The authorities are not known: \(error)."
            let remedy = "Put the file there, or allow its folder: --files DIR."
            guard isFirst("authorities \(setting.line)") else { return .device }
            if isPinned {
                notes.remark(.leftOut, path(setting.line), sentence, remedy)
            } else {
                notes.unproven(path(setting.line), sentence, remedy)
            }
            return .device
        }
    }

    /// The host of an address or a URL, `https://host:port/`, `host:port`; `nil` if a part of it is not known.
    static func host(of text: String?) -> Host? {
        guard var rest = text?[...] else { return nil }
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        if let user = rest.lastIndex(of: "@"), !rest[..<user].contains("/") {
            rest = rest[rest.index(after: user)...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            return try? Host(rest[rest.startIndex...end])
        }
        // More than one colon is an IPv6 address.
        if rest.count(where: { $0 == ":" }) == 1 { rest = rest.prefix { $0 != ":" } }
        return rest.contains("$") || rest.isEmpty ? nil : try? Host(rest)
    }
}

extension SettingsReading {
    /// Reads a text by all readers that it concerns.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: The name of the file; `nil` if it has none.
    ///   - hosts: The hosts of pins whose host the settings do not name.
    ///   - files: The files that the text may name.
    ///   - notes: Gets the findings.
    /// - Returns: The policies with their kinds, and the kinds that were read; empty if the text is no configuration of
    ///   these kinds.
    static func policies(
        in text: String,
        named name: String?,
        hosts: [Host],
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) -> (found: [(title: String, policy: any TrustPolicy)], kinds: [String]) {
        let isProse = name.map(SourceLanguage.isQuoting) == true
        var pending = [Part(text: text, line: 1, depth: 0, form: SettingsForm(name: name, text))]
        var found: [(title: String, policy: any TrustPolicy)] = []
        var kinds: [String] = []
        var told: Set<String> = []
        while let part = pending.popLast() {
            var readings = PartReading(part, isProse: isProse)
            for reader in SettingsReader.concerned(by: part.text) {
                guard let reading = readings.read(reader, told, hosts, files, &notes) else { continue }
                if !kinds.contains(reader.title) { kinds.append(reader.title) }
                notes = reading.notes
                // A text within a text may be read twice.
                told = reading.told
                found += reading.found
            }
            if part.depth < 3 { pending += readings.embedded }
        }
        return (found, kinds)
    }
}

/// A text that may be a configuration: a file, or a part of one.
private struct Part {
    let text: String
    /// The number of its first line in the file.
    let line: Int
    let depth: Int
    /// The form that the name of the file tells; `nil` if it tells none.
    let form: SettingsForm?
}

/// The forms of a text, each of which is divided once.
private struct PartReading {
    private let part: Part
    private let isProse: Bool
    private var known: [SettingsForm: SettingsDocument] = [:]
    private var failures: [SettingsForm: PolicyFailure] = [:]
    /// The forms in which a reader knows its settings.
    private var accepted: Set<SettingsForm> = []

    init(_ part: Part, isProse: Bool) {
        self.part = part
        self.isProse = isProse
    }

    /// The texts within the text.
    var embedded: [Part] {
        let texts = known.flatMap { form, document in
            let counts = form == part.form || form == .commands || accepted.contains(form)
            return document.embedded + (counts ? document.texts : [])
        }
        return texts.map { Part(text: $0.text, line: $0.line, depth: part.depth + 1, form: nil) }
    }

    private mutating func document(_ form: SettingsForm) -> SettingsDocument? {
        if known[form] == nil, failures[form] == nil {
            do throws(PolicyFailure) {
                known[form] = try form.read(part.text, from: part.line)
            } catch {
                failures[form] = error
            }
        }
        return known[form]
    }

    /// Reads the settings of a kind; `nil` if the text has none of them.
    ///
    /// A form that is refused may hide the settings of the kind, which is a question of the file then.
    mutating func read(
        _ reader: SettingsReader,
        _ told: Set<String>,
        _ hosts: [Host],
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) -> SettingsReading? {
        // A file of YAML or of commands may hold texts of other forms, and is none itself.
        if let form = part.form { _ = document(form) }
        let forms = part.form.map { [$0] } ?? reader.forms
        var taken: SettingsReading?
        for form in forms where reader.forms.contains(form) && (taken == nil || reader.readsEveryForm) {
            guard let document = document(form) else { continue }
            var reading = taken ?? SettingsReading(document.root, hosts: hosts, files, notes)
            reading.root = document.root
            reading.title = reader.title
            reading.isProse = isProse
            reading.isPart = part.depth > 0
            reading.told.formUnion(told)
            guard reader.read(&reading) else { continue }
            accepted.insert(form)
            taken = reading
        }
        if let taken { return taken }
        let refused = forms.compactMap { failures[$0] }
        guard refused.count == forms.count, let failure = refused.first else { return nil }
        let parts = "\(failure)".split(separator: ": ", maxSplits: 1).map(String.init)
        notes.unproven(
            .root(parts.count > 1 ? parts[0] : ""),
            "The settings of \(reader.title) are not read: \(parts.last ?? "").",
            "Write them in a simpler form, or prove it: pinhole audit -- COMMAND.",
            as: .notJudged
        )
        return nil
    }
}
