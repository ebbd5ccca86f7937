import PinholeSource

extension SourceReader {
    /// The option `verify` of HTTP clients in PHP and Ruby: Guzzle, Laravel, Faraday and HTTParty.
    static let verifyOption = SourceReader(
        title: "TLS settings",
        marks: ["verify", "withoutVerifying"],
        commonMarks: ["verify"],
        languages: [.php, .ruby]
    ) { reading in
        let code = reading.code
        for index in code.tokens.indices {
            switch code.tokens[index].text ?? code.tokens[index].lastName {
            case "verify":
                // `'verify' => false`, `verify: false`; others have a method or a variable of that name.
                let isArrow = code.isMark("=", at: index + 1) && code.isMark(">", at: index + 2)
                let isLabel = code.isMark(":", at: index + 1) && !code.isMark(":", at: index + 2)
                guard isArrow || isLabel, let value = reading.settingValue(behind: index),
                    case .boolean(false) = value
                else { continue }
                reading.acceptsEverything(at: index, by: "verify: false")
            case "withoutVerifying":
                if code.isMark("(", at: index + 1) {
                    reading.acceptsEverything(at: index, by: "withoutVerifying")
                }
            default: continue
            }
        }
    }
}
