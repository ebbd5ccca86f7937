import PinholeModel

/// Writes the cookies of a message.
enum HARCookies {
    /// Writes the cookies of Cookie fields (RFC 6265 §4.2).
    static func write(request fields: HeaderFields, to json: inout JSONText) {
        json.array { json in
            for value in fields.all("cookie") {
                for pair in value.split(separator: ";") {
                    let (name, value) = split(pair)
                    json.object { json in
                        json.member("name", name)
                        json.member("value", value)
                    }
                }
            }
        }
    }

    /// Writes the cookies of Set-Cookie fields (RFC 6265 §4.1).
    static func write(response fields: HeaderFields, to json: inout JSONText) {
        json.array { json in
            for line in fields.all("set-cookie") {
                let parts = line.split(separator: ";", omittingEmptySubsequences: false)
                let (name, value) = split(parts.first ?? "")
                json.object { json in
                    json.member("name", name)
                    json.member("value", value)
                    for part in parts.dropFirst() { writeAttribute(part, to: &json) }
                }
            }
        }
    }

    private static func writeAttribute(_ part: Substring, to json: inout JSONText) {
        let (name, value) = split(part)
        switch name.lowercased() {
        case "path": json.member("path", value)
        case "domain": json.member("domain", value)
        case "expires":
            if let moment = HTTPDate.parse(value) { json.member("expires", ISO8601.text(moment)) }
        case "httponly": json.member("httpOnly", true)
        case "secure": json.member("secure", true)
        case "samesite": json.member("_sameSite", value)
        case "max-age": json.member("_maxAge", value)
        default: break
        }
    }

    private static func split(_ pair: Substring) -> (name: String, value: String) {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let trimmed = parts.map { part in
            let front = part.drop { $0 == " " || $0 == "\t" }
            return String(front.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
        return (trimmed.first ?? "", trimmed.count > 1 ? trimmed[1] : "")
    }
}
