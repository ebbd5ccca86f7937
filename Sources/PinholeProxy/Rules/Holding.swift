import PinholeModel
import PinholeRules
import PinholeWire

/// A message that is held because rules act on the whole message.
struct Holding: Sendable, Equatable {
    /// The stage of gathering and deciding.
    enum Stage: Sendable, Equatable {
        /// The content is being gathered.
        case gathering
        /// A decision about the head is pending, while the content is not read.
        case askedEarly
        /// A decision about the whole message is pending.
        case asked
    }

    /// The current stage.
    var stage = Stage.gathering
    /// The tasks of rules on the message.
    let tasks: [MessageTask]
    /// The response as it is sent on; `nil` if the message is the request.
    var response: ResponseHead?
    /// Whether trailers followed the content.
    var hasTrailers = false

    /// Whether enough of the message has arrived for the decision.
    var isDecidable: Bool { stage != .gathering }

    /// Whether the whole message has arrived.
    var isWhole: Bool { stage == .asked }

    /// Whether a person or a program may take a long time over the decision.
    var isWaiting: Bool { isDecidable && tasks.contains { $0.patience > .zero } }

    /// Returns the state in which the whole message has arrived and a decision about it is pending.
    func whole(_ hasTrailers: Bool) -> Holding {
        var holding = self
        holding.stage = .asked
        holding.hasTrailers = hasTrailers
        return holding
    }

    /// Returns the reason why a message cannot be held.
    ///
    /// - Parameters:
    ///   - fields: The field lines of the message.
    ///   - length: The value of Content-Length, or `nil` if the length is not announced.
    ///   - limits: The limits, which contain the largest length of a held body.
    /// - Returns: The reason, or `nil` if the message can be held.
    static func obstacle(_ fields: HeaderFields, length: Int64?, _ limits: Limits) -> String? {
        if let length { return length > Int64(limits.heldBody) ? tooLong(limits) : nil }
        return StreamFormat(fields) == nil ? nil : "the body is a stream"
    }

    /// Returns the reason why a request cannot be held, or `nil` if it can.
    static func obstacle(to request: RequestHead, _ limits: Limits) -> String? {
        if request.protocolName != nil { return "the stream switches protocols" }
        return obstacle(request.fields, length: request.framing.knownLength, limits)
    }

    /// Returns the reason why a response cannot be held.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that it responds to.
    ///   - isHeadAlone: Whether the rules need its head alone.
    ///   - limits: The limits.
    /// - Returns: The reason, or `nil` if the response can be held.
    static func obstacle(
        to response: ResponseHead,
        of request: RequestHead,
        isHeadAlone: Bool = false,
        _ limits: Limits
    ) -> String? {
        if request.protocolName != nil { return "the stream switches protocols" }
        if response.status == 101 { return "the connection switches protocols" }
        return isHeadAlone ? nil : obstacle(response.fields, length: response.framing.knownLength, limits)
    }

    /// Returns the reason why a message is not held any longer.
    static func reason(_ end: HeldEnd, _ limits: Limits) -> String {
        switch end {
        case .whole: ""
        case .tooLong: tooLong(limits)
        case .noRoom: "all bodies that are held come to \(limits.heldBodies) bytes already"
        case .tooSlow: "the body was not there within \(limits.heldBodyTime.secondsText)"
        case .broken: "the body broke off"
        }
    }

    private static func tooLong(_ limits: Limits) -> String { "body over \(limits.heldBody) bytes" }
}

/// The way in which the gathering of a message ended.
package enum HeldEnd: Sendable, Equatable {
    /// The message is complete.
    case whole(hasTrailers: Bool)
    /// The message is longer than the limit for one message.
    case tooLong
    /// All held messages together are longer than the limit.
    case noRoom
    /// The message took too long.
    case tooSlow
    /// The sender closed the connection or aborted the message.
    case broken
}

extension [MessageTask] {
    /// Returns the records of tasks that could not be carried out.
    func notApplied(_ reason: String) -> [RuleHit] { map { $0.hit("not applied: \(reason)") } }

    /// Returns the reason why the message must not go on without its tasks; `nil` if it may go on.
    func requirement(_ reason: String) -> String? {
        first(where: \.isRequired).map { "the rule “\($0.rule)” could not be applied: \(reason)" }
    }
}

extension HeaderFields {
    /// Changes the fields that frame the body to plain content of `count` bytes.
    ///
    /// - Parameters:
    ///   - count: The length of the content.
    ///   - hasTrailers: Whether trailers follow, for which HTTP/1 needs chunks.
    ///   - isLowercased: Whether the fields are those of HTTP/2.
    /// - Returns: The framing of the body in HTTP/1.
    mutating func frame(_ count: Int, hasTrailers: Bool, isLowercased: Bool) -> BodyFraming {
        removeAll(named: "content-length", "transfer-encoding", "content-encoding")
        if hasTrailers {
            if !isLowercased { append("Transfer-Encoding", "chunked") }
            return .chunked
        }
        append(isLowercased ? "content-length" : "Content-Length", String(count))
        return .length(Int64(count))
    }
}

extension RequestPlan {
    /// Applies a decision's change to the request.
    ///
    /// - Parameters:
    ///   - change: The parts that differ.
    ///   - hasTrailers: Whether trailers follow the content.
    /// - Returns: The new framing of the body in HTTP/1, or `nil` if the framing has not changed.
    mutating func take(_ change: MessageChange, hasTrailers: Bool) -> BodyFraming? {
        tasks = []
        if change.isEmpty { return nil }
        isChanged = true
        request.take(change)
        guard let body = change.body else { return nil }
        return request.fields.frame(
            body.count,
            hasTrailers: hasTrailers,
            isLowercased: request.isLowercased
        )
    }
}

extension BodyFraming {
    /// The length of the body; `nil` if the head does not contain it.
    var knownLength: Int64? {
        switch self {
        case .none: 0
        case .length(let length): length
        case .chunked, .untilClose: nil
        }
    }
}

extension MessageChange {
    /// Returns the length of replaced content; `nil` if the original content stays.
    func content(status: Int, was: Int) -> Int? {
        // The content is dropped if the new status allows none.
        if !RuleResponse.mayHaveContent(status), RuleResponse.mayHaveContent(was) { return 0 }
        return body?.count
    }
}
