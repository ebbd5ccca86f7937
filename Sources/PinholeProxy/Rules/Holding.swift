import PinholeModel
import PinholeRules
import PinholeWire

/// How a message stands that is held for what rules do with all of it, in either machine.
struct Holding: Sendable, Equatable {
    /// How far that came.
    enum Stage: Sendable, Equatable {
        /// Its content is being gathered.
        case gathering
        /// Somebody is asked what becomes of its head, while its content waits.
        case askedEarly
        /// Somebody is asked what becomes of it.
        case asked
    }

    /// How it stands.
    var stage = Stage.gathering
    /// What is done with it.
    let tasks: [MessageTask]
    /// Whether trailers came behind its content.
    var hasTrailers = false

    /// Whether all of the message came that those wait for who were asked.
    var isDecidable: Bool { stage != .gathering }

    /// Whether all of the message came.
    var isWhole: Bool { stage == .asked }

    /// Whether somebody may take his time over it.
    var isWaiting: Bool { isDecidable && tasks.contains { $0.patience > .zero } }

    /// What stands against holding a message; `nil` for nothing.
    ///
    /// - Parameters:
    ///   - fields: Its field lines.
    ///   - length: What Content-Length says; `nil` where the content ends without having been announced.
    ///   - limits: Up to which length it is held.
    /// - Returns: The reason.
    static func obstacle(_ fields: HeaderFields, length: Int64?, _ limits: Limits) -> String? {
        if let length { return length > Int64(limits.heldBody) ? tooLong(limits) : nil }
        return StreamFormat(fields) == nil ? nil : "the body is a stream"
    }

    /// Why a message is not held any longer.
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

/// How the gathering of a message ended.
package enum HeldEnd: Sendable, Equatable {
    /// Everything is there.
    case whole(hasTrailers: Bool)
    /// It is longer than what may be held.
    case tooLong
    /// All that are held are longer together than what may be.
    case noRoom
    /// It took too long.
    case tooSlow
    /// Its sender went away.
    case broken
}

extension [MessageTask] {
    /// What is recorded of tasks that cannot be done.
    func notApplied(_ reason: String) -> [RuleHit] { map { $0.hit("not applied: \(reason)") } }

    /// Why the message may not go on where the tasks cannot be done; `nil` where it may.
    func requirement(_ reason: String) -> String? {
        first(where: \.isRequired).map { "the rule “\($0.rule)” could not be applied: \(reason)" }
    }
}

extension HeaderFields {
    /// Lets the fields frame other content than they came with: plain, and `count` bytes long.
    ///
    /// - Parameters:
    ///   - count: The length of the content.
    ///   - hasTrailers: Whether trailers follow, for which HTTP/1 needs chunks.
    ///   - isLowercased: Whether the fields are those of HTTP/2.
    /// - Returns: How the end of the body is found in HTTP/1.
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
    /// Lets the request be what somebody made of it.
    ///
    /// - Parameters:
    ///   - change: What is different.
    ///   - hasTrailers: Whether trailers follow its content.
    /// - Returns: How its body is framed in HTTP/1 now; `nil` where that is as it came.
    mutating func take(_ change: MessageChange, hasTrailers: Bool) -> BodyFraming? {
        tasks = []
        if change.isEmpty { return nil }
        isChanged = true
        if let method = change.method { request.method = method }
        if let path = change.path { request.path = path }
        if let fields = change.fields { request.fields = fields }
        guard let body = change.body else { return nil }
        return request.fields.frame(
            body.count,
            hasTrailers: hasTrailers,
            isLowercased: request.isLowercased
        )
    }
}
