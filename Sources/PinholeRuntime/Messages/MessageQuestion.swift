package import PinholeModel
package import PinholeRules

/// A question about a message: for a person at a breakpoint, a program, or code that embeds the proxy.
package struct MessageQuestion: Sendable {
    /// The number among the messages that are held at breakpoints; 0 for others.
    package internal(set) var id: Int64 = 0
    /// The point of the exchange at which the question is asked.
    package let point: ProgramCall.Point
    /// The rule that asks.
    package let rule: String
    /// The message as earlier tasks have changed it, with its content decoded if possible.
    package let message: HeldMessage
    /// The reason why the content could not be decoded; `nil` if it could.
    package var trouble: String?
    /// The time since which the message is held at a breakpoint.
    package internal(set) var since = Timestamp(microseconds: 0)
    /// The time at which a message at a breakpoint goes on without a decision.
    package internal(set) var until = Timestamp(microseconds: 0)

    /// The status; `nil` if the question is about the request.
    package var status: Int? { message.response?.status }

    /// The content; `nil` if the question is only about the head.
    package var body: [UInt8]? { point.wantsBody ? message.body : nil }

    /// The field lines of the message, without the fields that Pinhole writes itself.
    package var fields: [(name: String, value: String)] { message.fields.shown }

    /// Writes the members of the question, except its number.
    func write(into json: inout JSONText) {
        json.member("at", point.rawValue)
        if let exchange = message.exchange { json.member("exchange", exchange.rawValue) }
        json.member("rule", rule)
        json.name("request")
        json.object { json in
            json.member("method", message.request.method)
            json.member("url", message.request.url)
            json.member("path", message.request.path)
            Self.write(message.request.fields, into: &json)
            if message.response == nil { writeBody(into: &json) }
        }
        guard let response = message.response else { return }
        json.name("response")
        json.object { json in
            json.member("status", response.status)
            Self.write(response.fields, into: &json)
            writeBody(into: &json)
        }
    }

    private func writeBody(into json: inout JSONText) {
        guard let body else { return }
        if let text = String(validating: body, as: UTF8.self) {
            json.member("body", text)
        } else {
            json.member("bodyBase64", base64: body)
        }
        if let trouble { json.member("trouble", trouble) }
    }

    private static func write(_ fields: HeaderFields, into json: inout JSONText) {
        json.name("fields")
        json.array { json in
            for (name, value) in fields.shown {
                json.array { json in
                    json.string(name)
                    json.string(value)
                }
            }
        }
    }
}

extension HeaderFields {
    /// The field lines as text, without the fields that Pinhole writes itself.
    package var shown: [(name: String, value: String)] { indices.filter { !isOwn(at: $0) }.map(shown(at:)) }

    /// The line at `index` as text.
    func shown(at index: Int) -> (name: String, value: String) {
        (String(decoding: name(at: index), as: UTF8.self), String(decoding: value(at: index), as: UTF8.self))
    }
}
