import PinholeModel
import PinholeRules
import PinholeWire

extension HeaderFields {
    /// Lets the fields of a response whose status was changed frame the content that came, or none.
    ///
    /// What 204 and 304 say of length, coding and version is said of something else than the client gets then
    /// (RFC 9110 §15.3.5, §15.4.5). Validators that somebody has written since stay.
    ///
    /// - Parameters:
    ///   - status: The new status.
    ///   - original: The status and the fields that came.
    ///   - method: The method that is answered; what HEAD gets are the fields of other content anyway.
    ///   - isLowercased: Whether the fields are those of HTTP/2.
    fileprivate mutating func frame(
        as status: Int,
        from original: (status: Int, fields: HeaderFields),
        to method: String,
        isLowercased: Bool
    ) {
        let hadContent = RuleResponse.mayHaveContent(original.status) && method != "HEAD"
        guard RuleResponse.mayHaveContent(status) else {
            // RFC 9110 §8.6: a 204 has no Content-Length, whatever it answers.
            guard hadContent || status == 204 else { return }
            return removeAll(named: "content-length", "transfer-encoding", "content-encoding")
        }
        guard !hadContent, method != "HEAD" else { return }
        for name in ["etag", "last-modified"] where first(name) == original.fields.first(name) {
            removeAll(named: name)
        }
        _ = frame(0, hasTrailers: false, isLowercased: isLowercased)
    }
}

extension ResponseHead {
    /// The same response with another status and other fields, and with the content that came.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The field lines, those that frame the body as they came.
    ///   - method: The method that it answers.
    /// - Returns: The head that is sent on. What is recorded does not change.
    func restated(_ status: Int, _ fields: HeaderFields, to method: String) -> ResponseHead {
        guard status != self.status else {
            return changed(status: status, fields: fields, framing: framing)
        }
        var fields = fields
        let isLowercased = version == .http2
        fields.frame(as: status, from: (self.status, self.fields), to: method, isLowercased: isLowercased)
        let framing: BodyFraming =
            if !RuleResponse.mayHaveContent(status) {
                .none
            } else if RuleResponse.mayHaveContent(self.status) || method == "HEAD" {
                self.framing
            } else {
                .length(0)
            }
        return changed(status: status, fields: fields, framing: framing)
    }

    /// The response as somebody made it.
    ///
    /// - Parameters:
    ///   - change: The parts that differ.
    ///   - method: The method that it answers.
    ///   - hasTrailers: Whether trailers follow the content.
    /// - Returns: The head that is sent on. What is recorded does not change.
    func changed(_ change: MessageChange, to method: String, hasTrailers: Bool) -> ResponseHead {
        let status = change.status ?? self.status
        var fields = change.fields ?? self.fields
        guard let count = change.content(status: status, was: self.status), method != "HEAD" else {
            return restated(status, fields, to: method)
        }
        guard RuleResponse.mayHaveContent(status) else {
            fields.removeAll(named: "content-length", "transfer-encoding", "content-encoding")
            return changed(status: status, fields: fields, framing: .none)
        }
        let isLowercased = version == .http2
        let framing = fields.frame(count, hasTrailers: hasTrailers, isLowercased: isLowercased)
        return changed(status: status, fields: fields, framing: framing)
    }
}
