package import PinholeModel
package import PinholeRules
import PinholeWire

extension Answer {
    /// Applies the conditions and the range of a request for this representation (RFC 9110 §13.2.2, §14.2).
    ///
    /// The answer becomes 304 if the client has this version, 412 if it wants another one, 206 for a part, or 416 if
    /// there is no such part. Only an answer of 200 to GET or HEAD is changed, because other methods do not ask for the
    /// representation.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: The time of the answer, which decides whether a date can stand for one version.
    package mutating func meet(_ request: RuleRequest, at now: Timestamp) {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else { return }
        let version = Version(fields)
        switch version.outcome(of: request.fields) {
        case .unchanged:
            fields.removeAll { Self.omittedWhenUnchanged.contains($0.name.lowercased()) }
            return replace(by: 304)
        case .unwanted: return replace(by: 412)
        case .proceed: break
        }
        fields.append(HeaderLine("Accept-Ranges", "bytes"))
        // A range is defined for GET alone (RFC 9110 §14.2).
        guard request.method == "GET", version.isMeantByRange(of: request.fields, at: now) else { return }
        switch ByteRanges(request.fields.all("range"), length: length) {
        case .whole: return
        case .unsatisfiable:
            fields.append(HeaderLine("Content-Range", "bytes */\(length)"))
            replace(by: 416)
        case .part(let range):
            fields.append(
                HeaderLine("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
            )
            status = 206
            if let content { self.content = content.part(range) } else { body = Array(body[range]) }
        }
    }

    /// The fields that describe content; a 304 has none (RFC 9110 §15.4.5).
    private static let omittedWhenUnchanged: Set = [
        "content-type", "content-encoding", "content-language", "content-disposition",
    ]

    /// Becomes an answer without content.
    private mutating func replace(by status: Int) {
        self.status = status
        body = []
        content = nil
    }
}

/// The version of a representation, as its fields name it.
private struct Version {
    /// The effect of the conditions of a request on its answer.
    enum Outcome {
        /// The answer is sent.
        case proceed
        /// The client has this version (304).
        case unchanged
        /// The client wants another version (412).
        case unwanted
    }

    let tag: EntityTag?
    let modified: Timestamp?

    init(_ fields: [HeaderLine]) {
        func value(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
        tag = value("etag").flatMap { EntityTag($0) }
        modified = value("last-modified").flatMap(HTTPDate.parse)
    }

    /// Evaluates the conditions in the order of RFC 9110 §13.2.2.
    func outcome(of request: HeaderFields) -> Outcome {
        if let wanted = EntityTag.Condition(request.all("if-match")) {
            guard isOne(of: wanted, { $0.isStronglyEqual(to: $1) }) else { return .unwanted }
        } else if let moment = date(request, "if-unmodified-since"), let modified, modified > moment {
            return .unwanted
        }
        if let known = EntityTag.Condition(request.all("if-none-match")) {
            return isOne(of: known, { $0.opaque == $1.opaque }) ? .unchanged : .proceed
        }
        guard let moment = date(request, "if-modified-since"), let modified else { return .proceed }
        return modified <= moment ? .unchanged : .proceed
    }

    /// Whether the range of a request is one of this version, as far as If-Range says (RFC 9110 §13.1.5).
    func isMeantByRange(of request: HeaderFields, at now: Timestamp) -> Bool {
        let values = request.all("if-range")
        guard let value = values.first else { return true }
        guard values.count == 1 else { return false }
        if let wanted = EntityTag(value) { return tag?.isStronglyEqual(to: wanted) ?? false }
        guard let modified, let moment = HTTPDate.parse(value) else { return false }
        // Within a second after a change, another change would have the same date (RFC 9110 §8.8.2.2).
        return modified == moment && now - modified >= .seconds(1)
    }

    private func isOne(of condition: EntityTag.Condition, _ isSame: (EntityTag, EntityTag) -> Bool) -> Bool {
        switch condition {
        case .any: true
        case .oneOf(let tags): tags.contains { other in tag.map { isSame($0, other) } ?? false }
        }
    }

    /// The date of a field; `nil` if there is none, or more than one (RFC 9110 §13.1.3).
    private func date(_ request: HeaderFields, _ name: String) -> Timestamp? {
        let values = request.all(name)
        guard values.count == 1, let value = values.first else { return nil }
        return HTTPDate.parse(value)
    }
}
