import PinholeSource

extension SettingsReader {
    /// Connections of LuaSec and of OpenResty, which verify nothing unless they are told to.
    static let lua = SettingsReader(
        title: "Lua TLS settings",
        marks: [
            "ssl.https", "sslhandshake", "tlshandshake", "verify = \"none\"", "verify=\"none\"",
            "verify = 'none'",
            "verify='none'", "verify = {\"none\"", "verify = { \"none\"",
        ],
        forms: [.objects]
    ) { reading in
        LuaReader.read(&reading)
    }
}

private enum LuaReader {
    /// The functions of OpenResty, each with the place of its argument that asks for the check.
    private static let handshakes = ["sslhandshake": 2]

    static func read(_ reading: inout SettingsReading) -> Bool {
        let root = reading.root
        var isOfKind = false
        for mode in modes(in: root) {
            isOfKind = true
            reading.acceptsEverything(at: mode.line, by: "verify = \"none\"")
        }
        for call in calls(in: root) {
            let arguments = call.setting.members
            isOfKind = true
            if call.name == "tlshandshake" {
                if let mode = call.setting.all("verify").last, mode.truth == false {
                    reading.acceptsEverything(at: mode.line, by: "tlshandshake with verify = false")
                }
            } else if let place = handshakes[call.name] {
                let argument = place < arguments.count ? arguments[place] : nil
                // Without the argument, the server is not verified.
                switch argument.map(\.truth) ?? .some(false) {
                case false?:
                    reading.acceptsEverything(at: call.setting.line, by: "\(call.name) without ssl_verify")
                case true?: break
                case nil:
                    reading.unknown(call.name, argument?.values.first?.code ?? "", at: call.setting.line)
                }
            }
        }
        return isOfKind
    }

    /// The settings `verify = "none"`, but those of servers, whose clients have no certificates.
    private static func modes(in setting: Setting) -> [Setting] {
        let isServer = setting.member("mode")?.text == "server"
        return setting.members.flatMap { member in
            let isNone = member.key == "verify" && member.elements.contains { $0.text.whole == "none" }
            return (isNone && !isServer ? [member] : []) + modes(in: member)
        }
    }

    /// The calls of methods, at any depth: `socket:sslhandshake(…)` is a block with the name of the call.
    private static func calls(in setting: Setting) -> [(name: String, setting: Setting)] {
        setting.members.flatMap { member in
            let words = ([member.name] + member.values.map(\.code)).map { word in
                word.split(separator: ":").last.map(String.init) ?? word
            }
            let own = words.filter { handshakes[$0] != nil || $0 == "tlshandshake" }
                .map { (name: $0, setting: member) }
            return own.prefix(1) + calls(in: member)
        }
    }
}
