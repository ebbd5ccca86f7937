import PinholeModel

/// Commands for sh.
enum ShellCode {
    /// The limit on the bytes of one argument; Linux allows 128 KiB.
    private static let argumentBytes = 32 << 10

    /// Returns a command for HTTPie.
    ///
    /// Fields that HTTPie would read as another kind of argument are left out, with a remark.
    static func httpie(_ copied: CopiedRequest, _ body: [UInt8]) -> String {
        var request = copied
        // HTTPie reads a method with other characters as the URL.
        guard request.method.utf8.allSatisfy({ (0x41...0x5a).contains($0 & 0xdf) }), !request.method.isEmpty
        else {
            request.remark("HTTPie cannot send this method: export the request as curl instead")
            return request.comments("#")
        }
        if request.method != request.method.uppercased() {
            request.remark("HTTPie writes the method in capitals")
        }
        if RewrittenURL.isEscaped(request.url) { request.remark("HTTPie escapes the URL in its own way") }
        let isArgument = isArgument(request.body)
        var parts = ["http"]
        if body.isEmpty || isArgument { parts.append("--ignore-stdin") }
        parts += ["--ignore-netrc", "--path-as-is"]
        // A value apart from its option might look like another option.
        if !body.isEmpty, isArgument { parts.append(ShellWord.word(Array("--raw=".utf8) + body)) }
        parts += [request.method, ShellWord.word(request.url.utf8)]
        request.keepFields(for: "HTTPie", "it") { item($0) != nil }
        parts += request.fields.compactMap(item).map { ShellWord.word($0.utf8) }
        // HTTPie leaves out a field without a value after the colon, so this removes a field of its own.
        let own = ["User-Agent", "Accept", "Accept-Encoding"] + (body.isEmpty ? [] : ["Content-Type"])
        parts += own.filter { name in !request.fields.contains { $0.isNamed(name.lowercased()) } }.map {
            "\($0):"
        }
        let before = body.isEmpty || isArgument ? "" : "\(printing(body)) | "
        return request.comments("#") + before + parts.joined(separator: " \\\n  ") + "\n"
    }

    /// Returns a command for wget.
    static func wget(_ copied: CopiedRequest, _ body: [UInt8]) -> String {
        var request = copied
        request.joinFields(for: "wget")
        request.remove("accept-encoding", because: "wget decodes no bodies, so Accept-Encoding is left out")
        var parts = [
            "wget", "--output-document=-", "--server-response", "--content-on-error", "--max-redirect=0",
        ]
        parts.append(ShellWord.word("--method=\(request.method)".utf8))
        for field in request.fields {
            parts.append(ShellWord.word(Array("--header=\(field.name): ".utf8) + field.value))
        }
        if !request.fields.contains(where: { $0.isNamed("user-agent") }) { parts.append("--user-agent=") }
        var before = ""
        if !body.isEmpty {
            if isArgument(request.body) {
                parts.append(ShellWord.word(Array("--body-data=".utf8) + body))
            } else {
                // wget asks for the length of the file, so it cannot be a pipe.
                before = "\(printing(body)) > body.bin\n"
                parts.append("--body-file=body.bin")
            }
        }
        parts.append(ShellWord.word(request.url.utf8))
        return request.comments("#") + before + parts.joined(separator: " \\\n  ") + "\n"
    }

    /// Whether a body can be an argument that a person can read and edit.
    private static func isArgument(_ body: CopiedRequest.Body) -> Bool {
        guard case .text(let text) = body, text.utf8.count <= argumentBytes else { return false }
        return text.unicodeScalars.allSatisfy { !$0.isUnseen || $0 == "\n" || $0 == "\t" }
    }

    /// Returns a command that prints bytes; `printf` is built into the shell and has no limit.
    private static func printing(_ body: [UInt8]) -> String { "printf %s \(Base64.encode(body)) | base64 -d" }

    /// Returns a request item that HTTPie reads as exactly this field; `nil` if there is none.
    ///
    /// After the colon, `@` would name a file whose text is sent, and `=` would make JSON: a backslash escapes `:`, `;`,
    /// `=` and `@`. HTTPie has no escape for a backslash before one of them, since two backslashes stay two.
    private static func item(_ field: CopiedRequest.Field) -> String? {
        // HTTPie reads an item that begins with a hyphen as an option.
        guard !field.name.hasPrefix("-"), let text = field.text else { return nil }
        guard let first = text.first, let last = text.last else { return "\(field.name);" }
        // HTTPie removes white space at both ends of a value.
        guard !isSpace(first), !isSpace(last), !hasEscape(text) else { return nil }
        return "\(field.name):" + ("@=".contains(first) ? "\\" : "") + text
    }

    /// Whether a character is white space of Python.
    private static func isSpace(_ character: Character) -> Bool {
        character.isWhitespace || character.unicodeScalars.contains { (0x1c...0x1f).contains($0.value) }
    }

    /// Whether an odd number of backslashes stands before one of the marks that HTTPie escapes.
    private static func hasEscape(_ text: String) -> Bool {
        var count = 0
        for character in text {
            if character == "\\" {
                count += 1
            } else {
                if !count.isMultiple(of: 2), ":;=@".contains(character) { return true }
                count = 0
            }
        }
        return false
    }
}
