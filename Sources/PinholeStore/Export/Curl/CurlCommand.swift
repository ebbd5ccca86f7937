package import PinholeModel

/// A `curl` command that sends a recorded request again.
///
/// The command keeps the method, the request target, the version, and the field lines with their order, case and white
/// space, and it suppresses curl's own fields. Fields that depend on the body are left to curl, or left out: a person may
/// edit the body. Anything that curl cannot express is listed in ``remarks``. A chunked
/// body is split into chunks again, possibly of other sizes.
package struct CurlCommand: Sendable, Equatable {
    /// The arguments after `curl`.
    package private(set) var arguments: [[UInt8]] = []
    /// The bytes for standard input; `nil` if the body is an argument or empty.
    package private(set) var input: [UInt8]?
    /// The differences between the request and the recorded one.
    package private(set) var remarks: [String] = []

    /// A body up to this many bytes may be an argument; Linux allows 128 KiB for one.
    private static let argumentBytes = 32 << 10

    /// Creates the command for `record`, whose captured request body is `body`.
    package init(_ record: ExchangeRecord, body: [UInt8]) {
        let fields = record.request.fields
        let version = record.requestVersion
        addVersion(version)
        // Otherwise curl would normalise `/../`, and read brackets and braces as patterns.
        add("--path-as-is", "--globoff")
        // With an empty body, a person can write another one in its place; curl counts its bytes.
        let saysEmpty =
            fields.first("content-length") == "0" && !["GET", "HEAD"].contains(record.method)
        let hasBody = !body.isEmpty || saysEmpty
        addMethod(record.method, hasBody: hasBody)
        addHost(fields, of: record, isHTTP2: version == "HTTP/2")
        addFields(fields, of: record, hasBody: hasBody)
        if hasBody { addBody(body) }
        addTarget(record)
        if record.request.body.isTruncated || !record.request.body.isComplete {
            remarks.append("the recorded body is not whole")
        }
        if !record.request.trailers.isEmpty { remarks.append("curl sends no trailers") }
    }

    /// The command line for `sh`, with the remarks as comments before it.
    package var text: String {
        let command = (["curl"] + arguments.map { ShellWord.word($0) }).joined(separator: " ")
        let comments = remarks.map { "# \($0)\n" }.joined()
        guard let input else { return comments + command }
        var base64: [UInt8] = []
        Base64.append(input, to: &base64)
        return "\(comments)printf %s '\(String(decoding: base64, as: UTF8.self))' | base64 -d | \(command)"
    }

    private mutating func addVersion(_ version: String) {
        switch version {
        case "HTTP/1.0": add("--http1.0")
        case "HTTP/2": add("--http2")
        default: add("--http1.1")
        }
    }

    private mutating func addMethod(_ method: String, hasBody: Bool) {
        switch method {
        case "GET" where !hasBody: break
        // Only with -I does curl know that no body follows the response.
        case "HEAD" where !hasBody: add("-I")
        default: add("-X", method)
        }
    }

    /// Whether the recorded Host field is the first field and spelled as curl writes it.
    private static func isOwnHost(_ fields: HeaderFields, of record: ExchangeRecord) -> Bool {
        let line = "Host: \(record.authority.text(defaultPort: record.scheme.defaultPort))\r\n"
        return fields.all("host").count == 1 && fields.line(at: 0).elementsEqual(line.utf8)
    }

    /// Suppresses curl's own Host field if the recorded one is in another place.
    ///
    /// With HTTP/2, curl uses the Host field that it is given as `:authority`, which it otherwise makes from the URL.
    private mutating func addHost(_ fields: HeaderFields, of record: ExchangeRecord, isHTTP2: Bool) {
        guard isHTTP2 else {
            if !Self.isOwnHost(fields, of: record) { add("-H", "Host:") }
            return
        }
        let own = record.authority.text(defaultPort: record.scheme.defaultPort)
        guard let authority = fields.first(":authority"), authority != own else { return }
        add("-H", "Host: \(authority)")
    }

    /// Adds every field line unchanged, except pseudo-fields, which have other options.
    ///
    /// An empty `-H 'Name:'` suppresses a field that curl would add.
    private mutating func addFields(_ fields: HeaderFields, of record: ExchangeRecord, hasBody: Bool) {
        let isOwnHost = Self.isOwnHost(fields, of: record)
        for name in ["User-Agent", "Accept"] where !fields.contains(name.lowercased()) {
            add("-H", "\(name):")
        }
        if hasBody {
            for name in ["Content-Type", "Expect"] where !fields.contains(name.lowercased()) {
                add("-H", "\(name):")
            }
        }
        for index in fields.indices where !(isOwnHost && index == 0) && !fields.isPseudo(at: index) {
            // This field was for the proxy, and never reached the server.
            if fields.isNamed("proxy-connection", at: index) { continue }
            if fields.isNamed("content-length", at: index) {
                // curl writes the length of the body that it sends, also after a person has edited it.
                if hasBody || !fields.value(at: index).elementsEqual("0".utf8) { continue }
            }
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            if hasBody, IntegrityFields.contain(name.lowercased()) {
                remarks.append(IntegrityFields.remark(name))
                continue
            }
            addField(fields, index)
        }
    }

    private mutating func addField(_ fields: HeaderFields, _ index: Int) {
        let name = fields.name(at: index)
        // `@` in front would make curl read a file; NUL would end the argument.
        guard !name.isEmpty, name.allSatisfy(ByteSet.token.contains), !fields.value(at: index).contains(0)
        else {
            remarks.append("a malformed header is left out")
            return
        }
        if fields.value(at: index).isEmpty {
            arguments += [Array("-H".utf8), Array(name) + [0x3b]]
        } else {
            let line = fields.line(at: index)
            let end = line.lastIndex { $0 != 0x0d && $0 != 0x0a }.map { $0 + 1 } ?? line.endIndex
            arguments += [Array("-H".utf8), Array(line[..<end])]
        }
    }

    private mutating func addBody(_ body: [UInt8]) {
        // `@` in front would make curl read a file.
        let isArgument =
            body.count <= Self.argumentBytes && body.first != 0x40 && !body.contains(0)
            && ShellWord.escapeCount(body) * 8 <= body.count
        arguments.append(Array("--data-binary".utf8))
        arguments.append(isArgument ? body : Array("@-".utf8))
        if !isArgument { input = body }
    }

    /// Adds the URL, and the target separately if curl would not send it unchanged.
    private mutating func addTarget(_ record: ExchangeRecord) {
        let authority = record.authority.text(defaultPort: record.scheme.defaultPort)
        let origin = "\(record.scheme.rawValue)://\(authority)"
        let path = record.pathBytes
        let isPlain =
            path.first == 0x2f && path.last != 0x3f && path.allSatisfy(Self.isTargetCharacter)
        if !isPlain {
            arguments.append(Array("--request-target".utf8))
            arguments.append(path)
        }
        add(isPlain ? origin + record.path : origin + "/")
    }

    private mutating func add(_ texts: String...) {
        for text in texts { arguments.append(Array(text.utf8)) }
    }

    /// Whether a byte may stand in a path or query (RFC 3986 §3.3, §3.4).
    private static func isTargetCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "-._~!$&'()*+,;=:@/?%".utf8.contains(byte)
        }
    }
}
