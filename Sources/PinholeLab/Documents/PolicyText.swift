import PinholeModel
import PinholeRuntime
import PinholeTrust

/// A policy file that is lines of text: recognised by what stands in them.
struct PolicyText {
    private let text: String
    private let lines: [Substring]

    init(_ bytes: [UInt8]) throws(PolicyFailure) {
        guard bytes.count <= 1 << 20, let text = String(validating: bytes, as: UTF8.self) else {
            throw PolicyFailure(
                "expected a policy file, found bytes that are neither a property list nor UTF-8 text"
            )
        }
        self.text = text
        lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("//") }
    }

    /// Reads it as what it is.
    func file() throws(PolicyFailure) -> PolicyFile {
        if let header = lines.first(where: {
            $0.lowercased().hasPrefix("public-key-pins") || $0.contains("pin-sha256=")
        }) {
            let reportOnly = header.lowercased().hasPrefix("public-key-pins-report-only")
            let policy = HPKPPolicy(
                header: try HPKPHeader(header, reportOnly: reportOnly),
                reportOnly: reportOnly
            )
            return PolicyFile(kinds: [.hpkp], policies: [policy])
        }
        if let line = lines.first, line.hasPrefix("|g0|") || line.hasPrefix("|c0|") {
            let policy = TOFUPolicy(store: try KnownHosts(parsing: text))
            return PolicyFile(kinds: [.knownHosts], policies: [policy])
        }
        if let policy = curl { return PolicyFile(kinds: [.curl], policies: [policy]) }
        if text.contains("sha256/") || text.contains("sha1/") {
            return PolicyFile(kinds: [.okHttp], policies: [OkHttpPolicy(pins: try okHttpPins())])
        }
        if lines.contains(where: Self.looksLikeTLSA) {
            return PolicyFile(kinds: [.dane], policies: [DANEPolicy(records: try records())])
        }
        let known = PolicyFile.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw PolicyFailure("expected one of: \(known); found text that is none of them")
    }

    /// curl's value, wherever it stands: alone, in a command line or in a configuration.
    private var curl: CurlPolicy? {
        if text.contains("-----BEGIN PUBLIC KEY-----") {
            return CurlPolicy(pinnedPublicKey: .file(Array(text.utf8)))
        }
        guard let start = text.firstRange(of: "sha256//") else { return nil }
        let value = text[start.lowerBound...].prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        guard Pin.isCurlNotation(value.prefix { $0 != ";" && $0 != "," && $0 != ")" }) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        let insecure = words.contains { ["-k", "--insecure", "insecure"].contains($0) }
        return CurlPolicy(pinnedPublicKey: CurlPinnedKey(digests: value), insecure: insecure)
    }

    /// Lines `pattern sha256/…`, or the strings of source code: `.add("pattern", "sha256/…", "sha256/…")`.
    private func okHttpPins() throws(PolicyFailure) -> [OkHttpPin] {
        guard text.contains("\"") else { return try OkHttpPin.read(lines: OkHttpPin.canonical(text)) }
        var pins: [OkHttpPin] = []
        var pattern: OkHttpPin.Pattern?
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        for index in stride(from: 1, to: parts.count, by: 2) {
            let string = parts[index]
            guard string.hasPrefix("sha256/") || string.hasPrefix("sha1/") else {
                // What stands before the pins is the pattern; other strings are none of ours.
                pattern = try? OkHttpPin.Pattern(InternationalName.ascii(String(string)))
                continue
            }
            guard let pattern else {
                throw PolicyFailure(
                    "expected a host in front of “\(string)”: .add(\"example.com\", \"\(string)\")"
                )
            }
            pins.append(OkHttpPin(pattern, try Pin(okHttp: string)))
        }
        return pins
    }

    private static func looksLikeTLSA(_ line: Substring) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        if words.contains(where: { $0.uppercased() == "TLSA" }) { return true }
        return words.count >= 4
            && words.prefix(3).allSatisfy { $0.count == 1 && $0.first?.isWholeNumber == true }
    }

    /// One record a line; parentheses join lines, and a comment begins with “;”.
    private func records() throws(PolicyFailure) -> [TLSARecord] {
        var records: [TLSARecord] = []
        var open = ""
        for line in lines {
            open += " " + line.prefix { $0 != ";" }
            let depth = open.count { $0 == "(" } - open.count { $0 == ")" }
            guard depth <= 0, !open.allSatisfy(\.isWhitespace) else { continue }
            records.append(try TLSARecord(open))
            open = ""
        }
        guard open.allSatisfy(\.isWhitespace) else {
            throw PolicyFailure("expected “)” in the TLSA record, found the end")
        }
        return records
    }
}
