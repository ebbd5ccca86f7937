import PinholeModel
import PinholeSource
import PinholeTrust

/// Requests of source code to pinned hosts that go past the client with the pins.
struct OtherRequests {
    let code: SourceCode
    /// Whether the code pins a host.
    let isPinned: (Host) -> Bool

    /// The functions that ask a URL by a client of their own.
    private static let functions: Set = [
        "urlopen", "urllib.request.urlopen", "requests.get", "requests.post", "requests.put", "requests.head",
        "requests.delete", "requests.patch", "file_get_contents",
    ]
    /// The methods of a URL of Java that ask it.
    private static let methods: Set = ["openConnection", "openStream", "readText", "readBytes"]

    /// Notes the requests that no pin of the code holds for.
    func note(_ notes: inout DocumentNotes) {
        var told: Set<String> = []
        for index in code.tokens.indices {
            guard let (scheme, host) = url(at: index), isPinned(host), !code.isDebugOnly(index) else {
                continue
            }
            let line = code.line(of: index)
            if scheme == "http", told.insert("http \(line)").inserted {
                notes.unproven(
                    .cleartext,
                    .root("line \(line)"),
                    "A URL of http names \(host), and no pin holds without TLS.",
                    "Write https://."
                )
            } else if scheme == "https", let name = other(index), told.insert("other \(line)").inserted {
                notes.unproven(
                    .notEnforced,
                    .root("line \(line)"),
                    "\(name) asks \(host) by a client of its own, which the pins of this file do not reach.",
                    "Ask it by the client with the pins, or prove it: pinhole audit -- COMMAND."
                )
            }
        }
    }

    /// The scheme and the host of a literal URL.
    private func url(at index: Int) -> (scheme: String, host: Host)? {
        guard case .literal(let pieces) = code.tokens[index].kind, case .text(let text)? = pieces.first,
            text.hasPrefix("http"), let end = text.firstRange(of: "://")
        else { return nil }
        let rest = text[end.upperBound...]
        let name = rest.prefix { !"/:?#".contains($0) }
        // The host goes on in an expression.
        guard pieces.count == 1 || name.endIndex < rest.endIndex, let host = try? Host(name) else {
            return nil
        }
        return (String(text[..<end.lowerBound]), host)
    }

    /// The function by which a URL is asked without a client; `nil` for none.
    private func other(_ index: Int) -> String? {
        for bracket in code.ancestors(of: index).prefix(2) where code.isMark("(", at: bracket) {
            guard let name = code[bracket - 1]?.name else { continue }
            if Self.functions.contains(name) { return name }
            guard name.split(separator: ".").last == "URL" || name == "URI" else { continue }
            let behind =
                code[code.end(of: bracket) + 1]?.lastName ?? code[code.end(of: bracket) + 2]?.lastName
            if let behind, Self.methods.contains(behind) { return "URL.\(behind)" }
        }
        return nil
    }
}
