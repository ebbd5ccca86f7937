import PinholeCrypto
import PinholeModel
import PinholeSession

/// The details of a flow, as text for users: its peers, the decision, both handshakes, both chains.
struct FlowText {
    let record: FlowRecord
    let style: Style
    /// The columns of the terminal; `nil` to wrap nothing.
    let width: Int?

    /// The width of the left one of two chains: room for a pin.
    private static let column = 58

    /// The details of the flow for a terminal.
    var lines: [String] { connection + tls }

    /// The details of the connection.
    var connection: [String] {
        // Plain requests on one connection may go to many servers.
        let title = style.paint("flow \(record.id.rawValue)", .bold)
        return [title + (record.authority.map { "  \(Plain.printable($0))" } ?? "")] + overview
    }

    /// The details of TLS with both sides; empty if the proxy has read none.
    var tls: [String] {
        var lines: [String] = []
        if let hello = record.clientHello {
            lines.append(row("offered", Self.text(hello)))
            let schemes = hello.signatureSchemes.map { "\(SignatureScheme(rawValue: $0))" }
            if !schemes.isEmpty { lines.append(row("signatures", schemes.joined(separator: " "))) }
        }
        lines += keyExchange
        lines +=
            handshake("TLS client", record.clientHandshake) + handshake("TLS server", record.serverHandshake)
        return lines + chains
    }

    /// The groups that each side offered and agreed on, and what the interception changed.
    private var keyExchange: [String] {
        guard let exchange = KeyExchange(record) else { return [] }
        let names = { (groups: [TLSGroup]) in groups.map(\.description).joined(separator: " ") }
        let offer = { (groups: [TLSGroup], shares: [TLSGroup]?) in
            (groups.isEmpty ? "no groups" : names(groups))
                + (shares.map { " (key shares: \($0.isEmpty ? "none" : names($0)))" } ?? "")
        }
        let got = exchange.client.map { ", got \($0)" } ?? ""
        var lines = [row("groups", "the client offered \(offer(exchange.offered, exchange.shares))\(got)")]
        if let groups = exchange.offeredToServer {
            let agreed = exchange.server.map { ", the server chose \($0)" } ?? ""
            lines.append(row("", "Pinhole offered \(offer(groups, exchange.sharesToServer))\(agreed)"))
        }
        if let explanation = exchange.explanation {
            lines.append(style.paint(row("", explanation), .yellow))
        }
        return lines
    }

    private var overview: [String] {
        var lines = [
            row("opened", record.opened.iso8601Milliseconds),
            row("closed", record.closed?.iso8601Milliseconds ?? "not yet"),
            row("client", "\(record.client), at \(record.listener)\(way)"),
        ]
        if let user = record.proxyUser { lines.append(row("user", user)) }
        if let process = record.clientProcess {
            let path = process.path.map { ", \($0)" } ?? ""
            lines.append(row("program", "\(process.name), process \(process.pid)\(path)"))
        }
        if let inbound = record.inbound { lines.append(row("to pinhole", Self.text(inbound))) }
        if let treatment = record.treatment {
            lines.append(row("decision", record.reason ?? treatment.rawValue))
        }
        if let hop = record.nextHop { lines.append(row("through", hop)) }
        for dial in record.dials {
            let result = dial.failure.map { "failed: \($0)" } ?? "connected"
            lines.append(row("dial", "\(dial.address) after \(Plain.duration(dial.duration)), \(result)"))
        }
        lines.append(
            row(
                "bytes",
                "\(Plain.size(record.bytesFromClient)) sent, \(Plain.size(record.bytesFromServer)) received"
            )
        )
        if let outcome = record.outcome {
            let fault = outcome.fault.map { ", by the \($0.rawValue)" } ?? ""
            lines.append(row("outcome", "\(outcome.kind.rawValue)\(fault): \(outcome.detail)"))
        }
        if let remedy = record.remedy { lines.append(row("advice", remedy)) }
        return lines
    }

    /// The kind of the listener that the client used; empty for the usual one.
    private var way: String {
        switch record.listenerKind {
        case .http, nil: ""
        case .https: ", by TLS"
        case .socks4: ", by SOCKS4"
        case .socks5: ", by SOCKS5"
        case .reverse: ", as to its server"
        case .transparent: ", led here by the system"
        }
    }

    private func row(_ name: String, _ value: String) -> String {
        TextLayout.hanging(style.paint(name.padded(to: 12), .faint) + Plain.printable(value), width, hang: 12)
    }

    private static func text(_ inbound: InboundTransport) -> String {
        var parts = inbound.version.map { [$0] + [inbound.cipher].compactMap(\.self) } ?? ["no TLS"]
        parts.append(inbound.applicationProtocol == "h2" ? "HTTP/2" : inbound.applicationProtocol)
        if let stream = inbound.stream, let connection = inbound.connection {
            parts.append("stream \(stream) of flow \(connection.rawValue)")
        }
        return parts.joined(separator: ", ")
    }

    private static func text(_ hello: ClientHelloRecord) -> String {
        let versions = hello.versions.map(TLSVersion.name(ofCode:))
        var parts = ["SNI \(hello.serverName ?? "none")", versions.joined(separator: " ")]
        if !hello.applicationProtocols.isEmpty {
            parts.append("ALPN \(hello.applicationProtocols.joined(separator: " "))")
        }
        parts.append("\(hello.cipherSuites.count) cipher suites")
        if hello.offersEncryptedHello { parts.append("ECH") }
        return parts.joined(separator: ", ")
    }

    private func handshake(_ title: String, _ record: HandshakeRecord?) -> [String] {
        guard let record else { return [] }
        var parts = [record.version, record.cipher].compactMap(\.self)
        if let name = record.applicationProtocol { parts.append("ALPN \(name)") }
        if record.isResumed { parts.append("resumed") }
        parts.append(Plain.duration(record.duration))
        var lines = [row(title, parts.joined(separator: ", "))]
        if let verification = record.verification { lines.append(row("", "verification: \(verification)")) }
        if let exemption = record.exemption { lines.append(row("", "accepted all the same: \(exemption)")) }
        if record.requestedClientCertificate {
            let answer = record.clientCertificate == nil ? "none was sent" : "one was sent"
            lines.append(row("", "a client certificate was asked for, \(answer)"))
        }
        guard let failure = record.failure else { return lines }
        let certainty = failure.isHint ? "probably " : ""
        lines.append(style.paint(row("", "FAILED: \(certainty)\(failure.cause.rawValue)"), .red))
        lines.append(row("", failure.detail))
        let ended = failure.cause == .timedOut ? "a deadline" : "pinhole"
        var facts = ["ended by \(failure.endedBy.map { "the \($0.rawValue)" } ?? ended)"]
        if let alert = failure.alert { facts.append("alert \(alert)") }
        facts.append("\(failure.bytesAfterHandshake) bytes after the handshake")
        lines.append(row("", facts.joined(separator: ", ")))
        return lines
    }

    /// The server's chain and the client's: side by side, or one below the other in a narrow terminal.
    var chains: [String] {
        let server = record.serverHandshake.map { ChainLines.lines($0.presentedChain) } ?? []
        let client = record.clientHandshake.map { ChainLines.lines($0.presentedChain) } ?? []
        guard !server.isEmpty || !client.isEmpty else { return [] }
        let column = max(Self.column, ((width ?? 0) - 2) / 2)
        let titles = ["the server's chain", "shown to the client"].map { style.paint($0, .bold) }
        if let width, width < 2 * Self.column + 2 {
            return zip(titles, [server, client]).filter { !$1.isEmpty }.flatMap { title, lines in
                ["", title] + lines.map { TextLayout.hanging($0, width) }
            }
        }
        let space = String(repeating: " ", count: column - TextLayout.columns(of: titles[0]))
        // In a pipe, the second column may be of any width.
        let room = width.map { $0 - column - 2 } ?? Int.max
        return ["", titles[0] + space + "  " + titles[1]]
            + (0..<max(server.count, client.count)).map { index in
                let left = server.indices.contains(index) ? server[index] : ""
                let right = client.indices.contains(index) ? client[index] : ""
                return right.isEmpty
                    ? TextLayout.fit(left, min(TextLayout.columns(of: left), column))
                    : "\(TextLayout.fit(left, column))  "
                        + TextLayout.fit(right, min(TextLayout.columns(of: right), room))
            }
    }
}
