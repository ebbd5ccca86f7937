/// A string literal of source code, and what stands around it.
struct SourceLiteral {
    /// What stands between the quotation marks, escapes as they are written.
    let text: String
    /// Its line, counted from 1.
    let line: Int
    /// The code since the literal before, without comments and white space at its ends.
    let lead: String

    /// Whether it is a pin as OkHttp writes them.
    var isPin: Bool { text.hasPrefix("sha256/") || text.hasPrefix("sha1/") }

    /// Whether it is a further argument of the call that the literal before stands in.
    var continuesCall: Bool { lead.hasPrefix(",") }

    /// Whether a call or a group begins in front of it.
    var beginsCall: Bool { lead.contains("(") }

    /// Whether the call of the literal before has ended.
    var endsCall: Bool { lead.contains(")") }

    /// The first argument of its call where that is no literal: `BuildConfig.HOST` of `.add(BuildConfig.HOST, "…"`.
    var constant: String? {
        guard let open = lead.lastIndex(of: "(") else { return nil }
        let argument = lead[lead.index(after: open)...].prefix { $0 != "," }
        let name = String(argument).split(whereSeparator: \.isWhitespace).last ?? ""
        return name.isEmpty ? nil : String(name)
    }

    /// The name that it is given: `HOST` of `const val HOST: String = "…"`; `nil` where there is none.
    var name: String? {
        guard lead.hasSuffix("=") else { return nil }
        let declaration = lead.dropLast().split(separator: "\n").last ?? ""
        let subject = declaration.split(separator: ":").first ?? ""
        return subject.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last.map(String.init)
    }
}
