import PinholeModel
import PinholeRules
import PinholeWire

extension HeaderFields {
    /// Adapts the framing fields of a response whose status was changed to the content that it has now.
    ///
    /// In a 204 or 304, length, coding and version describe other content than the client gets under the new status
    /// (RFC 9110 §15.3.5, §15.4.5). Validators that were changed in the meantime are kept.
    ///
    /// - Parameters:
    ///   - status: The new status.
    ///   - original: The original status and fields.
    ///   - method: The method of the request; a response to HEAD describes content that is not sent anyway.
    ///   - isLowercased: Whether the fields are those of HTTP/2.
    fileprivate mutating func frame(
        as status: Int,
        from original: (status: Int, fields: HeaderFields),
        to method: String,
        isLowercased: Bool
    ) {
        let hadContent = RuleResponse.mayHaveContent(original.status) && method != "HEAD"
        guard RuleResponse.mayHaveContent(status) else {
            // RFC 9110 §8.6: a 204 has no Content-Length, whatever request it answers.
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
    /// Returns the response with another status and other fields, but with the original content.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The field lines, with the original ones that frame the body.
    ///   - method: The method of the request.
    /// - Returns: The head to send on. The recorded head does not change.
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

    /// Returns the response with a decision's change.
    ///
    /// - Parameters:
    ///   - change: The parts that differ.
    ///   - method: The method of the request.
    ///   - hasTrailers: Whether trailers follow the content.
    /// - Returns: The head to send on. The recorded head does not change.
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
