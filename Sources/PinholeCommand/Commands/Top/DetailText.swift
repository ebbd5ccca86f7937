import PinholeModel

/// The pages of an exchange or a flow as lines, from the answer of the control API.
enum DetailText {
    private static let label = 14

    /// Returns what is known of it at a glance.
    static func overview(_ document: JSONValue) -> [StyledLine] {
        guard let exchange = document["exchange"] else { return flowOverview(document) }
        var lines = [StyledLine("\(exchange["method"]?.text ?? "") \(exchange["url"]?.text ?? "")", .bold)]
        lines += rows([
            ("status", exchange["status"]?.integer.map { "\($0)" }),
            ("started", exchange["started"]?.text),
            ("outcome", outcome(exchange)),
            ("advice", document["advice"]?.text),
            ("comment", document["comment"]?.text),
            ("marked", document["isMarked"]?.isTrue == true ? "yes" : nil),
            ("user", exchange["proxyUser"]?.text),
            ("GraphQL", exchange["graphql"]?.text),
            ("notes", notes(exchange)),
        ])
        for rule in exchange["rules"]?.elements ?? [] {
            lines.append(
                row(
                    "rule",
                    "\(rule["rule"]?.text ?? "") (\(rule["kind"]?.text ?? "")): \(rule["effect"]?.text ?? "")"
                )
            )
        }
        lines += rows([
            ("request", document["request"].map(size)), ("response", document["response"].map(size)),
        ])
        lines += timings(document["timings"])
        if let flow = document["flow"] {
            lines += [StyledLine(), StyledLine("Connection", .bold)] + connection(flow)
        }
        return lines
    }

    /// Returns the head of a message, its fields coloured; the body follows below.
    static func head(_ message: JSONValue) -> [StyledLine] {
        let text = message["head"]?.text ?? ""
        return TerminalText.lines(text, omittingEmpty: true).enumerated().map { index, line in
            guard index > 0, let colon = line.firstIndex(of: ":") else { return StyledLine(line, .bold) }
            var styled = StyledLine(line[..<colon], .of(.blue))
            styled.add(line[colon...])
            return styled
        }
    }

    /// Returns both handshakes and the certificates.
    static func handshakes(_ document: JSONValue) -> [StyledLine] {
        let flow = document["flow"]?["dials"] == nil ? document : document["flow"] ?? .null
        guard flow["client"] != nil || flow["server"] != nil || flow["clientHello"] != nil else {
            return [StyledLine("This connection has no TLS that Pinhole has read.", .faint)]
        }
        var lines: [StyledLine] = []
        if let hello = flow["clientHello"] {
            let names = hello["applicationProtocols"]?.elements.compactMap(\.text) ?? []
            lines.append(StyledLine("The client offered", .bold))
            lines += rows([
                ("server name", hello["serverName"]?.text ?? "none"),
                ("ALPN", names.isEmpty ? nil : names.joined(separator: ", ")),
                ("cipher suites", hello["cipherSuites"].map { "\($0.elements.count)" }),
                ("JA4", flow["flow"]?["ja4"]?.text),
            ])
            lines.append(StyledLine())
        }
        for (title, side) in [("TLS with the client", "client"), ("TLS with the server", "server")] {
            guard let handshake = flow[side] else { continue }
            lines += [StyledLine(title, .bold)] + self.handshake(handshake) + [StyledLine()]
        }
        return lines
    }

    /// Returns a message of a WebSocket or a stream.
    static func message(_ message: JSONValue) -> [StyledLine] {
        let isSent = message["sender"]?.text == "client"
        let offset = (message["sinceStart"] ?? message["milliseconds"])?.milliseconds
        var front = StyledLine(isSent ? "→ " : "← ", .of(isSent ? .cyan : .green))
        front.add("\(offset.map(Plain.duration) ?? "")".leftPadded(to: 9), .faint)
        front.add("  \((message["kind"]?.text ?? "").padded(to: 8))", .of(.blue))
        front.add(Plain.size(message["bytes"]?.integer ?? 0).leftPadded(to: 9) + "  ")
        let remarks = [
            message["closeCode"]?.integer.map { "\($0) \(message["closeReason"]?.text ?? "")" },
            message["event"]?["type"]?.text, message["detail"]?.text, message["undecoded"]?.text,
            message["trouble"]?.text, message["isComplete"]?.isTrue == false ? "cut off" : nil,
        ]
        front.add(remarks.compactMap(\.self).joined(separator: "  "), .of(.yellow))
        let content = content(of: message)
        // A short text stands on the line of its message.
        guard content.count == 1, let only = content.first else {
            return [front] + content.map { indented($0) }
        }
        front.add(only)
        return [front]
    }

    /// Returns a message that is held at a breakpoint.
    static func held(_ message: JSONValue) -> [StyledLine] {
        var lines = rows([
            ("held by", message["rule"]?.text),
            ("exchange", message["exchange"]?.integer.map { "\($0)" }),
            ("goes on in", message["secondsLeft"]?.number.map { "\(Int(max(0, min($0, 1e9)))) s" }),
            ("trouble", message["trouble"]?.text),
        ])
        let status = message["status"]?.integer.map { "\($0)" }
        lines += [
            StyledLine(),
            StyledLine(
                status ?? "\(message["method"]?.text ?? "") \(message["path"]?.text ?? "")",
                .bold
            ),
        ]
        var type = ""
        for field in message["fields"]?.elements ?? [] {
            let (name, value) = (field.elements.first?.text ?? "", field.elements.last?.text ?? "")
            if name.lowercased() == "content-type" { type = value }
            var line = StyledLine(name, .of(.blue))
            line.add(": \(value)")
            lines.append(line)
        }
        let body = message["bodyBase64"]?.text.flatMap { Base64.decode($0.utf8) } ?? []
        return lines + [StyledLine()] + BodyLayout.lines(body, type: type, isWhole: true)
    }

    private static func content(of message: JSONValue) -> [StyledLine] {
        if let text = message["text"]?.text {
            return BodyLayout.lines(Array(text.utf8), type: "", isWhole: true)
        }
        if let data = message["event"]?["data"]?.text {
            return BodyLayout.lines(Array(data.utf8), type: "", isWhole: true)
        }
        if let json = message["json"] ?? message["protobuf"] {
            var writer = JSONText()
            writer.value(json)
            return JSONLayout(String(decoding: writer.bytes, as: UTF8.self)).lines
        }
        if let trailers = message["trailers"] {
            return trailers.elements.map { pair in
                StyledLine(pair.elements.compactMap(\.text).joined(separator: ": "))
            }
        }
        let bytes = message["base64"]?.text.flatMap { Base64.decode($0.utf8) } ?? []
        return BodyLayout.lines(bytes, type: "", isWhole: true, asBytes: true)
    }

    private static func flowOverview(_ document: JSONValue) -> [StyledLine] {
        let flow = document["flow"] ?? .null
        return [
            StyledLine(
                "connection to \(flow["authority"]?.text ?? flow["server"]?.text ?? "a server")",
                .bold
            )
        ]
            + rows([
                ("comment", document["comment"]?.text),
                ("marked", document["isMarked"]?.isTrue == true ? "yes" : nil),
            ]) + connection(document)
    }

    private static func connection(_ document: JSONValue) -> [StyledLine] {
        let flow = document["flow"] ?? .null
        var lines = rows([
            ("opened", flow["opened"]?.text), ("closed", flow["closed"]?.text ?? "not yet"),
            ("client", flow["client"]?.text),
            (
                "program",
                flow["clientProcess"].map { "\($0["name"]?.text ?? ""), process \($0["pid"]?.integer ?? 0)" }
            ),
            ("server", flow["server"]?.text), ("through", flow["nextHop"]?.text),
            ("decision", flow["reason"]?.text),
            (
                "bytes",
                "\(Plain.size(flow["bytesFromClient"]?.integer ?? 0)) sent, "
                    + "\(Plain.size(flow["bytesFromServer"]?.integer ?? 0)) received"
            ),
            ("outcome", outcome(flow)),
        ])
        for dial in document["dials"]?.elements ?? [] {
            let duration = dial["milliseconds"]?.milliseconds.map(Plain.duration) ?? ""
            let result = dial["failure"]?.text.map { "failed: \($0)" } ?? "connected"
            lines.append(row("dial", "\(dial["address"]?.text ?? "") after \(duration), \(result)"))
        }
        return lines
    }

    private static func handshake(_ handshake: JSONValue) -> [StyledLine] {
        var lines = rows([
            ("version", handshake["version"]?.text), ("cipher", handshake["cipher"]?.text),
            ("ALPN", handshake["applicationProtocol"]?.text),
            ("resumed", handshake["isResumed"]?.isTrue == true ? "yes" : nil),
            ("duration", handshake["milliseconds"]?.milliseconds.map(Plain.duration)),
            ("verification", handshake["verification"]?.text),
            ("accepted", handshake["exemption"]?.text),
            (
                "certificate",
                handshake["requestedClientCertificate"]?.isTrue == true ? "one of the client was wanted" : nil
            ),
        ])
        if let failure = handshake["failure"] {
            let certainty = failure["isHint"]?.isTrue == true ? "probably " : ""
            let cause = row("failed", "\(certainty)\(failure["cause"]?.text ?? "")", .of(.red))
            lines += [cause, row("", failure["detail"]?.text ?? "")]
            lines += rows([("ended by", failure["endedBy"]?.text), ("alert", failure["alert"]?.text)])
        }
        for (index, certificate) in (handshake["chain"]?.elements ?? []).enumerated() {
            lines.append(StyledLine("  certificate \(index)", .of(.cyan)))
            let names = certificate["names"]?.elements.compactMap(\.text) ?? []
            lines += rows([
                ("subject", certificate["subject"]?.text), ("issuer", certificate["issuer"]?.text),
                ("names", names.isEmpty ? nil : names.joined(separator: ", ")),
                (
                    "valid",
                    certificate["notBefore"]?.text.map { "\($0) to \(certificate["notAfter"]?.text ?? "")" }
                ),
                ("pin", certificate["pin"]?.text),
            ])
        }
        return lines
    }

    private static func timings(_ value: JSONValue?) -> [StyledLine] {
        let names = [
            ("blocked", "queue"), ("resolve", "DNS"), ("connect", "connect"), ("tls", "TLS"),
            ("firstByte", "first byte"), ("total", "total"),
        ]
        let parts = names.compactMap { member, name in
            value?[member]?.milliseconds.map { "\(name) \(Plain.duration($0))" }
        }
        return parts.isEmpty ? [] : [row("timings", parts.joined(separator: ", "))]
    }

    private static func size(_ message: JSONValue) -> String {
        let (length, recorded) = (message["bodyBytes"]?.integer ?? 0, message["recordedBytes"]?.integer ?? 0)
        var parts = ["body \(Plain.size(length))"]
        if recorded < length { parts.append("\(Plain.size(recorded)) recorded") }
        if message["isComplete"]?.isTrue == false { parts.append("not complete") }
        if let type = message["body"]?["type"]?.text { parts.append(type) }
        if let coding = message["body"]?["encoding"]?.text { parts.append(coding) }
        return parts.joined(separator: ", ")
    }

    private static func outcome(_ value: JSONValue) -> String {
        guard let outcome = value["outcome"]?.text else { return "not over" }
        return [outcome, value["detail"]?.text].compactMap(\.self).joined(separator: ": ")
    }

    private static func notes(_ exchange: JSONValue) -> String? {
        let notes = exchange["notes"]?.elements.compactMap(\.text) ?? []
        return notes.isEmpty ? nil : notes.joined(separator: ", ")
    }

    private static func rows(_ rows: [(name: String, value: String?)]) -> [StyledLine] {
        rows.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : row(name, $0) } }
    }

    private static func row(_ name: String, _ value: String, _ style: CellStyle = .plain) -> StyledLine {
        var line = StyledLine(name.padded(to: label), .faint)
        line.add(value, style)
        return line
    }

    private static func indented(_ line: StyledLine) -> StyledLine {
        var indented = StyledLine("    ")
        indented.add(line)
        return indented
    }
}
