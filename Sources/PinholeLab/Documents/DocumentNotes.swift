import PinholeModel
import PinholeTrust

/// What a reader notices beside the policy, all of it and not only the first.
struct DocumentNotes {
    /// The findings in the order of the document.
    private(set) var findings: [LintFinding] = []

    /// The first finding that keeps the document from being a policy.
    var failure: PolicyFailure? {
        findings.first { [.notAPin, .wrongLength].contains($0.code) }.map {
            PolicyFailure("\($0.path): \($0.sentence) \($0.remedy)")
        }
    }

    /// Notes something.
    mutating func add(_ finding: LintFinding) { findings.append(finding) }

    /// Notes a key or element that the mechanism skips in silence.
    mutating func ignored(_ name: String, at path: String, known: [String]) {
        let near = known.first { Self.folded($0) == Self.folded(name) }
        findings.append(
            LintFinding(
                .ignored,
                .warning,
                at: path,
                "“\(name)” is not known there and is ignored.",
                remedy: near.map { "Write “\($0)”." }
                    ?? "Remove it, or write one of \(known.joined(separator: ", "))."
            )
        )
    }

    /// Reads the Base64 of a SHA-256; a text that is none becomes a finding.
    ///
    /// - Parameters:
    ///   - text: As it stands in the document.
    ///   - path: Where it stands.
    /// - Returns: The pin; `nil` when it is none.
    mutating func pin(_ text: String, at path: String) -> Pin? {
        let notation =
            "Write the Base64 of the SHA-256 of the SubjectPublicKeyInfo, 44 characters: pinhole pins FILE."
        let prefixes = [Pin.isCurlNotation(text) ? "sha256//" : "sha256/", "sha1/", "pin-sha256="]
        for prefix in prefixes where text.hasPrefix(prefix) {
            add(
                .notAPin,
                path,
                "“\(text.prefix(80))” is written as for another mechanism.",
                "Leave out “\(prefix)”."
            )
            return nil
        }
        let digits = text.filter { $0 != ":" }
        if digits.utf8.count == 64, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) {
            add(.notAPin, path, "“\(text.prefix(100))” is hexadecimal.", notation)
            return nil
        }
        // Apple's decoder takes no white space, so TrustKit refuses it.
        let isSolid = !text.contains(where: \.isWhitespace)
        guard isSolid, let bytes = Base64.decode(text.utf8) else {
            add(.notAPin, path, "“\(text.prefix(80))” is no Base64.", notation)
            return nil
        }
        guard let pin = Pin(digest: bytes) else {
            let sha1 = bytes.count == 20 ? " (SHA-1?)" : ""
            add(
                .wrongLength,
                path,
                "Expected the 32 bytes of a SHA-256, found \(bytes.count)\(sha1).",
                notation
            )
            return nil
        }
        return pin
    }

    private mutating func add(_ code: LintFinding.Code, _ path: String, _ sentence: String, _ remedy: String)
    {
        findings.append(LintFinding(code, .error, at: path, sentence, remedy: remedy))
    }

    /// A name without what people get wrong: case, “-”, a leading “k” of the constant's name, a plural.
    private static func folded(_ name: String) -> String {
        var text = name.lowercased().filter { $0.isLetter }
        if text.hasPrefix("ktsk") { text.removeFirst() }
        if text.hasSuffix("s") { text.removeLast() }
        return text
    }
}
