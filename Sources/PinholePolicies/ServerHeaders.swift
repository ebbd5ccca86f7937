import PinholeModel
import PinholeTrust

/// The headers `Public-Key-Pins` and `Expect-CT` in configurations of nginx and Apache.
struct ServerHeaders {
    /// A server with its names and its headers.
    private struct Server {
        var names: [String] = []
        var headers: [(name: String, value: String, line: Int)] = []
    }

    /// A word, with the line on which it begins.
    private struct Word {
        var text: String
        let line: Int
    }

    static let wanted: Set = ["public-key-pins", "public-key-pins-report-only", "expect-ct"]

    /// The whole file first, and then the servers in it.
    private var servers = [Server()]
    /// The values of nginx's variables.
    private var variables: [String: String] = [:]

    /// Whether a line sets one of the headers.
    static func sets(_ line: some StringProtocol) -> Bool {
        let text = line.lowercased()
        return (text.contains("add_header ") || text.hasPrefix("header "))
            && wanted.contains(where: text.contains)
    }

    /// Reads a configuration.
    init(_ text: String) {
        var server = 0
        var depth = 0
        var depthOfServer: Int?
        for directive in Self.directives(in: text) {
            let words = directive.map(\.text)
            let name = words[0].lowercased()
            let line = directive[0].line
            switch name {
            // In an upstream block, `server` names an address, and no block follows.
            case "server" where words.last == "{", "<virtualhost":
                servers.append(Server())
                server = servers.count - 1
                depthOfServer = depth
            case "</virtualhost>": server = 0
            case "server_name", "servername", "serveralias":
                servers[server].names += words.dropFirst().filter { !["{", "}", ";"].contains($0) }
            case "set" where words.count > 2: variables[words[1]] = filled(words[2])
            case "add_header" where words.count > 2:
                servers[server].headers.append((words[1].lowercased(), filled(words[2]), line))
            case "header":
                // Header [always|onsuccess] set|append|add|merge NAME VALUE
                let rest = words.dropFirst().drop { ["always", "onsuccess"].contains($0.lowercased()) }
                if rest.count > 2, ["set", "append", "add", "merge"].contains(rest.first?.lowercased() ?? "")
                {
                    let parts = Array(rest.dropFirst())
                    servers[server].headers.append((parts[0].lowercased(), parts[1], line))
                } else if words.count > 2, Self.wanted.contains(words[1].lowercased()) {
                    // Caddy has no word between.
                    servers[server].headers.append((words[1].lowercased(), words[2], line))
                }
            // The block of a site in a Caddyfile begins with its names.
            case _ where words.last == "{" && depth == 0 && name.contains("."):
                let names = words.dropLast().map { $0.filter { $0 != "," } }
                servers.append(Server(names: names))
                (server, depthOfServer) = (servers.count - 1, depth)
            default: break
            }
            if words.last == "{" { depth += 1 }
            if words.last == "}" {
                depth -= 1
                if depth == depthOfServer { (server, depthOfServer) = (0, nil) }
            }
        }
    }

    /// The policies of the headers, each for the names of its server.
    ///
    /// - Parameter notes: Gets a finding for each header that a browser would ignore.
    /// - Returns: The kinds and the policies.
    /// - Throws: ``PolicyFailure`` if no header can be used.
    func policies(
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> (kinds: [PolicyFile.Kind], policies: [any TrustPolicy]) {
        var pins: [(patterns: [HostPattern], policy: any TrustPolicy)] = []
        var demands: [(patterns: [HostPattern], policy: any TrustPolicy)] = []
        let everyone = servers.flatMap(\.names)
        let found = servers.flatMap(\.headers).contains { Self.wanted.contains($0.name) }
        guard found else {
            throw PolicyFailure("expected a header with pins or Expect-CT, found none that is set")
        }
        for (index, server) in servers.enumerated() {
            let names = index == 0 ? everyone : server.names
            let patterns = names.compactMap { try? HostPattern($0) }
            for header in server.headers where Self.wanted.contains(header.name) {
                if header.value.hasPrefix("$") {
                    notes.notLiteral(header.value, line: header.line)
                    continue
                }
                let path = DocumentPath.root("line \(header.line)")
                let all = (try? HostPattern("*")).map { [$0] } ?? []
                do throws(PolicyFailure) {
                    let policy = try Self.policy(header, path, &notes)
                    let includesSubdomains = (policy as? HPKPPolicy)?.header.includesSubdomains == true
                    let below = includesSubdomains ? names.compactMap { try? HostPattern("*.\($0)") } : []
                    let entry = (patterns.isEmpty ? all : patterns + below, policy)
                    if policy is HPKPPolicy { pins.append(entry) } else { demands.append(entry) }
                } catch {
                    notes.fail(
                        .unreadable,
                        path,
                        "A browser ignores the header: \(error).",
                        "Fix it, or remove it."
                    )
                }
            }
        }
        if pins.isEmpty, demands.isEmpty, let failure = notes.failure { throw failure }
        var kinds: [PolicyFile.Kind] = []
        var policies: [any TrustPolicy] = []
        for (kind, entries) in [(PolicyFile.Kind.hpkp, pins), (.expectCT, demands)] where !entries.isEmpty {
            kinds.append(kind)
            policies.append(HostPolicies(entries, namesHosts: true))
        }
        return (kinds, policies)
    }

    /// Puts the values of variables in the places of their names, `$pins` or `${pins}`.
    private func filled(_ value: String) -> String {
        guard value.contains("$") else { return value }
        // Longer names first, so that one is not taken for the beginning of another.
        return variables.sorted { $0.key.count > $1.key.count }.reduce(value) { text, variable in
            text.replacing("${\(variable.key.dropFirst())}", with: variable.value)
                .replacing(variable.key, with: variable.value)
        }
    }

    private static func policy(
        _ header: (name: String, value: String, line: Int),
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> any TrustPolicy {
        if header.name == "expect-ct" { return try expectCT(header.value, path, &notes) }
        return try hpkp(header.value, reportOnly: header.name.hasSuffix("-report-only"), path, &notes)
    }

    /// Reads the value of Public-Key-Pins, with or without its name.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - reportOnly: Whether it is `Public-Key-Pins-Report-Only`.
    ///   - path: Its place.
    ///   - notes: Gets a finding for each invalid or unusual pin.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` if a browser ignores the header for another reason than its pins.
    static func hpkp(
        _ header: some StringProtocol,
        reportOnly: Bool,
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> HPKPPolicy {
        let place = DocumentPath.member(path, "pin-sha256")
        let content = try HPKPHeader(header, reportOnly: reportOnly) { index, text, failure in
            notes.badPin(text, at: .element(place, "\(index)"), failure)
        }
        for pin in content.pins where !header.contains(pin.base64) {
            notes.unusual("pin-sha256", at: place, documented: "pin-sha256=\"\(pin.base64)\"")
        }
        return HPKPPolicy(header: content, reportOnly: reportOnly)
    }

    /// Reads the value of Expect-CT (RFC 9163 §2.1): `max-age=86400, enforce, report-uri="…"`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: Its place.
    ///   - notes: Gets the findings that no browser reads it, and that it only reports.
    /// - Returns: The policy that demands timestamps, or default handling if the header does not enforce them.
    /// - Throws: ``PolicyFailure`` if there is no max-age.
    static func expectCT(
        _ value: some StringProtocol,
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> any TrustPolicy {
        let directives = value.split(separator: ",").map { part in
            part.lowercased().filter { !$0.isWhitespace }
        }
        guard let age = directives.first(where: { $0.hasPrefix("max-age=") }), UInt64(age.dropFirst(8)) != nil
        else {
            throw PolicyFailure(
                "expected “max-age=” and a number of seconds (RFC 9163 §2.1.3), found “\(value)”"
            )
        }
        notes.remark(
            .ignored,
            path,
            "No browser reads Expect-CT any more (Chrome until version 107): CAs log every certificate.",
            "Remove it."
        )
        guard directives.contains("enforce") else {
            let sentence = "Expect-CT without “enforce” only reports."
            notes.remark(.reportOnly, path, sentence, "Remove it, or add “enforce”.", severity: .warning)
            return SystemPolicy()
        }
        return CTRequiredPolicy()
    }

    /// Divides a configuration into directives.
    ///
    /// Those of nginx end with a semicolon or a brace, those of Apache with their line.
    private static func directives(in text: String) -> [[Word]] {
        let endsWithLine = !text.contains("add_header")
        var directives: [[Word]] = []
        var current: [Word] = []
        var word: Word?
        var quote: Character?
        var isEscaped = false
        var isComment = false
        var line = 1
        func finishWord() {
            if let word { current.append(word) }
            word = nil
        }
        func finishDirective() {
            finishWord()
            if !current.isEmpty { directives.append(current) }
            current = []
        }
        for character in text {
            if character.isNewline { line += 1 }
            if isComment {
                isComment = !character.isNewline
                continue
            }
            if isEscaped {
                // A line that ends with a backslash goes on.
                isEscaped = false
                guard !character.isNewline else { continue }
                word = word ?? Word(text: "", line: line)
                word?.text.append(character)
            } else if character == "\\" {
                isEscaped = true
            } else if let open = quote {
                if character == open {
                    quote = nil
                } else {
                    word?.text.append(character.isNewline ? " " : character)
                }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? Word(text: "", line: line)
            } else if character == "#", word == nil {
                isComment = true
            } else if character.isNewline {
                if endsWithLine { finishDirective() } else { finishWord() }
            } else if character.isWhitespace {
                finishWord()
            } else if character == ";" {
                finishDirective()
            } else if character == "{" || character == "}" {
                finishWord()
                current.append(Word(text: String(character), line: line))
                finishDirective()
            } else {
                word = word ?? Word(text: "", line: line)
                word?.text.append(character)
            }
        }
        finishDirective()
        return directives
    }
}
