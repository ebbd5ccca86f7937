import PinholeModel

/// Commands of PowerShell 7.
enum PowerShellCode {
    /// Returns the command.
    static func text(_ copied: CopiedRequest) -> String {
        var request = copied
        request.keepFields(for: "PowerShell", "other characters than ASCII", where: \.isASCII)
        request.joinFields(for: "PowerShell")
        let type = request.fields.first { $0.isNamed("content-type") }?.text
        let fields = request.fields.filter { !$0.isNamed("content-type") }
        var lines: [String] = []
        if !fields.isEmpty {
            lines.append("$headers = @{")
            lines += fields.map { "    \(quoted($0.name)) = \(quoted($0.text ?? ""))" }
            lines.append("}")
        }
        var parts = [
            "$response = Invoke-WebRequest -Uri \(quoted(request.url)) -CustomMethod \(quoted(request.method))"
        ]
        if !fields.isEmpty { parts.append("-Headers $headers") }
        if let type { parts.append("-ContentType \(quoted(type))") }
        switch request.body {
        case .none: break
        case .text(let text): parts.append("-Body ([Text.Encoding]::UTF8.GetBytes(\(quoted(text))))")
        case .bytes(let bytes): parts.append("-Body ([Convert]::FromBase64String('\(Base64.encode(bytes))'))")
        }
        parts.append("-SkipHeaderValidation -SkipHttpErrorCheck -MaximumRedirection 0")
        lines += [parts.joined(separator: " "), "$response.StatusCode", "$response.Content"]
        return request.comments("#") + lines.joined(separator: "\n") + "\n"
    }

    /// Returns a text in single quotes, or in double quotes if it has characters that cannot be seen.
    ///
    /// Typographic quotes are quotes, too (about_Quoting_Rules). A doubled quote is one.
    private static func quoted(_ text: String) -> String {
        let isUnseen = text.unicodeScalars.contains { $0.isUnseen && $0 != "\n" && $0 != "\t" }
        var literal = isUnseen ? "\"" : "'"
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x27, 0x2018...0x201b: literal += isUnseen ? String(scalar) : "\(scalar)\(scalar)"
            case 0x22, 0x201c...0x201e: literal += isUnseen ? "`\(scalar)" : String(scalar)
            case 0x24, 0x60: literal += isUnseen ? "`\(scalar)" : String(scalar)
            case 0x0a, 0x09: literal.unicodeScalars.append(scalar)
            case _ where scalar.isUnseen: literal += "`u{" + String(scalar.value, radix: 16) + "}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + (isUnseen ? "\"" : "'")
    }
}
