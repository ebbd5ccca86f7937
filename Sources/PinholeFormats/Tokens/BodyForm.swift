import PinholeModel

/// The structure of a body, by its media type.
enum BodyForm {
    case json, jsonLines, form
    case multipart(boundary: [UInt8])
    case events, markup, text, unread

    /// The largest decoded body that is read, in bytes.
    static let limit = 15 << 20

    /// Returns the form of a body.
    ///
    /// - Parameters:
    ///   - type: The value of Content-Type; `nil` without one.
    ///   - body: The decoded body, for bodies without a type.
    init(type: String?, _ body: ArraySlice<UInt8>) {
        let lower = type?.lowercased() ?? ""
        let media = lower.prefix { $0 != ";" }.split(separator: " ").first.map(String.init) ?? ""
        switch media {
        case "application/x-ndjson", "application/jsonl", "application/ndjson", "application/x-jsonlines":
            self = .jsonLines
        case "application/json", "text/json": self = .json
        case "application/x-www-form-urlencoded": self = .form
        case "text/event-stream": self = .events
        case "text/html", "application/xml", "text/xml": self = .markup
        case "text/plain", "text/csv": self = .text
        case "": self = body.first == 0x7b || body.first == 0x5b ? .json : .text
        case _ where media.hasSuffix("+json"): self = .json
        case _ where media.hasSuffix("+xml"): self = .markup
        case _ where media.hasPrefix("multipart/"):
            self = Self.boundary(type ?? "").map { .multipart(boundary: $0) } ?? .unread
        default: self = .unread
        }
    }

    /// Returns the boundary in a Content-Type; `nil` unless it is one word.
    private static func boundary(_ type: String) -> [UInt8]? {
        let bytes = Array(type.utf8)
        guard let start = Array(type.lowercased().utf8).firstRange(of: Array("boundary=".utf8)) else {
            return nil
        }
        var rest = bytes[start.upperBound...].prefix { $0 != 0x3b }
        rest = HTTPText.trimmed(rest)
        if rest.count > 2, rest.first == 0x22, rest.last == 0x22 { rest = rest.dropFirst().dropLast() }
        guard (1...70).contains(rest.count), !rest.contains(where: HTTPText.isMark) else { return nil }
        return Array(rest)
    }
}

extension ValueRedactor {
    /// Returns a body with tokens for its values; `nil` if its structure is not read.
    ///
    /// - Parameters:
    ///   - body: The body without content codings.
    ///   - type: The value of Content-Type.
    ///   - depth: The number of levels of multipart bodies that are read.
    /// - Returns: The body.
    func body(_ body: ArraySlice<UInt8>, type: String?, depth: Int = 3) -> [UInt8]? {
        guard !body.isEmpty else { return [] }
        let form = BodyForm(type: type, body)
        if case .unread = form { return nil }
        guard body.count <= BodyForm.limit, UTF8.isValid(body) else { return nil }
        let mark = names.mark
        let clean: [UInt8]? =
            switch form {
            case .json: json(body)
            case .jsonLines, .text: nil
            case .form: self.form(HTTPText.trimmed(body))
            case .multipart(let boundary): depth > 0 ? multipart(body, boundary, depth: depth - 1) : nil
            case .events: events(body)
            case .markup: markup(body)
            case .unread: nil
            }
        if let clean { return clean }
        names.forget(after: mark)
        if case .multipart = form { return nil }
        if case .text = form, body.first == 0x7b || body.first == 0x5b, let clean = json(body) {
            return clean
        }
        return lines(body)
    }

    /// Returns a text, each line of which becomes a value.
    private func lines(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var clean: [UInt8] = []
        for (place, line) in text.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            if place > 0 { clean.append(0x0a) }
            clean += value(HTTPText.trimmed(line))
        }
        return clean
    }

    /// Returns the lines of a stream of events.
    private func events(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var clean: [UInt8] = []
        for (place, line) in text.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            if place > 0 { clean.append(0x0a) }
            let line = line.last == 0x0d ? line.dropLast() : line
            guard let colon = line.firstIndex(of: 0x3a) else {
                clean += value(HTTPText.trimmed(line))
                continue
            }
            let value = HTTPText.trimmed(line[(colon + 1)...])
            switch String(decoding: line[..<colon], as: UTF8.self) {
            case "": clean.append(0x3a)
            case "data", "id", "retry": clean += line[...colon] + [0x20] + self.value(value)
            case "event": clean += line[...colon] + [0x20] + (value.isEmpty ? [] : name(value))
            default: clean += self.value(HTTPText.trimmed(line))
            }
        }
        return clean
    }

    /// Returns the parts of a multipart body; `nil` if it is cut off or has no parts.
    private func multipart(_ body: ArraySlice<UInt8>, _ boundary: [UInt8], depth: Int) -> [UInt8]? {
        // Content-Type has the same token.
        let clean = value(boundary[...], depth: 0)
        let mark = [0x2d, 0x2d] + boundary
        guard var start = body.firstRange(of: mark)?.upperBound else { return nil }
        var result: [UInt8] = []
        while true {
            result += [0x2d, 0x2d] + clean
            if body[start...].starts(with: [0x2d, 0x2d]) { return result + [0x2d, 0x2d, 0x0d, 0x0a] }
            result += [0x0d, 0x0a]
            guard let line = body[start...].firstIndex(of: 0x0a),
                let next = body[(line + 1)...].firstRange(of: [0x0a] + mark)
            else { return nil }
            let part = body[(line + 1)..<next.lowerBound]
            result += self.part(part.last == 0x0d ? part.dropLast() : part, depth: depth) + [0x0d, 0x0a]
            start = next.upperBound
        }
    }

    private func part(_ part: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
        var head = part[part.startIndex..<part.startIndex]
        var content = part
        var position = part.startIndex
        while let end = part[position...].firstIndex(of: 0x0a) {
            let isEmpty = part[position..<end].allSatisfy { $0 == 0x0d }
            position = end + 1
            if isEmpty {
                (head, content) = (part[..<end], part[position...])
                break
            }
        }
        let fields = HeaderFields(section: head)
        let clean = section(head) + [0x0d, 0x0a]
        let encoding = fields.first("content-transfer-encoding")?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(encoding) else {
            bodiesLeftOut += 1
            return clean
        }
        guard let type = fields.first("content-type") else {
            return clean + (UTF8.isValid(content) ? value(content) : [])
        }
        let body = body(content, type: type, depth: depth)
        if body == nil { bodiesLeftOut += 1 }
        return clean + (body ?? [])
    }
}

extension ValueRedactor {
    /// Returns HTML or XML with tokens for its texts and the values of its attributes; `nil` if it is neither.
    private func markup(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var clean: [UInt8] = []
        clean.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            guard let open = text[position...].firstIndex(of: 0x3c) else {
                clean += run(text[position...])
                break
            }
            clean += run(text[position..<open])
            let rest = text[open...]
            if rest.starts(with: Array("<!--".utf8)) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
                clean += Array("<!---->".utf8)
                position = end.upperBound
            } else if rest.starts(with: Array("<![CDATA[".utf8)) {
                guard let end = rest.firstRange(of: Array("]]>".utf8)) else { return nil }
                clean += Array("<![CDATA[".utf8)
                clean += value(HTTPText.trimmed(rest[(open + 9)..<end.lowerBound]), depth: 0)
                clean += Array("]]>".utf8)
                position = end.upperBound
            } else {
                guard let end = Self.endOfTag(rest), let tag = self.tag(rest[(open + 1)..<end]) else {
                    return nil
                }
                clean += tag
                position = end + 1
                let name = String(decoding: rest.dropFirst().prefix(7), as: UTF8.self).lowercased()
                for raw in ["script", "style"] where name.hasPrefix(raw) && text[end - 1] != 0x2f {
                    let close = Array("</\(raw)".utf8)
                    var stop = position
                    while stop < text.endIndex,
                        !text[stop...].prefix(close.count).elementsEqual(
                            close,
                            by: { $0 | 0x20 == $1 | 0x20 }
                        )
                    {
                        stop += 1
                    }
                    clean += value(HTTPText.trimmed(text[position..<stop]), depth: 0)
                    position = stop
                }
            }
        }
        return clean
    }

    /// Returns the text between two tags: white space as it is, and anything else as one token.
    private func run(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let inner = HTTPText.trimmed(text)
        guard !inner.isEmpty else {
            return text.filter { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
        }
        return value(inner, depth: 0)
    }

    /// Returns the place of the `>` that ends a tag, which may stand in quotes before.
    private static func endOfTag(_ tag: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for place in tag.indices {
            switch tag[place] {
            case 0x22, 0x27: quote = quote == nil ? tag[place] : quote == tag[place] ? nil : quote
            case 0x3e where quote == nil: return place
            default: break
            }
        }
        return nil
    }

    /// Returns a tag with its brackets, given without them; `nil` if it has no name.
    private func tag(_ tag: ArraySlice<UInt8>) -> [UInt8]? {
        if tag.first == 0x21 || tag.first == 0x3f {
            return Array((tag.first == 0x3f ? "<?xml?>" : "<!DOCTYPE html>").utf8)
        }
        var clean: [UInt8] = [0x3c]
        var rest = tag
        if rest.first == 0x2f {
            clean.append(0x2f)
            rest = rest.dropFirst()
        }
        guard let letter = rest.first, (0x61...0x7a).contains(letter | 0x20) else { return nil }
        let end = rest.firstIndex { $0 <= 0x20 || $0 == 0x2f } ?? rest.endIndex
        clean += qualified(rest[..<end])
        rest = rest[end...]
        while let start = rest.firstIndex(where: { $0 > 0x20 && $0 != 0x2f }) {
            rest = rest[start...]
            let nameEnd = rest.firstIndex { $0 <= 0x20 || $0 == 0x3d || $0 == 0x2f } ?? rest.endIndex
            let name = rest[..<nameEnd]
            guard !name.isEmpty else { return nil }
            clean += [0x20] + qualified(name)
            rest = rest[nameEnd...].drop { $0 <= 0x20 }
            guard rest.first == 0x3d else { continue }
            rest = rest.dropFirst().drop { $0 <= 0x20 }
            var value = rest.prefix { $0 > 0x20 }
            if let quote = rest.first, quote == 0x22 || quote == 0x27 {
                guard let close = rest.dropFirst().firstIndex(of: quote) else { return nil }
                value = rest[(rest.startIndex + 1)..<close]
                rest = rest[(close + 1)...]
            } else {
                rest = rest[value.endIndex...]
            }
            clean +=
                [0x3d, 0x22] + attribute(value, String(decoding: name, as: UTF8.self).lowercased()) + [0x22]
        }
        if tag.last == 0x2f { clean.append(0x2f) }
        return clean + [0x3e]
    }

    private func qualified(_ name: ArraySlice<UInt8>) -> [UInt8] {
        Array(
            name.split(separator: 0x3a, omittingEmptySubsequences: false).map {
                $0.isEmpty ? [] : self.name($0)
            }.joined(separator: [0x3a])
        )
    }

    private func attribute(_ value: ArraySlice<UInt8>, _ name: String) -> [UInt8] {
        let links = ["href", "src", "action", "formaction", "poster", "cite"]
        guard links.contains(name) else { return self.value(value, depth: 0) }
        let plain = Array(String(decoding: value, as: UTF8.self).replacing("&amp;", with: "&").utf8)
        let clean = url(plain[...], depth: 0) ?? target(plain[...], depth: 0)
        return Array(String(decoding: clean, as: UTF8.self).replacing("&", with: "&amp;").utf8)
    }
}

extension UTF8 {
    /// Whether bytes are UTF-8 without null bytes.
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}
