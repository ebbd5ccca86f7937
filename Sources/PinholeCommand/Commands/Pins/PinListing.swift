import PinholeCrypto
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeTrust

/// The pins of several keys, as text for users.
struct PinListing {
    /// The keys, each with a host if any key has one.
    let keys: [PinnedKey]

    /// Whether CAs of the chain are pinned as well.
    private let withAuthorities: Bool

    /// Creates the report.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - withAuthorities: Whether CAs of the chain are pinned as well.
    init(keys: [PinnedKey], withAuthorities: Bool = false) {
        self.withAuthorities = withAuthorities
        let named = keys.first { $0.host != nil }
        self.keys = keys.map { key in
            guard key.host == nil, let named else { return key }
            var key = key
            key.host = named.host
            key.port = named.port
            return key
        }
    }

    /// The keys that belong in a policy: those of the servers, and those of files without a chain.
    ///
    /// If there are CAs of chains only, the policy gets these.
    var pinned: [PinnedKey] {
        var seen: Set<[UInt8]> = []
        let own = keys.filter { withAuthorities || $0.role == .leaf || $0.standsAlone }
        return (own.isEmpty ? keys : own).filter { seen.insert($0.spkiSHA256).inserted }
    }

    /// The host that the pins are for.
    var host: Host? { keys.lazy.compactMap(\.host).first }

    /// Returns the pins in one notation; `nil` if the notation cannot name the host.
    func text(_ notation: PinNotation) -> String? {
        if notation.takesNamesOnly, host?.address != nil { return nil }
        guard notation.isLine else { return notation.snippet(pinned, host: host) }
        // curl compares only the key of the leaf, so the pin of a CA never matches.
        let keys =
            notation == .curl && pinned.contains { !$0.isAuthority }
            ? pinned.filter { !$0.isAuthority } : pinned
        let lines = keys.compactMap(notation.line)
        guard !lines.isEmpty else { return nil }
        return lines.joined(separator: notation == .curl ? ";" : "\n")
    }

    /// Returns the complete report; pins and pieces of files are not wrapped, since users copy them.
    ///
    /// - Parameter width: The columns of the terminal; `nil` to wrap nothing.
    /// - Returns: The keys, then pieces of files, then advice.
    func text(width: Int?) -> String {
        let blocks = keys.map { Self.block($0, width) }
        let snippets = PinNotation.allCases.filter { !$0.isLine }.map { notation in
            "# \(notation.title)\n\(text(notation) ?? Self.noName)"
        }
        return (blocks + snippets + [advice]).joined(separator: "\n\n")
    }

    /// The message for a mechanism that cannot name the host.
    static let noName = "this notation takes host names, no addresses: give a name with --host"

    /// Returns remarks on the host that the pins are written for.
    ///
    /// - Parameter notation: The notation that is shown; `nil` for all of them.
    /// - Returns: Sentences; none without a remark.
    func notes(_ notation: PinNotation?) -> [String] {
        if notation == .curl, withAuthorities, pinned.contains(where: \.isAuthority) {
            return ["curl compares only the key of the leaf, so the pins of CAs are left out"]
        }
        guard notation?.namesHost ?? true else { return [] }
        guard let host else {
            return ["written for \(PinSnippet.Domain.example); --host names the real host"]
        }
        if host.address != nil {
            guard notation?.takesNamesOnly ?? true else { return [] }
            return [
                "Android, TrustKit, Apple and DANE take host names, no addresses such as \(host); "
                    + "give a name with --host"
            ]
        }
        guard let parent = host.wildcardParent, ![.okhttp, .afnetworking, .alamofire].contains(notation)
        else { return [] }
        var notes: [String] = []
        if notation != .tlsa {
            notes.append(
                "Android, TrustKit and Apple have no wildcards: “\(host)” is written as “\(parent)” with its "
                    + "subdomains, so that \(parent) itself is pinned as well"
            )
        }
        if notation == nil || notation == .tlsa {
            notes.append("a TLSA record needs the host below “\(host)”; --host says it")
        }
        return notes
    }

    /// Advice about backup keys.
    var advice: String {
        guard pinned.count < 2 else {
            return "\(pinned.count) keys are pinned; one of them should be a spare."
        }
        return """
            One key is pinned. Make a backup key, keep it offline, and pin it as well:
              openssl ecparam -name prime256v1 -genkey -noout -out backup-key.pem
              openssl pkey -in backup-key.pem -pubout -out backup.pub
            and name backup.pub beside the server: its pin goes into every notation.
            """
    }

    private static func block(_ key: PinnedKey, _ width: Int?) -> String {
        let row = { (name: String, value: String) in "  \(name.padded(to: 14))\(Plain.printable(value))" }
        var facts = [("source", key.source)]
        if let certificate = key.certificate {
            facts.append(("issuer", certificate.isSelfSigned ? "itself" : certificate.issuer))
            facts.append(("valid", "\(certificate.notBefore.iso8601) to \(certificate.notAfter.iso8601)"))
            if certificate.mustStaple {
                facts.append(("must-staple", "asks for a stapled OCSP response (RFC 7633)"))
            }
        }
        facts.append(("key", key.keyDescription))
        let pins = PinNotation.allCases.filter { $0.isLine && $0 != .raw }.compactMap { notation in
            notation.line(key).map { row(notation.title, $0) }
        }
        let raw = PinNotation.raw.line(key).map {
            row("raw key", "\($0) (SecKeyCopyExternalRepresentation: no SPKI pin)")
        }
        let lines = ["\(key.role.rawValue): \(Plain.printable(key.title))"] + facts.map { row($0.0, $0.1) }
        let wrapped = lines.map { TextLayout.hanging($0, width) }
        let last = raw.map { [TextLayout.hanging($0, width)] } ?? []
        return (wrapped + pins + last).joined(separator: "\n")
    }
}

extension PinnedKey {
    /// The pins of the key as JSON.
    var json: JSONObject {
        [
            "source": source, "role": role.rawValue, "subject": certificate?.subject,
            "issuer": certificate?.issuer, "notBefore": certificate?.notBefore.iso8601,
            "notAfter": certificate?.notAfter.iso8601, "names": certificate?.names.map(\.description),
            "mustStaple": certificate?.mustStaple, "host": host?.description, "key": keyDescription,
            "spkiSHA256": base64, "spkiSHA256Hex": hexadecimal,
            "certificateSHA256": certificate.map { Digest.text($0.sha256) },
            "rawKeySHA256": rawKeySHA256.map { Base64.encode($0) },
            // Notations that contain the host need one.
            "okhttp": host.flatMap { _ in PinNotation.okhttp.line(self) },
            "curl": PinNotation.curl.line(self), "hpkp": "pin-sha256=\"\(base64)\"",
            "tlsa": host.flatMap { _ in PinNotation.tlsa.line(self) },
        ]
    }
}
