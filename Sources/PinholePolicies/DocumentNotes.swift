import PinholeModel
import PinholeTrust

/// The findings of a reader beside the policy: all of them, and not only the first.
struct DocumentNotes {
    /// The most findings that are kept; the user fixes these first.
    static let most = 200

    /// The first finding that keeps the document from being a policy.
    private(set) var failure: PolicyFailure?
    /// The first question that the document does not decide.
    ///
    /// The rest of the document is a policy. A verdict on it is “not proven” at best.
    private(set) var doubt: PolicyFailure?
    /// The first reference to a file that is not there.
    ///
    /// Such a document can be examined, but no policy is made of it.
    private(set) var gap: PolicyFailure?
    /// The reason why nothing of the document can be used, if nothing can be used.
    var obstacle: PolicyFailure? { failure ?? doubt }
    private var kept: [LintFinding] = []
    private var leftOut = 0

    /// The findings in the order of the document; the last one says how many were left out, if any.
    var findings: [LintFinding] {
        guard leftOut > 0 else { return kept }
        let rest = LintFinding.hint(
            .leftOut,
            at: "",
            "\(leftOut) more of such findings are left out.",
            remedy: "Fix these \(Self.most), and look again."
        )
        return kept + [rest]
    }

    /// Notes something; the finding is made only if it is kept.
    private mutating func add(_ finding: @autoclosure () -> LintFinding) {
        guard kept.count < Self.most else {
            leftOut += 1
            return
        }
        kept.append(finding())
    }

    /// Adds the findings of another reader of the same document.
    mutating func add(_ other: DocumentNotes) {
        failure = failure ?? other.failure
        doubt = doubt ?? other.doubt
        gap = gap ?? other.gap
        for finding in other.kept { add(finding) }
        leftOut += other.leftOut
    }

    /// Notes a key or element that the mechanism skips in silence.
    mutating func ignored(_ name: String, at path: DocumentPath, known: [String]) {
        add(Self.ignored(name, path, known))
    }

    private static func ignored(_ name: String, _ path: DocumentPath, _ known: [String]) -> LintFinding {
        let short = DocumentPath.cut(name)
        let word = folded(short)
        let near = known.first { folded($0) == word }
        return LintFinding.warning(
            .ignored,
            at: path.description,
            "“\(short)” is not known there and is ignored.",
            remedy: near.map { "Write “\($0)”." }
                ?? "Remove it, or write one of \(known.joined(separator: ", "))."
        )
    }

    /// Notes a notation that is not the documented one, but that the mechanism accepts.
    mutating func unusual(_ text: String, at path: DocumentPath, documented: String) {
        add(
            LintFinding.hint(
                .unusualNotation,
                at: path.description,
                "“\(DocumentPath.cut(text))” is taken, though it is documented otherwise; other tools may refuse it.",
                remedy: "Write \(documented)."
            )
        )
    }

    /// Notes a reference to a file that is not there.
    mutating func missing(_ path: DocumentPath, _ fault: String) {
        if gap == nil { gap = PolicyFailure("\(path): \(fault)") }
        add(
            LintFinding.error(
                .unreadable,
                at: path.description,
                "\(fault).",
                remedy: "Put the file there, or fix the reference."
            )
        )
    }

    /// Notes an attribute whose text is no boolean.
    mutating func notBoolean(_ name: String, _ text: String, at path: DocumentPath, default: String) {
        add(
            LintFinding.warning(
                .ignored,
                at: path.description,
                "\(name) is “\(DocumentPath.cut(text))”, which is not a boolean, so Android takes the default: \(`default`).",
                remedy: "Write “true” or “false”."
            )
        )
    }

    /// Notes a reference where Android resolves none.
    mutating func unresolved(_ text: String, at path: DocumentPath) {
        add(
            LintFinding.warning(
                .neverMatches,
                at: path.description,
                "“\(DocumentPath.cut(text))” matches no host: Android resolves no reference there.",
                remedy: "Write the domain itself."
            )
        )
    }

    /// Notes a fault in a part of the document that this build does not read.
    mutating func unread(_ path: DocumentPath, _ fault: String) {
        add(
            LintFinding.hint(
                .ignored,
                at: path.description,
                "Debuggable builds alone read it, and refuse it: \(fault).",
                remedy: "Fix it, and check with --debug."
            )
        )
    }

    /// Notes a text that is no pin, with the failure of its reader.
    ///
    /// - Parameters:
    ///   - text: The pin as it is written.
    ///   - path: Its place in the document.
    ///   - failure: The reason why it is no pin.
    mutating func badPin(_ text: some StringProtocol, at path: DocumentPath, _ failure: PolicyFailure) {
        fail(
            Pin.isOtherLength(text) ? .wrongLength : .notAPin,
            path,
            "\(failure).",
            "Write the Base64 of the SHA-256 of the SubjectPublicKeyInfo, 44 characters: pinhole pins FILE."
        )
    }

    /// Reads the Base64 of a SHA-256, and notes a finding if the text is none.
    ///
    /// - Parameters:
    ///   - text: The text in the document.
    ///   - path: Its place in the document.
    ///   - needsPadding: Whether the mechanism refuses Base64 without its “=”.
    /// - Returns: The pin; `nil` if the text is none.
    mutating func pin(_ text: String, at path: DocumentPath, needsPadding: Bool = true) -> Pin? {
        if !needsPadding, text.utf8.count == 43, let pin = try? Pin(base64: text + "=") {
            unusual(text, at: path, documented: "“\(pin.base64)”, with its “=”")
            return pin
        }
        let notation =
            "Write the Base64 of the SHA-256 of the SubjectPublicKeyInfo, 44 characters: pinhole pins FILE."
        let prefixes = [Pin.isCurlNotation(text) ? "sha256//" : "sha256/", "sha1/", "pin-sha256="]
        for prefix in prefixes where text.hasPrefix(prefix) {
            fail(
                .notAPin,
                path,
                "“\(DocumentPath.cut(text))” is written as for another mechanism.",
                "Leave out “\(prefix)”."
            )
            return nil
        }
        let digits = text.filter { $0 != ":" }
        if digits.utf8.count == 64, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) {
            fail(.notAPin, path, "“\(DocumentPath.cut(digits))” is hexadecimal.", notation)
            return nil
        }
        // Apple's decoder takes no white space, so TrustKit refuses it.
        let isSolid = !text.contains(where: \.isWhitespace)
        guard isSolid, let bytes = Base64.decode(text.utf8, takesSpareBits: true) else {
            fail(.notAPin, path, "“\(DocumentPath.cut(text))” is not Base64.", notation)
            return nil
        }
        guard let pin = Pin(digest: bytes) else {
            let sha1 = bytes.count == 20 ? " (SHA-1?)" : ""
            fail(
                .wrongLength,
                path,
                "Expected the 32 bytes of a SHA-256, found \(bytes.count)\(sha1).",
                notation
            )
            return nil
        }
        if pin.base64 != text { unusual(text, at: path, documented: "“\(pin.base64)”") }
        return pin
    }

    /// Notes a pattern of hosts that OkHttp refuses.
    mutating func badPattern(_ text: some StringProtocol, at path: DocumentPath, _ failure: PolicyFailure) {
        let why =
            text.contains("://") ? "“\(DocumentPath.cut(String(text)))” is a URL, not a host" : "\(failure)"
        fail(
            .neverMatches,
            path,
            "OkHttp throws an IllegalArgumentException: \(why).",
            "Write the host as it stands in a URL, such as example.com, *.example.com or **.example.com."
        )
    }

    /// Notes a name in source code whose value the file does not show.
    mutating func notLiteral(_ name: String, line: Int) {
        unproven(
            .root("line \(line)"),
            "“\(DocumentPath.cut(name))” is not a literal in this file.",
            "Check it where it is made, or write the value itself."
        )
    }

    /// Notes pins in source code whose host the file does not show.
    ///
    /// - Parameters:
    ///   - name: The name that stands for the host; `nil` if there is none.
    ///   - path: The place of the pins.
    ///   - remedy: The remedy in a sentence.
    mutating func hostNotLiteral(_ name: String?, _ path: DocumentPath, remedy: String) {
        let name = name.map { " (\(DocumentPath.cut($0)))" } ?? ""
        unproven(path, "The host\(name) of the pins is not a literal.", remedy, as: .hostNotLiteral)
    }

    /// Notes a question that the document does not decide, and that leaves the rest of it a policy.
    ///
    /// - Parameters:
    ///   - path: The place, by which a user can accept it.
    ///   - sentence: The question, in a sentence that names the expression.
    ///   - remedy: The way to decide it.
    ///   - code: The kind of the finding.
    mutating func unproven(
        _ path: DocumentPath,
        _ sentence: String,
        _ remedy: String,
        as code: LintFinding.Code = .pinNotLiteral
    ) {
        if doubt == nil { doubt = PolicyFailure("\(path): not proven: \(sentence) \(remedy)") }
        add(LintFinding(code, .unproven, at: path.description, sentence, remedy: remedy))
    }

    /// Notes a finding that leaves the document a policy.
    mutating func remark(
        _ code: LintFinding.Code,
        _ path: DocumentPath,
        _ sentence: String,
        _ remedy: String,
        severity: LintFinding.Severity = .hint
    ) {
        add(LintFinding(code, severity, at: path.description, sentence, remedy: remedy))
    }

    /// Notes a finding that keeps the document from being a policy.
    mutating func fail(_ finding: LintFinding) {
        if failure == nil { failure = PolicyFailure("\(finding.path): \(finding.sentence)") }
        add(finding)
    }

    /// Notes an error that keeps the document from being a policy.
    mutating func fail(
        _ code: LintFinding.Code,
        _ path: DocumentPath,
        _ sentence: String,
        _ remedy: String,
        severity: LintFinding.Severity = .error
    ) {
        if failure == nil { failure = PolicyFailure("\(path): \(sentence) \(remedy)") }
        add(LintFinding(code, severity, at: path.description, sentence, remedy: remedy))
    }

    /// Returns a name without the parts that people get wrong: case, “-”, a leading “k” of the constant's name, a
    /// plural.
    private static func folded(_ name: String) -> String {
        var text = name.lowercased().filter { $0.isLetter }
        if text.hasPrefix("ktsk") { text.removeFirst() }
        if text.hasSuffix("s") { text.removeLast() }
        return text
    }
}
