import PinholeSource

/// A name whose words say that it decides whether servers are checked: `ssl_verify`, `--insecure`, `trustAllCerts`.
///
/// No list of programs is needed: what a name checks, and what leaves the check out, are words of few stems.
struct TrustSwitch {
    /// The meaning of a switch that is on.
    enum Sense {
        /// Servers are checked.
        case checks
        /// The check is left out.
        case leavesOut
        /// The check is left out for the values.
        case exempts
        /// The value says how much is checked, `sslmode`.
        case level
        /// The value names the way in which the host is checked; without one it is not.
        case method
    }

    let sense: Sense
    /// Whether the name is clear by itself, without a value.
    let isClear: Bool

    /// The groups of words that names are made of.
    private enum Group: CaseIterable {
        case subject
        case check
        /// The words that leave a check out, and say so alone.
        case clear
        /// The words that leave out what another word of the name says.
        case negation
        /// The words that turn the sense of a name round, or take it from the trust in servers.
        case other
        /// The words of a negation that permits.
        case permission

        var words: [String] {
            switch self {
            case .subject:
                ["ssl", "tls", "https", "x509", "hostname", "peer", "verifyhost", "verifychain", "cncheck"]
            case .check:
                [
                    "verif", "validat", "reqcert", "certreqs", "rejectunauth", "strictssl", "pinning",
                    "cncheck", "certcheck",
                ]
            case .clear:
                [
                    "insecure", "trustall", "trustany", "trusteverything", "skipverif", "sslnoverif",
                    "dontverif", "donotverif", "verifynone", "certnone", "nocheckcert", "noverifyssl",
                    "noverifycert", "unverifiedssl", "noophostname", "trustservercert", "nonvalidating",
                ]
            case .negation:
                [
                    "unverified", "untrusted", "allowall", "allowany", "acceptall", "acceptany",
                    "allowinvalid",
                    "acceptinvalid", "selfsigned", "allowexpired", "acceptexpired", "allowbad", "badcert",
                    "unauthorized", "noverif", "nocheck",
                ]
            case .other:
                [
                    "cipher", "disallow", "deny", "forbid", "prevent", "upgrade", "warn", "detect", "report",
                    "prohibit",
                    "cookie", "hsts", "redirect", "email", "signature", "checksum", "captcha", "verifyclient",
                    "clientverif", "clientauth", "clientcert", "password", "session", "inputvalid",
                    "schemavalid",
                    "formvalid", "noinsecure",
                ]
            case .permission: ["accept", "allow", "unverified"]
            }
        }
    }

    /// The words of all groups, which are found in one pass over a name.
    private static let words = Group.allCases.flatMap { group in group.words.map { (group, $0) } }
    private static let search = MarkSearch(words.map(\.1))

    private static let negatingParts: Set = [
        "skip", "skips", "disable", "disabled", "disables", "disabling", "ignore", "ignores", "ignoring",
        "bypass",
        "no", "not", "never", "without", "unsafe", "dont", "danger", "dangerous", "dangerously", "suppress",
        "noop",
    ]
    private static let levels: Set = ["sslmode", "pgsslmode", "tlssecuritylevel", "sslmodeflag"]

    /// Reads a name; `nil` if it is no such switch.
    ///
    /// - Parameters:
    ///   - name: The name, with the hyphens of an option.
    ///   - isSetting: Whether it stands in a configuration or a script, where “verify” alone is clear enough.
    init?(_ name: ArraySlice<UInt8>, isSetting: Bool) {
        let parts = Self.parts(of: name)
        let folded = parts.joined()
        var groups: Set<Group> = []
        _ = Self.search.isIn(Array(folded.utf8)) { word, _ in
            groups.insert(Self.words[word].0)
            return false
        }
        guard folded.utf8.count >= 6, !groups.contains(.other), !["error", "exception"].contains(parts.last)
        else { return nil }
        let isOfServers =
            groups.contains(.subject) || parts.contains { $0.hasPrefix("cert") && !$0.hasPrefix("certai") }
            || folded.contains("trust") && !folded.contains("untrusted")
        let isCheck =
            groups.contains(.check) || parts.contains("check") || parts.contains("strict") && isOfServers
        let isNegated = groups.contains(.negation) || parts.contains(where: Self.negatingParts.contains)
        if Self.levels.contains(where: folded.hasSuffix) {
            (sense, isClear) = (.level, false)
        } else if folded.hasSuffix("endpointidentificationalgorithm") {
            (sense, isClear) = (.method, false)
        } else if folded.hasSuffix("insecureregistries") || folded.hasSuffix("piptrustedhost")
            || name.reversed().starts(with: "trusted-host".utf8.reversed())
        {
            (sense, isClear) = (.exempts, false)
        } else if folded.hasSuffix("ssltrust") {
            (sense, isClear) = (.leavesOut, false)
        } else if groups.contains(.clear) {
            let isPlain = folded.contains("insecure") && !isOfServers && !isCheck
            (sense, isClear) = (.leavesOut, !isPlain || isSetting && folded != "insecure")
        } else if isNegated, isOfServers || isCheck && folded.contains("verification") {
            let ends = isSetting && parts.contains { ["ssl", "tls", "https"].contains($0) }
            guard isCheck || groups.contains(.negation) || ends || !parts.contains("no") else { return nil }
            let permits = groups.isSuperset(of: [.negation, .permission])
            (sense, isClear) = (.leavesOut, isCheck || permits)
        } else if isCheck, isOfServers || isSetting && Self.short.contains(Self.folded(name)) {
            (sense, isClear) = (.checks, false)
        } else if isSetting, parts.last == "cert" {
            // The file with the authorities, `cert = false` of Poetry.
            (sense, isClear) = (.checks, false)
        } else if parts.contains("secure"), parts.contains("auth") || isSetting && parts.contains("http") {
            (sense, isClear) = (.checks, false)
        } else {
            return nil
        }
    }

    /// The names without a word about servers that configurations of TLS have.
    private static let short: Set = [
        "verify", "verifymode", "verification", "verificationmode", "verifylevel", "verifydepth",
    ]

    /// The last part of a name: “verifymode” of “context.verify_mode”.
    private static func folded(_ name: ArraySlice<UInt8>) -> String {
        parts(of: name.split(separator: UInt8(ascii: ".")).last ?? name).joined()
    }

    /// The words of a name in lower case: `NODE_tlsReject` has three.
    private static func parts(of name: ArraySlice<UInt8>) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var wasLower = false
        for byte in name {
            let isUpper = (0x41...0x5a).contains(byte)
            let isLetter = (0x61...0x7a).contains(byte | 0x20)
            let isOfPart = isLetter || (0x30...0x39).contains(byte)
            if !isOfPart || isUpper && wasLower {
                if !part.isEmpty { parts.append(String(decoding: part, as: UTF8.self)) }
                part.removeAll(keepingCapacity: true)
            }
            if isOfPart { part.append(isLetter ? byte | 0x20 : byte) }
            wasLower = isLetter && !isUpper
        }
        if !part.isEmpty { parts.append(String(decoding: part, as: UTF8.self)) }
        return parts
    }

    static let off: Set = [
        "false", "off", "no", "0", "0l", "never", "allow", "disable", "disabled", "optional", "noverify",
    ]
    private static let on: Set = ["true", "on", "yes", "1", "always", "enable", "enabled", "all", "any", "*"]
    private static let weak: Set = [
        "disable", "disabled", "allow", "prefer", "preferred", "require", "required", "none", "may",
        "encrypt", "off", "no-verify",
    ]

    /// Whether a value leaves the check out; one that a template gives does so perhaps.
    func leavesOut(_ value: String, isSetting: Bool) -> Bool {
        let last = value.split(whereSeparator: { ".:".contains($0) }).last.map(String.init) ?? value
        let word = last.lowercased()
        if isSetting, sense != .level, ["$", "{{", "<%"].contains(where: word.hasPrefix) { return true }
        switch sense {
        // Code writes None for “not given”.
        case .checks:
            return Self.off.contains(word) || word == "!1" || word == "none" && (isSetting || value != "None")
        case .leavesOut: return Self.on.contains(word) || word == "!0"
        case .exempts: return !word.isEmpty
        case .method: return word.isEmpty
        case .level: return Self.weak.contains(word)
        }
    }
}
