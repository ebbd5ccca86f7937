import PinholeModel
import PinholeRuntime
import PinholeTrust

/// A policy file of lines of text, whose kind is recognised by the lines.
struct PolicyText {
    private let text: String
    private let lines: [Substring]

    init(_ bytes: [UInt8]) throws(PolicyFailure) {
        guard bytes.count <= 1 << 20, let text = String(validating: Self.withoutMark(bytes), as: UTF8.self)
        else {
            throw PolicyFailure(
                "expected a policy file, found bytes that are neither a property list nor UTF-8 text"
            )
        }
        self.text = text
        lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("//") }
    }

    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    }

    /// Reads the file by its kind.
    ///
    /// - Parameters:
    ///   - hosts: The hosts of pins, for files that name none.
    ///   - files: The files that the text may name.
    ///   - notes: Gets the findings about oddities.
    /// - Returns: The policies.
    /// - Throws: ``PolicyFailure`` that says what was expected.
    func file(
        _ hosts: [Host],
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile {
        if lines.contains(where: ServerHeaders.sets) {
            let (kinds, policies) = try ServerHeaders(text).policies(&notes)
            return PolicyFile(kinds: kinds, policies: policies)
        }
        if let header = lines.first(where: { $0.lowercased().hasPrefix("expect-ct:") }) {
            let value = header.drop { $0 != ":" }.dropFirst()
            let policy = try ServerHeaders.expectCT(value, .root(""), &notes)
            return PolicyFile(kinds: [.expectCT], policies: [policy])
        }
        if let header = lines.first(where: {
            $0.lowercased().hasPrefix("public-key-pins") || $0.contains("pin-sha256=")
        }) {
            let reportOnly = HPKPHeader.isReportOnly(header) ?? false
            let policy = try ServerHeaders.hpkp(header, reportOnly: reportOnly, .root(""), &notes)
            return PolicyFile(kinds: [.hpkp], policies: [policy])
        }
        if let line = lines.first, line.hasPrefix("|g0|") || line.hasPrefix("|c0|") {
            let policy = TOFUPolicy(store: try KnownHosts(parsing: text))
            return PolicyFile(kinds: [.knownHosts], policies: [policy])
        }
        if let policy = curl {
            return PolicyFile(kinds: [.curl], policies: [policy], bystanders: urlHosts)
        }
        let clients = try codeClients(hosts, files, &notes)
        if !clients.isEmpty {
            var file = PolicyFile(kinds: clients.map(\.kind), policies: clients.map(\.policy))
            file.isOfSeveralClients = clients.count > 1
            return file
        }
        if lines.contains(where: ZoneFile.looksLikeRecord) {
            let zone = try ZoneFile(text)
            return PolicyFile(kinds: [.dane], policies: [try zone.policy()], bystanders: zone.hosts)
        }
        let found = lines.isEmpty ? "nothing in it but spaces and comments" : "text of no such kind"
        throw PolicyFailure(
            "expected a policy file (\(PolicyFile.Kind.allCases.count) kinds are read, see docs/PINS.md#pinhole-pins-check), "
                + "found \(found)"
        )
    }

    /// The value of curl's option, found anywhere: alone, in a command line or in a configuration.
    private var curl: CurlPolicy? {
        if text.contains("-----BEGIN PUBLIC KEY-----") {
            return CurlPolicy(pinnedPublicKey: .file(Array(text.utf8)))
        }
        guard let start = text.firstRange(of: "sha256//") else { return nil }
        let value = text[start.lowerBound...].prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        guard Pin.isCurlNotation(value.prefix { $0 != ";" && $0 != "," && $0 != ")" }) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        let insecure = words.contains { ["--insecure", "insecure"].contains($0) || Self.holdsInsecure($0) }
        return CurlPolicy(pinnedPublicKey: CurlPinnedKey(digests: value), insecure: insecure)
    }

    /// Whether a word is a group of curl's short options with `k` among them: `-k`, `-sk`, but not `-okey`.
    private static func holdsInsecure(_ word: Substring) -> Bool {
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return false }
        // The letters behind an option that takes a value are its value.
        return word.dropFirst().prefix { !"AbcCdDeEFhHKmoPQrtTuUwxXyYz".contains($0) }.contains("k")
    }

    /// A library in source code, with the policy of its clients.
    private typealias CodeClient = (kind: PolicyFile.Kind, policy: any TrustPolicy)

    /// Reads all libraries that pin in the text; empty for other text.
    ///
    /// If one of several cannot be read, the others are a policy, and nothing is proven.
    private func codeClients(
        _ hosts: [Host],
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> [CodeClient] {
        var clients: [CodeClient] = []
        var failures: [PolicyFailure] = []
        func attempt(_ read: () throws(PolicyFailure) -> CodeClient?) {
            do throws(PolicyFailure) {
                if let client = try read() { clients.append(client) }
            } catch {
                failures.append(error)
            }
        }
        attempt { () throws(PolicyFailure) in try trustKit(&notes) }
        attempt { () throws(PolicyFailure) in try alamofire(files, &notes) }
        attempt { () throws(PolicyFailure) in try fingerprints(hosts, &notes) }
        let isOkHttp = text.contains(Self.builder)
        let holdsPin = text.contains("sha256/") || text.contains("sha1/")
        if isOkHttp || holdsPin && clients.isEmpty && failures.isEmpty && !FingerprintSource.isIn(text) {
            do throws(PolicyFailure) {
                let pins = try okHttpPins(hosts, &notes)
                if pins.isEmpty, let failure = notes.obstacle { throw failure }
                clients.append((.okHttp, OkHttpPolicy(pins: pins)))
            } catch {
                failures.append(error)
            }
        }
        // The callbacks of Dio belong to its fingerprints.
        if CallbackSource.isIn(text), !clients.contains(where: { $0.kind == .fingerprints }) {
            if let policy = CallbackSource.policy(in: SourceToken.tokens(in: text), &notes) {
                clients.append((.callback, policy))
            } else if clients.isEmpty, failures.isEmpty {
                throw notes.obstacle ?? PolicyFailure("expected a callback that is set, found none")
            }
        }
        guard let failure = failures.first else { return clients }
        guard !clients.isEmpty else { throw failure }
        for failure in failures where notes.failure != failure && notes.doubt != failure {
            notes.unproven(
                .pinNotLiteral,
                .root(""),
                "\(failure).",
                "Prove it with the app itself: pinhole audit -- COMMAND."
            )
        }
        return clients
    }

    private func trustKit(_ notes: inout DocumentNotes) throws(PolicyFailure) -> CodeClient? {
        guard TrustKitSource.isIn(text) else { return nil }
        guard let list = TrustKitSource.configuration(in: SourceToken.tokens(in: text), &notes) else {
            throw PolicyFailure(
                "expected a dictionary of domains behind TSKPinnedDomains, found none that is written out"
            )
        }
        let root = PropertyListNode(value: list, path: .root(""))
        return (.trustKit, try TrustKitDocument.policy(root, &notes))
    }

    private func alamofire(
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> CodeClient? {
        guard AlamofireSource.isIn(text) else { return nil }
        let tokens = SourceToken.tokens(in: text)
        let entries = AlamofireSource.policies(in: tokens, files, &notes)
        guard !entries.isEmpty else {
            throw notes.obstacle
                ?? PolicyFailure(
                    "expected [\"example.com\": …TrustEvaluator()] in the source code, found no such entry"
                )
        }
        let policy = HostPolicies(
            entries.map { ($0.patterns, $0.policy) },
            namesHosts: true,
            refusesOthers: AlamofireSource.refusesOtherHosts(in: tokens, &notes)
        )
        return (.alamofire, policy)
    }

    private func fingerprints(
        _ hosts: [Host],
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> CodeClient? {
        guard FingerprintSource.isIn(text) else { return nil }
        let tokens = SourceConstants.resolved(SourceToken.tokens(in: text))
        if let policy = FingerprintSource.policy(in: tokens, hosts: hosts, &notes) {
            return (.fingerprints, policy)
        }
        // A callback may accept everything, whatever its fingerprints are.
        if CallbackSource.isIn(text) { return nil }
        throw notes.obstacle ?? PolicyFailure("expected fingerprints in the source code, found none")
    }

    /// The class that code calls to pin with OkHttp.
    private static let builder = "CertificatePinner.Builder"

    /// Lines `pattern sha256/…`, or the strings of source code: `.add("pattern", "sha256/…", "sha256/…")`.
    private func okHttpPins(
        _ hosts: [Host],
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> [OkHttpPin] {
        guard text.contains("\"sha") || text.contains("'sha") || text.contains(Self.builder) else {
            noteUnpadded(text.split(whereSeparator: \.isWhitespace).lazy.map { String($0) }, &notes)
            return try okHttpLines(&notes)
        }
        let tokens = SourceToken.tokens(in: text)
        let literals = tokens.compactMap(\.literal)
        guard literals.contains(where: OkHttpSource.isPin) || text.contains(Self.builder) else {
            throw PolicyFailure(
                "expected .add(\"example.com\", \"sha256/…\") in the source code, found it in comments only"
            )
        }
        noteUnpadded(literals, &notes)
        return OkHttpSource.pins(in: tokens, hosts: hosts, &notes)
    }

    private func okHttpLines(_ notes: inout DocumentNotes) throws(PolicyFailure) -> [OkHttpPin] {
        var pins: [OkHttpPin] = []
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

    /// The hosts of all URLs in the text.
    private var urlHosts: [Host] {
        text.ranges(of: "https://").compactMap { range in
            try? Host(text[range.upperBound...].prefix { $0.isLetter || $0.isNumber || "-._".contains($0) })
        }
    }

    /// Notes pins that only OkHttp's own decoder takes.
    private func noteUnpadded(_ words: some Sequence<String>, _ notes: inout DocumentNotes) {
        for word in words {
            guard let pin = try? Pin(okHttp: word), word != pin.description else { continue }
            notes.unusual(word, at: .root(""), documented: "“\(pin)”")
        }
    }
}
