import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The verification of servers behind HAProxy.
    static let haProxy = SettingsReader(
        title: "HAProxy servers",
        marks: ["ssl-server-verify", "verifyhost", "verify none", "verify required", "ca-file"],
        commonMarks: ["ca-file"],
        forms: [.lines]
    ) { reading in
        HAProxyReader.read(&reading)
    }
}

private enum HAProxyReader {
    /// The parameters of a server.
    private struct Parameters {
        var isTLS = false
        var verify: (isRequired: Bool, line: Int)?
        var authorities: Setting?
        var name: Host?
        var sni: SourceText?

        mutating func read(_ words: ArraySlice<SourceText>, at line: Int) {
            var rest = words
            while let word = rest.popFirst()?.code {
                switch word {
                case "ssl": isTLS = true
                case "no-ssl": isTLS = false
                case "verify": verify = (rest.popFirst()?.code == "required", line)
                case "ca-file":
                    authorities = Setting(name: word, values: rest.popFirst().map { [$0] } ?? [], line: line)
                case "verifyhost": name = SettingsReading.host(of: rest.popFirst()?.whole)
                case "sni": sni = rest.popFirst()
                default: break
                }
            }
        }
    }

    static func read(_ reading: inout SettingsReading) -> Bool {
        let sections = reading.root.members
        let isOfKind = sections.contains { ["backend", "listen", "frontend", "defaults"].contains($0.name) }
        guard isOfKind else { return false }
        let global = sections.last { $0.name == "global" }
        let isOff = global?.member("ssl-server-verify")
        let base = global?.member("ca-base")?.text
        var common = Parameters()
        for section in sections {
            if section.name == "defaults" { common = Parameters() }
            var defaults = common
            for line in section.members where line.name == "default-server" {
                defaults.read(line.values[...], at: line.line)
            }
            if section.name == "defaults" { common = defaults }
            for line in section.members where line.name == "server" || line.name == "server-template" {
                let count = line.name == "server" ? 2 : 3
                guard line.values.count >= count else { continue }
                var parameters = defaults
                parameters.read(line.values.dropFirst(count), at: line.line)
                guard parameters.isTLS else { continue }
                judge(line, line.values[count - 1], parameters, isOff, base, &reading)
            }
        }
        return true
    }

    private static func judge(
        _ line: Setting,
        _ address: SourceText,
        _ parameters: Parameters,
        _ global: Setting?,
        _ base: String?,
        _ reading: inout SettingsReading
    ) {
        // `sni str(api.example.com)`: the certificate has to be for the name that was asked for.
        let asked = parameters.sni?.code ?? ""
        let literal = asked.hasPrefix("str(") ? asked.dropFirst(4).prefix { $0 != ")" } : ""
        let sent = SettingsReading.host(of: String(literal))
        let name = sent ?? parameters.name
        let host = name ?? SettingsReading.host(of: address.whole)
        let hosts = host.map { [$0] } ?? []
        let verifies = parameters.verify?.isRequired ?? (global?.text != "none")
        guard verifies else {
            let place = parameters.verify?.line ?? global?.line ?? line.line
            reading.acceptsEverything(
                at: place == line.line ? place : line.line,
                by: parameters.verify == nil ? "ssl-server-verify none" : "verify none",
                for: hosts
            )
            return
        }
        guard var file = parameters.authorities else {
            reading.notes.fail(
                .unreadable,
                reading.path(line.line),
                "HAProxy does not start: the server is verified, and no ca-file is named.",
                "Write “ca-file @system-ca”, or the file of the server's authorities."
            )
            return
        }
        if let base, let text = file.text, !text.hasPrefix("/"), !text.hasPrefix("@") {
            file.values = [SourceText("\(base)/\(text)")]
        }
        let authorities = reading.authorities(file, isPinned: false) ?? .device
        var names = ServerVerification.Names.unchecked
        if let name {
            names = name == host ? .host : .listed([name])
        } else if parameters.sni != nil {
            names = .host
        }
        reading.add(
            ServerVerification("HAProxy", authorities, names: names, at: reading.path(line.line).description),
            for: hosts
        )
    }
}
