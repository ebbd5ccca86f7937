import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Settings of Capacitor and of Cordova's HTTP plugin.
    static let capacitor = SourceReader(
        title: "Capacitor configuration",
        marks: [
            "CapacitorConfig", "allowMixedContent", "setServerTrustMode", "setSSLCertMode",
            "enableSSLPinning", "acceptAllCerts", "cleartext",
        ],
        commonMarks: ["CapacitorConfig", "cleartext"],
        languages: [.script],
        isOfKind: CapacitorReader.concerns
    ) { reading in
        CapacitorReader.read(&reading)
    }
}

private enum CapacitorReader {
    private static let modes: Set = ["setServerTrustMode", "setSSLCertMode"]
    /// The functions of older versions, which take a boolean.
    private static let switches: Set = ["enableSSLPinning", "acceptAllCerts"]

    /// Whether code that has only words of others, too, is a configuration of Capacitor.
    @Sendable static func concerns(_ code: SourceCode) -> Bool {
        code.name.contains("capacitor.config") || code.words.contains("CapacitorConfig")
    }

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        for index in reading.places(of: modes) where code.isMark("(", at: index + 1) {
            let name = code.tokens[index].lastName ?? ""
            switch reading.evaluator.elements(in: index + 1).first?.value.wholeText {
            case "nocheck"?: reading.acceptsEverything(at: index, by: "\(name)(nocheck)")
            case "default"?, "legacy"?: break
            default: reading.undecided(at: index, by: name)
            }
        }
        for index in reading.places(of: switches) where code.isMark("(", at: index + 1) {
            let name = code.tokens[index].lastName ?? ""
            guard code[index - 1]?.name != "function" else { continue }
            switch reading.evaluator.elements(in: index + 1).first?.value.truth {
            case true? where name == "acceptAllCerts": reading.acceptsEverything(at: index, by: name)
            // The certificates are files of the app.
            case true?: reading.undecided(at: index, by: name)
            case false?: break
            case nil: reading.undecided(at: index, by: name)
            }
        }
        for index in reading.places(of: ["cleartext", "allowMixedContent"]) {
            guard let place = reading.assigned(at: index),
                reading.evaluator.value(at: place, before: reading.valueEnd(from: place)).truth == true
            else { continue }
            reading.notes.remark(
                .cleartext,
                reading.path(index),
                "The app may load pages and data over http.",
                "Leave \(code.tokens[index].lastName ?? "it") out.",
                severity: .warning
            )
        }
    }
}
