import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Proxies of development servers (http-proxy, webpack, Vite), which verify nothing with `secure: false`.
    static let developmentProxy = SourceReader(
        title: "development proxy",
        marks: ["secure"],
        commonMarks: ["secure"],
        languages: [.script]
    ) { reading in
        let code = reading.code
        for index in code.tokens.indices
        where (code.tokens[index].text ?? code.tokens[index].lastName) == "secure" {
            // Cookies and mail have a setting of that name, and no target.
            guard let brace = code.parent(of: index), code.isMark("{", at: brace),
                let place = reading.assigned(at: index), isProxy(brace, reading)
            else { continue }
            let value = reading.value(at: place) { $0.truth == false }
            reading.judge(value, of: "secure", as: "secure: false", at: index, bad: false)
        }
    }

    /// The functions of http-proxy and of its middleware.
    private static let functions: Set = [
        "createProxyMiddleware", "createProxyServer", "createProxy", "proxy",
    ]

    /// Whether braces hold the settings of a proxy that speaks TLS with its target.
    private static func isProxy(_ brace: Int, _ reading: SourceReading) -> Bool {
        let code = reading.code
        let isArgument =
            code.isMark("(", at: brace - 1) && code[brace - 2]?.lastName.map(functions.contains) == true
        let tokens = (brace + 1)..<max(brace + 1, code.end(of: brace))
        let names = tokens.filter { place in
            code.parent(of: place) == brace
                && (code.isMark("{", at: place - 1) || code.isMark(",", at: place - 1))
        }
        guard let target = names.first(where: { (code.tokens[$0].text ?? code.tokens[$0].name) == "target" })
        else { return isArgument }
        let text = reading.assigned(at: target).flatMap { reading.value(at: $0) { _ in false }.wholeText }
        return text?.hasPrefix("http:") != true
    }
}

extension SettingsReader {
    /// The same in Angular's `proxy.conf.json`.
    static let developmentProxy = SettingsReader(
        title: SourceReader.developmentProxy.title,
        marks: ["\"secure\""],
        forms: [.yaml]
    ) { reading in
        var isOfKind = false
        func walk(_ setting: Setting, _ reading: inout SettingsReading) {
            if let secure = setting.member("secure"), let target = setting.member("target") {
                isOfKind = true
                if secure.truth == false, target.text?.hasPrefix("http:") != true {
                    reading.acceptsEverything(at: secure.line, by: "secure: false")
                }
            }
            for member in setting.members { walk(member, &reading) }
        }
        walk(reading.root, &reading)
        return isOfKind
    }
}
