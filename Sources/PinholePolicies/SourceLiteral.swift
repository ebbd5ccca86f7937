/// A string literal of source code, and the code around it.
struct SourceLiteral {
    /// The text between the quotation marks, with escapes as they are written.
    let text: String
    /// Its line, counted from 1.
    let line: Int
    /// The code since the literal before, without comments and white space at its ends.
    let lead: String

    /// Whether the literal is a pin as OkHttp writes them.
    var isPin: Bool { text.hasPrefix("sha256/") || text.hasPrefix("sha1/") }

    /// Whether the literal is a further argument of the same call as the literal before.
    var continuesCall: Bool { lead.hasPrefix(",") }

    /// Whether a call or a group begins in front of it.
    var beginsCall: Bool { lead.contains("(") }

    /// Whether the call of the literal before has ended.
    var endsCall: Bool { lead.contains(")") }

    /// The first argument of the call if that is no literal: `BuildConfig.HOST` of `.add(BuildConfig.HOST, "…"`.
    var constant: String? {
        guard let open = lead.lastIndex(of: "(") else { return nil }
        let argument = lead[lead.index(after: open)...].prefix { $0 != "," }
        let name = String(argument).split(whereSeparator: \.isWhitespace).last ?? ""
        return name.isEmpty ? nil : String(name)
    }

    /// The name of the constant that the literal is assigned to; `nil` if there is none.
    ///
    /// For `const val HOST: String = "…"`, the name is `HOST`.
    var name: String? {
        guard lead.hasSuffix("=") else { return nil }
        let declaration = lead.dropLast().split(separator: "\n").last ?? ""
        let subject = declaration.split(separator: ":").first ?? ""
        return subject.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last.map(String.init)
    }
}
