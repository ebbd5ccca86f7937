import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Proxies of development servers (http-proxy, webpack, Vite), which verify nothing with `secure: false`.
    static let developmentProxy = SourceReader(
        title: "development proxy",
        marks: ["secure"],
        commonMarks: ["secure"],
        languages: [.script],
        isOfKind: holdsProxy
    ) { reading in
        for (index, target) in settings(in: reading.code) {
            guard let place = reading.assigned(at: index) else { continue }
            let address = target.flatMap { reading.assigned(at: $0) }
                .flatMap { reading.value(at: $0) { _ in false }.wholeText }
            guard address?.hasPrefix("http:") != true else { continue }
            let value = reading.value(at: place) { $0.truth == false }
            reading.judge(value, of: "secure", as: "secure: false", at: index, bad: false)
        }
    }

    private static func holdsProxy(_ code: SourceCode) -> Bool { !settings(in: code).isEmpty }

    /// The functions of http-proxy and of its middleware.
    private static let functions: Set = [
        "createProxyMiddleware", "createProxyServer", "createProxy", "proxy",
    ]

    /// The settings `secure` of proxies, each with that of its target; cookies and mail have a `secure` without one.
    private static func settings(in code: SourceCode) -> [(secure: Int, target: Int?)] {
        var targets: [Int: Int] = [:]
        var found: [Int: [Int]] = [:]
        for index in code.tokens.indices {
            let name = code.tokens[index].text ?? code.tokens[index].lastName
            guard name == "secure" || name == "target", let brace = code.parent(of: index),
                code.isMark("{", at: brace)
            else { continue }
            if name == "secure" {
                found[brace, default: []].append(index)
            } else if targets[brace] == nil,
                code.isMark("{", at: index - 1) || code.isMark(",", at: index - 1)
            {
                targets[brace] = index
            }
        }
        let proxies = found.filter { brace, _ in
            let isArgument =
                code.isMark("(", at: brace - 1) && code[brace - 2]?.lastName.map(functions.contains) == true
            return isArgument || targets[brace] != nil
        }
        return proxies.flatMap { brace, places in places.map { ($0, targets[brace]) } }
            .sorted { $0.0 < $1.0 }
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
