import PinholeContent
import PinholeModel

/// The request of an entry.
struct HARRequest {
    /// The exchange of the message.
    let record: ExchangeRecord
    /// The captured bytes of the body.
    let body: [UInt8]

    /// Writes the object.
    func write(to json: inout JSONText) {
        let fields = record.request.fields
        json.object { json in
            json.member("method", record.method)
            json.member("url", url)
            json.member("httpVersion", record.requestVersion)
            json.name("cookies")
            HARCookies.write(request: fields, to: &json)
            json.name("headers")
            json.writeHeaders(fields)
            json.name("queryString")
            let query = record.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            json.writeParameters(query.count > 1 ? String(query[1]) : "", plusIsSpace: false)
            if !body.isEmpty { writePostData(fields, to: &json) }
            json.member("headersSize", record.request.head.count)
            json.member("bodySize", record.request.body.length)
            if !record.request.body.isComplete { json.member("_incomplete", true) }
            json.writeTrailers(record.request.trailers)
        }
    }

    /// The URL, with bytes that RFC 3986 does not allow percent-encoded.
    private var url: String {
        let exact = record.pathBytes
        guard exact.first == 0x2f else {
            return PercentCoding.encode(record.url.utf8, isPlain: PercentCoding.isOfURL)
        }
        return record.scheme.url(
            of: PercentCoding.encode(exact, isPlain: PercentCoding.isOfURL),
            at: record.authority
        )
    }

    private func writePostData(_ fields: HeaderFields, to json: inout JSONText) {
        let type = fields.first("content-type") ?? ""
        json.name("postData")
        json.object { json in
            json.member("mimeType", type)
            guard let text = HARText.text(body, type) else {
                json.member("text", base64: body)
                json.member("_encoding", "base64")
                json.member("comment", "The body is binary; text is its Base64.")
                return
            }
            json.member("text", text)
            guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else { return }
            json.name("params")
            json.writeParameters(text, plusIsSpace: true)
        }
    }
}

/// The response of an entry; without a response, the object with status 0 that browsers write.
struct HARResponse {
    /// The exchange of the message.
    let record: ExchangeRecord
    /// The captured bytes of the body.
    let body: [UInt8]

    /// Writes the object.
    func write(to json: inout JSONText) {
        let fields = record.response?.fields ?? HeaderFields()
        let line = StartLine(record.response?.head ?? [])
        json.object { json in
            json.member("status", record.status ?? 0)
            json.member("statusText", line.reason)
            json.member("httpVersion", record.response == nil ? "" : line.responseVersion)
            json.name("cookies")
            HARCookies.write(response: fields, to: &json)
            json.name("headers")
            json.writeHeaders(fields)
            json.name("content")
            HARContent(fields: fields, record: record.response?.body ?? BodyRecord(), body: body)
                .write(to: &json)
            json.member("redirectURL", fields.first("location") ?? "")
            json.member("headersSize", record.response?.head.count ?? -1)
            json.member("bodySize", record.response?.body.length ?? -1)
            json.writeTrailers(record.response?.trailers ?? [])
            if !record.informational.isEmpty {
                json.name("_informational")
                json.array { json in
                    for head in record.informational { json.string(StartLine(head).text) }
                }
            }
        }
    }
}

/// The content of a response, decoded so that it can be read and searched.
struct HARContent {
    /// The field lines of the response.
    let fields: HeaderFields
    let record: BodyRecord
    /// The captured bytes.
    let body: [UInt8]

    /// Writes the object.
    func write(to json: inout JSONText) {
        var content = body
        var comment: String?
        do {
            content = try ContentDecoder.decode(body, codings: fields.list("content-encoding"))
        } catch {
            comment = "Not decoded: \(error)."
        }
        json.object { json in
            // If only a part of the body was captured, the size is that of the whole body.
            json.member("size", record.isTruncated ? record.length : Int64(content.count))
            if comment == nil, !record.isTruncated {
                json.member("compression", Int64(content.count) - record.length)
            }
            json.member("mimeType", fields.first("content-type") ?? "x-unknown")
            write(content, isDecoded: comment == nil, to: &json)
            if record.isTruncated { json.member("_truncated", true) }
            if !record.isComplete { json.member("_incomplete", true) }
            if let comment {
                json.member("_coded", true)
                json.member("comment", comment)
            }
        }
    }

    private func write(_ content: [UInt8], isDecoded: Bool, to json: inout JSONText) {
        if isDecoded, let text = HARText.text(content, fields.first("content-type")) {
            json.member("text", text)
        } else {
            json.member("text", base64: content)
            json.member("encoding", "base64")
        }
    }
}

extension JSONText {
    /// Writes `[{name, value}, …]` from field lines.
    ///
    /// A value that is not UTF-8 is read as ISO 8859-1, which keeps every byte.
    mutating func writeHeaders(_ fields: HeaderFields) {
        array { json in
            for index in fields.indices {
                json.object { json in
                    json.member("name", Self.text(fields.name(at: index)))
                    json.member("value", Self.text(fields.value(at: index)))
                }
            }
        }
    }

    /// Writes the trailer fields, if there are any.
    mutating func writeTrailers(_ section: [UInt8]) {
        guard !section.isEmpty else { return }
        name("_trailers")
        writeHeaders(HeaderFields(section: section))
    }

    /// Writes `[{name, value}, …]` from `a=b&c=d`; parts are percent-decoded if the result is UTF-8.
    mutating func writeParameters(_ query: String, plusIsSpace: Bool) {
        array { json in
            for pair in query.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                json.object { json in
                    json.member("name", Self.decoded(parts[0], plusIsSpace))
                    json.member(
                        "value",
                        parts.count > 1 ? Self.decoded(parts[1], plusIsSpace) : ""
                    )
                }
            }
        }
    }

    private static func decoded(_ text: Substring, _ plusIsSpace: Bool) -> String {
        String(validating: PercentCoding.decode(text.utf8, plusIsSpace: plusIsSpace), as: UTF8.self)
            ?? String(text)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
