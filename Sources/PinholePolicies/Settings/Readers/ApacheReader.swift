import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The verification of servers behind Apache.
    static let apache = SettingsReader(
        title: "Apache proxy",
        marks: ["SSLProxyEngine", "SSLProxyVerify", "SSLProxyCheckPeer"],
        forms: [.lines]
    ) { reading in
        var lines = reading.root.members.flatMap { [$0] + $0.members }[...]
        let server = ApacheReader.block(&lines)
        var isOfKind = false
        ApacheReader.judge(server, [:], isFragment: !server.namesServers, &isOfKind, &reading)
        return isOfKind
    }
}

private enum ApacheReader {
    /// A section such as `<VirtualHost *:443>`, or the whole file.
    struct Block {
        /// The last setting of each name, in lower case.
        var settings: [String: Setting] = [:]
        /// The addresses to which requests are passed on over TLS.
        var targets: [SourceText] = []
        var blocks: [Block] = []

        var passesRequests = false

        var namesServers: Bool { passesRequests || blocks.contains(where: \.namesServers) }
    }

    /// The directives that name servers.
    private static let passing: Set = ["proxypass", "proxypassmatch", "balancermember", "rewriterule"]
    /// The directives that are judged, or that say that a block is one of a proxy.
    private static let known: Set = [
        "sslproxyengine", "sslproxyverify", "sslproxycacertificatefile", "sslproxycacertificatepath",
        "sslproxycheckpeername", "sslproxycheckpeerexpire", "sslproxycheckpeercn", "sslproxyprotocol",
    ]
    /// The sections that stand for their directives: Apache reads these, or leaves them out, when it starts.
    private static let conditions = ["<ifmodule", "<ifdefine", "<ifversion", "<iffile", "<else"]
    /// The deepest block with settings of its own.
    private static let deepest = 32

    /// Reads the lines of a block up to its end.
    ///
    /// A section that is a condition, or is deeper than ``deepest``, is read as a part of its block.
    static func block(_ lines: inout ArraySlice<Setting>, _ depth: Int = 0) -> Block {
        var block = Block()
        // The sections that are open and are no blocks of their own.
        var merged = 0
        // The directives that stand in conditions, of which the file does not say which ones hold.
        var conditional: Set<String> = []
        while let line = lines.popFirst() {
            let name = line.name.lowercased()
            if name.hasPrefix("</") {
                guard merged > 0 else { break }
                merged -= 1
            } else if name.hasPrefix("<") {
                if depth >= Self.deepest || Self.conditions.contains(where: name.hasPrefix) {
                    merged += 1
                } else {
                    block.blocks.append(Self.block(&lines, depth + 1))
                }
            } else if Self.known.contains(name) {
                let isConditional = merged > 0
                let other = block.settings[name]
                block.settings[name] = line
                if isConditional, conditional.contains(name), let other, other.text != line.text {
                    let code = [other, line].compactMap { $0.values.first?.code }.joined(separator: " or ")
                    block.settings[name]?.values = [SourceText([.expression(code)])]
                }
                if isConditional { conditional.insert(name) } else { conditional.remove(name) }
            } else if passing.contains(name) {
                block.passesRequests = true
                block.targets += line.values.filter { value in
                    ["https://", "wss://", "h2://", "balancer://"].contains {
                        value.beginning.lowercased().hasPrefix($0)
                    }
                }
            }
        }
        return block
    }

    /// Judges a block with the settings of the blocks around it.
    static func judge(
        _ block: Block,
        _ outer: [String: Setting],
        isFragment: Bool,
        _ isOfKind: inout Bool,
        _ reading: inout SettingsReading
    ) {
        let settings = outer.merging(block.settings) { $1 }
        if !block.settings.isEmpty { isOfKind = true }
        // A file that names no server is a part of another one.
        let isUsed = !block.targets.isEmpty || isFragment && !block.settings.isEmpty
        if isUsed, let engine = settings["sslproxyengine"] {
            if engine.truth == nil {
                reading.unknown(engine.name, engine.values.first?.code ?? "", at: engine.line)
            } else if engine.truth == true {
                tell(
                    settings,
                    engine,
                    hosts(of: block.targets),
                    &reading
                )
            }
        }
        for inner in block.blocks { judge(inner, settings, isFragment: isFragment, &isOfKind, &reading) }
    }

    private static func hosts(of targets: [SourceText]) -> [Host] {
        targets.compactMap { target in
            target.beginning.hasPrefix("balancer://") ? nil : SettingsReading.host(of: target.whole)
        }
    }

    private static func tell(
        _ settings: [String: Setting],
        _ engine: Setting,
        _ hosts: [Host],
        _ reading: inout SettingsReading
    ) {
        let verify = settings["sslproxyverify"]
        if let verify, verify.text == nil {
            reading.unknown(verify.name, verify.values.first?.code ?? "", at: verify.line)
            return
        }
        guard let verify, ["require", "optional"].contains(verify.text?.lowercased() ?? "") else {
            reading.acceptsEverything(
                at: verify?.line ?? engine.line,
                by: verify.map { "SSLProxyVerify \($0.text ?? "")" }
                    ?? "SSLProxyVerify, which is none by default,",
                for: hosts
            )
            return
        }
        guard let file = settings["sslproxycacertificatefile"] ?? settings["sslproxycacertificatepath"] else {
            reading.notes.fail(
                .unreadable,
                reading.path(verify.line),
                "Apache refuses every server: SSLProxyVerify needs SSLProxyCACertificateFile.",
                "Name the authorities of the server."
            )
            return
        }
        reading.readExpiry(settings["sslproxycheckpeerexpire"], accepting: false)
        let name = settings["sslproxycheckpeername"]
        if let name, name.truth == nil {
            reading.unknown(name.name, name.values.first?.code ?? "", at: name.line)
        }
        let ignoresName = name?.truth == false
        reading.add(
            ServerVerification(
                "Apache",
                reading.authorities(file, isPinned: false) ?? .device,
                names: ignoresName ? .unchecked : .host,
                at: reading.path(verify.line).description
            ),
            for: hosts
        )
    }
}
