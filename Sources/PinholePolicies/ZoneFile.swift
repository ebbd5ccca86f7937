import PinholeModel
import PinholeTrust

/// The TLSA records of a zone file (RFC 1035 §5.1), of the output of `dig`, or of a list without owners.
struct ZoneFile {
    /// The service whose certificates records are about.
    struct Owner: Hashable {
        /// The host: `example.com` of `_443._tcp.example.com`.
        let host: Host
        /// The port; `nil` if the name has none.
        let port: UInt16?

        /// The host at the port if it is not that of https.
        var pattern: HostPattern? {
            try? HostPattern(host.uriText + (port.map { $0 == 443 ? "" : ":\($0)" } ?? ""))
        }
    }

    /// The records in their order, with their owners; `nil` for a record without one.
    private(set) var records: [(owner: Owner?, record: TLSARecord)] = []

    /// Whole certificates are published rarely, and have a few kB.
    private static let longestEntry = 64 << 10
    /// The other types of records that zones have; they are skipped.
    private static let otherTypes: Set = [
        "A", "AAAA", "AFSDB", "CAA", "CDNSKEY", "CDS", "CNAME", "CSYNC", "DNAME", "DNSKEY", "DS", "HINFO",
        "HTTPS", "LOC", "MX", "NAPTR", "NS", "NSEC", "NSEC3", "NSEC3PARAM", "OPENPGPKEY", "PTR", "RP",
        "RRSIG", "SMIMEA", "SOA", "SPF", "SRV", "SSHFP", "SVCB", "TXT", "URI", "ZONEMD",
    ]
    /// The number of the type in the form for unknown types (RFC 3597 §5).
    private static let number = "TYPE52"

    private var origin = ""
    private var owner = ""

    /// Whether a line has a TLSA record.
    static func looksLikeRecord(_ line: Substring) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        if words.contains(where: { ["TLSA", number].contains($0.uppercased()) }) { return true }
        return words.count >= 4
            && words.prefix(3).allSatisfy { $0.count == 1 && $0.first?.isWholeNumber == true }
    }

    /// Reads the records.
    ///
    /// - Parameter text: The file.
    /// - Throws: ``PolicyFailure`` when a TLSA record is none, or a parenthesis is not closed.
    init(_ text: String) throws(PolicyFailure) {
        var open = ""
        var depth = 0
        for line in text.split(whereSeparator: \.isNewline) {
            let part = Self.withoutComment(line)
            guard depth > 0 || !part.allSatisfy(\.isWhitespace) else { continue }
            open += depth > 0 ? " \(part)" : part
            depth += part.count { $0 == "(" } - part.count { $0 == ")" }
            guard open.utf8.count <= Self.longestEntry else {
                throw PolicyFailure(
                    "expected a TLSA record of at most \(Self.longestEntry) characters: is a “)” missing?"
                )
            }
            guard depth <= 0 else { continue }
            try take(open)
            open = ""
            depth = 0
        }
        guard open.isEmpty else {
            throw PolicyFailure("expected “)” in the TLSA record, found the end")
        }
    }

    /// A line without its comment, which begins with `;`, `#` or `//`, and without quoted texts.
    private static func withoutComment(_ line: Substring) -> String {
        let start = line.drop(while: \.isWhitespace)
        guard !start.hasPrefix("#"), !start.hasPrefix("//") else { return "" }
        // Every second part stands between quotation marks.
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        var result = ""
        for (index, part) in parts.enumerated() where index.isMultiple(of: 2) {
            result += part.prefix { $0 != ";" }
            guard !part.contains(";") else { break }
        }
        return result
    }

    /// Takes an entry, whose parentheses are closed.
    private mutating func take(_ entry: String) throws(PolicyFailure) {
        var words = entry.split { $0.isWhitespace || $0 == "(" || $0 == ")" }[...]
        guard let first = words.first else { return }
        switch first.uppercased() {
        case "$ORIGIN":
            origin = words.dropFirst().first.map(absolute) ?? origin
            return
        case "$TTL", "$INCLUDE", "$GENERATE": return
        default: break
        }
        let type = words.firstIndex { word in
            let name = word.uppercased()
            return name == "TLSA" || name == Self.number || Self.otherTypes.contains(name)
        }
        // A list of records without owners and types.
        guard let type else {
            records.append((nil, try TLSARecord(entry)))
            return
        }
        let isInherited = entry.first?.isWhitespace == true || type == words.startIndex
        if !isInherited { owner = absolute(first) }
        let name = words[type].uppercased()
        words = words[(type + 1)...]
        switch name {
        case "TLSA": records.append((service, try TLSARecord(words.joined(separator: " "))))
        case Self.number: records.append((service, try Self.unknown(words)))
        default: break
        }
    }

    /// A name with the origin behind it, unless it ends with a dot; without that dot.
    private func absolute(_ name: Substring) -> String {
        if name == "@" { return origin }
        if name.hasSuffix(".") { return String(name.dropLast()) }
        return origin.isEmpty ? String(name) : "\(name).\(origin)"
    }

    /// The service of the owner; `nil` if it has no host.
    private var service: Owner? {
        let labels = owner.split(separator: ".")
        let host = labels.drop { $0.hasPrefix("_") }.joined(separator: ".")
        guard let host = try? Host(host) else { return nil }
        let port = labels.first.flatMap { $0.hasPrefix("_") ? UInt16($0.dropFirst()) : nil }
        return Owner(host: host, port: port)
    }

    /// Reads the form for unknown types: `\# 35 030101…`.
    private static func unknown(_ words: ArraySlice<Substring>) throws(PolicyFailure) -> TLSARecord {
        let digits = words.dropFirst(2).joined()
        guard words.first == "\\#", let bytes = Hexadecimal.decode(digits), bytes.count > 3 else {
            throw PolicyFailure(
                "“\(words.joined(separator: " "))” are not data of \(number): expected “\\# 35 030101…” (RFC 3597)"
            )
        }
        return try TLSARecord(
            "\(bytes[0]) \(bytes[1]) \(bytes[2]) \(Hexadecimal.encode(Array(bytes[3...])))"
        )
    }
}

extension ZoneFile {
    /// The records as a policy file.
    ///
    /// - Throws: ``PolicyFailure`` if a record should hold a certificate, and does not.
    func file() throws(PolicyFailure) -> PolicyFile {
        var seen: Set<Host> = []
        let hosts = records.compactMap { $0.owner?.host }.filter { seen.insert($0).inserted }
        let owners = Set(records.map(\.owner))
        return PolicyFile(
            kinds: [.dane],
            policies: [try policy()],
            bystanders: hosts,
            places: owners.count == 1 ? owners.compactMap { $0?.pattern } : []
        )
    }

    /// The policy of the records: for each service its own, if there are several.
    ///
    /// - Throws: ``PolicyFailure`` if a record should hold a certificate, and does not.
    func policy() throws(PolicyFailure) -> any TrustPolicy {
        let services = Dictionary(grouping: records.indices) { records[$0].owner }
        guard services.count > 1 else { return try Self.policy(of: records.map(\.record)) }
        var entries: [(patterns: [HostPattern], policy: any TrustPolicy)] = []
        var others = entries
        // The services in the order of their first records.
        for numbers in services.values.sorted(by: { ($0.first ?? 0) < ($1.first ?? 0) }) {
            guard let owner = numbers.first.flatMap({ records[$0].owner }) else { continue }
            let own = try Self.policy(of: numbers.map { records[$0].record })
            guard let pattern = owner.pattern else { continue }
            // The first entry that matches decides, and a port of its own is more than any.
            if pattern.port == nil {
                others.append(([pattern], own))
            } else {
                entries.append(([pattern], own))
            }
        }
        entries += others
        return HostPolicies(entries)
    }

    /// The policy of records, with the anchors that they hold.
    private static func policy(of records: [TLSARecord]) throws(PolicyFailure) -> DANEPolicy {
        var anchors: [CertificateFacts] = []
        for record in records {
            if let anchor = try record.anchor() { anchors.append(anchor) }
        }
        return DANEPolicy(records: records, anchors: anchors)
    }
}
