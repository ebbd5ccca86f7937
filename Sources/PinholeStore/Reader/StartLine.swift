package import PinholeModel

/// The parts of a recorded start line (RFC 9112 §3, §4).
struct StartLine {
    /// The line without its end.
    let text: String

    /// Reads the first line of `head`.
    init(_ head: [UInt8]) {
        text = String(decoding: head.prefix { $0 != 0x0d && $0 != 0x0a }, as: UTF8.self)
    }

    /// Returns the bytes between the method and the version of a request line.
    static func target(of head: [UInt8]) -> [UInt8]? {
        let line = head.prefix { $0 != 0x0d && $0 != 0x0a }
        guard let first = line.firstIndex(of: 0x20), let last = line.lastIndex(of: 0x20), first < last else {
            return nil
        }
        return Array(line[(first + 1)..<last])
    }

    /// The version at the end of a request line.
    var requestVersion: String {
        text.split(separator: " ").last.map(String.init) ?? ""
    }

    /// The version at the start of a status line.
    var responseVersion: String {
        text.split(separator: " ").first.map(String.init) ?? ""
    }

    /// The reason phrase of a status line.
    var reason: String {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[2]) : ""
    }
}

extension ExchangeRecord {
    /// The version at the end of the request line, such as `HTTP/1.1`; `HTTP/2` if the client spoke HTTP/2.
    package var requestVersion: String { StartLine(request.head).requestVersion }

    /// The version at the start of the status line; `nil` without a response.
    package var responseVersion: String? { response.map { StartLine($0.head).responseVersion } }

    /// The head of the request with the path as its target, as the server would get it without a proxy.
    package var headToServer: [UInt8] {
        guard let target = StartLine.target(of: request.head), target.contains(Array("://".utf8)),
            let place = request.head.firstRange(of: target)
        else { return request.head }
        return request.head[..<place.lowerBound] + pathBytes + request.head[place.upperBound...]
    }

    /// The path with its query, in the bytes that were sent.
    ///
    /// In the record's text, bytes that are not UTF-8 are U+FFFD. If the text was not made from the sent bytes, the
    /// result is the text's UTF-8.
    package var pathBytes: [UInt8] {
        guard let target = StartLine.target(of: request.head) else { return Array(path.utf8) }
        // In absolute-form (RFC 9112 §3.2.2) the path begins after the authority.
        let authority = target.firstRange(of: Array("://".utf8)).map { target[$0.upperBound...] }
        let inURL = authority.flatMap { rest in
            rest.firstIndex { $0 == 0x2f || $0 == 0x3f }.map { rest[$0...] }
        }
        for bytes in [target[...], inURL ?? []] where String(decoding: bytes, as: UTF8.self) == path {
            return Array(bytes)
        }
        return Array(path.utf8)
    }
}
