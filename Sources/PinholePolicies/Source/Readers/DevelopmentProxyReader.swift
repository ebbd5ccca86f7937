import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Proxies of development servers (http-proxy, webpack, Vite), which verify nothing with `secure: false`.
    static let developmentProxy = SourceReader(
        title: "development proxy",
        marks: ["secure"],
        commonMarks: ["secure"],
        languages: [.script],
        isOfKind: ProxyObjects.areIn
    ) { reading in
        for (index, brace) in ProxyObjects(reading.code, reading.evaluator.declarations).settings
        where !hasPlainTarget(brace, reading) {
            guard let value = reading.setting(at: index, bad: { $0.truth == false }) else { continue }
            reading.judge(value, of: "secure", as: "secure: false", at: index, bad: false)
        }
    }

    /// Whether the target of a proxy is spoken to without TLS: the setting beside it, or the argument in front.
    private static func hasPlainTarget(_ brace: Int, _ reading: SourceReading) -> Bool {
        let code = reading.code
        guard code.isMark("{", at: brace) else { return false }
        let elements = reading.evaluator.elements(in: brace)
        let own = elements.last { $0.name == "target" }
        let router = elements.last { $0.name == "router" }.map { $0.value.elements ?? [$0] } ?? []
        let place = code.isMark(",", at: brace - 1) ? code.parent(of: brace) : nil
        let first = place.flatMap {
            code.isMark("(", at: $0) ? reading.evaluator.elements(in: $0).first : nil
        }
        return ([own ?? first] + router).allSatisfy { element in
            // `{ protocol: "http:", host: "localhost" }`
            let value = element?.value
            let address = value?.elements?.last { $0.name == "protocol" }?.value ?? value
            return if case .text(let text)? = address { isPlain(text.beginning) } else { false }
        }
    }

    /// Whether an address is one without TLS.
    fileprivate static func isPlain(_ address: String) -> Bool {
        ["http:", "ws:"].contains { address.lowercased().hasPrefix($0) }
    }
}

/// The objects with the settings of proxies, and those that they spread or name.
private struct ProxyObjects {
    /// The functions of http-proxy and of its middleware.
    private static let functions: Set = [
        "createProxyMiddleware", "createProxyServer", "createProxy", "proxy", "web", "ws",
        "legacyCreateProxyMiddleware",
    ]
    /// The functions of cookies, sessions and mail, whose `secure` says nothing about a proxy.
    private static let others: Set = [
        "cookie", "cookies", "session", "cookieSession", "createTransport", "serialize", "setCookie",
    ]

    /// Whether code has settings of proxies.
    @Sendable static func areIn(_ code: SourceCode) -> Bool {
        !ProxyObjects(code, SourceDeclarations(code)).settings.isEmpty
    }

    /// The settings `secure`, each with the bracket around it, in their order.
    private(set) var settings: [(secure: Int, bracket: Int)] = []

    init(_ code: SourceCode, _ declarations: SourceDeclarations) {
        var secure: [Int: Int] = [:]
        var pending: [Range<Int>] = []
        // The objects of proxies by the variables or members that they are assigned to.
        var objects: [String: Int] = [:]
        for (index, token) in code.tokens.enumerated() {
            guard let name = token.text ?? token.lastName else { continue }
            if name == "secure", let brace = code.parent(of: index) { secure[brace] = index }
            if Self.functions.contains(name), code.isMark("(", at: index + 1),
                name.count > 3 || token.qualifier?.lowercased().hasSuffix("proxy") == true
            {
                pending.append((index + 2)..<max(index + 2, code.end(of: index + 1)))
            } else if name == "proxy", code[index + 1]?.isMark(of: ":=") == true,
                code[index + 2]?.isMark(of: "[{") == true
            {
                pending.append((index + 3)..<max(index + 3, code.end(of: index + 2)))
                if code.isMark("=", at: index + 1), let name = token.name { objects[name] = index + 2 }
            } else if name == "target", let brace = code.parent(of: index), code.isMark("{", at: brace),
                code[index - 1]?.isMark(of: "{,") == true,
                // An address has a scheme, which the target of a window has not.
                code[index + 2]?.text?.contains(":") != false
            {
                pending.append((brace + 1)..<max(brace + 1, code.end(of: brace)))
                if code.isMark("=", at: brace - 1), let name = code[brace - 2]?.name { objects[name] = brace }
            }
        }
        var isRead = [Bool](repeating: false, count: code.tokens.count)
        var carried: Set<String> = []
        while let range = pending.popLast() {
            for index in range.clamped(to: isRead.indices) where !isRead[index] {
                isRead[index] = true
                guard let name = code.tokens[index].name, !code.isMark(":", at: index + 1) else { continue }
                // A setting behind the spread object replaces its own.
                let isSpread = code.isMark(".", at: index - 1)
                if isSpread, let brace = code.parent(of: index), secure[brace] ?? 0 > index { continue }
                guard !code.isMark("(", at: index + 1), carried.insert(name).inserted else { continue }
                pending += declarations.byName[name, default: []].map { $0.value..<$0.end }
            }
        }
        for (index, token) in code.tokens.enumerated() where (token.text ?? token.lastName) == "secure" {
            let owner = token.qualifier
            let object = owner.flatMap { objects[$0] }
            guard object != nil || owner.map(carried.contains) ?? isRead[index],
                let bracket = Self.bracket(of: index, code),
                owner != nil || code.isMark("{", at: bracket)
            else { continue }
            settings.append((index, object ?? bracket))
        }
    }

    /// The bracket around a setting, -1 for none; `nil` within those of cookies and mail.
    private static func bracket(of index: Int, _ code: SourceCode) -> Int? {
        guard let bracket = code.parent(of: index) else { return -1 }
        let call = code.ancestors(of: index).first { code.isMark("(", at: $0) }.flatMap { code[$0 - 1]?.name }
        let parts = call?.split(separator: ".").map(String.init) ?? []
        if parts.contains(where: others.contains), parts.last.map(functions.contains) == false { return nil }
        // `cookie: { secure: false }`, but any path may be the name of an object with a target.
        guard code.isMark(":", at: bracket - 1),
            let key = code[bracket - 2]?.text ?? code[bracket - 2]?.lastName,
            others.contains(key)
        else { return bracket }
        let hasTarget = (bracket..<code.end(of: bracket)).contains {
            code.tokens[$0].lastName == "target" && code.parent(of: $0) == bracket
        }
        return hasTarget ? bracket : nil
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
                if secure.truth == false,
                    !SourceReader.isPlain(target.text ?? target.member("protocol")?.text ?? "")
                {
                    reading.acceptsEverything(at: secure.line, by: "secure: false")
                }
            }
            for member in setting.members { walk(member, &reading) }
        }
        walk(reading.root, &reading)
        return isOfKind
    }
}
