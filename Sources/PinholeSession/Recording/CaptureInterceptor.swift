import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeStore

/// The interceptor of `replay` rules, which answers from captures.
final class CaptureInterceptor: ExchangeInterceptor {
    private let sources = Lock<[CaptureReplay: RecordedAnswers]>([:])
    /// Receives the warnings of captures.
    private let warn: @Sendable (String) -> Void

    /// Creates an interceptor without captures.
    ///
    /// - Parameter warn: Receives the warnings of captures.
    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Reads the captures that rules name, so that their faults are known at once; the answers restart from the first.
    ///
    /// - Throws: ``CommandFailure`` if a capture cannot be read.
    func prepare(_ rules: RuleSet) throws(CommandFailure) {
        var made: [CaptureReplay: RecordedAnswers] = [:]
        for rule in rules.enabled {
            guard case .replay(let replay) = rule.action else { continue }
            do throws(CaptureFailure) {
                let answers = try RecordedAnswers(replay)
                if let warning = answers.warning { warn(warning) }
                made[replay] = answers
            } catch {
                throw CommandFailure("the rule “\(rule.name)” has no capture: \(error)")
            }
        }
        sources.withLock { $0 = made }
    }

    func decide(_ inquiry: Inquiry) { inquiry.answer(decide(inquiry.question)) }

    private func decide(_ question: Consultation) -> ExchangeDecision {
        guard case .replay(let replay, let request, let body, let reason) = question else { return .proceed }
        do throws(CaptureFailure) {
            guard let found = try source(replay).next(for: request, body) else {
                guard replay.isStrict else { return .proceed }
                let nearest = try source(replay).nearest(to: request)
                return .answer(Self.unknown(replay, request, body, nearest))
            }
            return .answer(Self.answer(found, replay, reason))
        } catch {
            let page = ErrorPage(
                status: 502,
                title: "A capture cannot be read",
                detail: "\(reason): \(error)",
                remedy: "pinhole rules check says which files are missing."
            )
            return .answer(page.answer(accept: nil))
        }
    }

    /// Returns the answers of a capture, which is read now if the console added its rule later.
    private func source(_ replay: CaptureReplay) throws(CaptureFailure) -> RecordedAnswers {
        if let known = sources.withLock({ $0[replay] }) { return known }
        let made = try RecordedAnswers(replay)
        return sources.withLock { sources in
            let known = sources[replay] ?? made
            sources[replay] = known
            return known
        }
    }

    private static func unknown(
        _ replay: CaptureReplay,
        _ request: RuleRequest,
        _ body: [UInt8]?,
        _ nearest: String?
    ) -> Answer {
        if request.asksForWebSocket {
            return ErrorPage(
                status: 502,
                title: "WebSockets are not replayed",
                detail:
                    "\(request.method) \(request.url) asks for one, and \(replay.file) answers requests alone.",
                remedy: "“unknown”: “pass” (--replay-unknown pass) lets the server open it."
            ).answer(accept: request.fields.first("accept"))
        }
        return ErrorPage(
            status: 502,
            title: "Nothing was recorded for this request",
            detail: "\(replay.file) has no answer to \(request.method) \(request.url)"
                + compared(replay, hasBody: body?.isEmpty == false)
                + (replay.isOnce ? ", or each one was given." : ".")
                + (nearest.map { " The nearest is \($0)." } ?? ""),
            remedy:
                "“pinhole flows list --capture” shows what it has; “ignore” (--replay-ignore) leaves something out of the "
                + "comparison, and “unknown”: “pass” (--replay-unknown pass) asks the server."
        ).answer(accept: request.fields.first("accept"))
    }

    /// Returns a phrase about the compared parts of a request besides method and URL.
    private static func compared(_ replay: CaptureReplay, hasBody: Bool) -> String {
        let fields = replay.fields.isEmpty ? [] : ["the same " + replay.fields.joined(separator: ", ")]
        let parts = fields + (replay.match == .strict && hasBody ? ["this body"] : [])
        return parts.isEmpty ? "" : " with " + parts.joined(separator: " and ")
    }

    private static func answer(
        _ found: RecordedAnswers.Found,
        _ replay: CaptureReplay,
        _ reason: String
    ) -> Answer {
        let record = found.record
        guard let response = record.response, let status = record.status, let body = found.body else {
            let isCut = record.response?.body.isComplete == false
            return ErrorPage(
                status: 502,
                title: "The recorded response is not complete",
                detail: "exchange \(record.id.rawValue) of \(replay.file) "
                    + (isCut ? "ended before its body did." : "was captured in part."),
                remedy: isCut
                    ? "Record it again."
                    : "Record it again with capture.bodies and a larger capture.bodyLimitBytes."
            ).answer(accept: nil)
        }
        let recorded = response.fields
        let named = Set(recorded.list("connection").map { $0.lowercased() })
        let fields = recorded.pairs.filter { field in
            let name = field.name.lowercased()
            return !field.name.hasPrefix(":") && !ofConnection.contains(name) && !named.contains(name)
        }
        let recordedAt = record.timings.responseStarted ?? record.timings.started
        let dates = replay.keepsDates ? nil : RecordedDates(recorded: recordedAt, now: LoopClock().now())
        var answer = Answer(
            status: status,
            fields: fields.map { HeaderLine($0.name, dates?.value(of: $0.name, $0.value) ?? $0.value) },
            body: [],
            reason: "\(reason): exchange \(record.id.rawValue)"
        )
        switch body {
        case .bytes(let bytes): answer.body = bytes
        case .later(let content): answer.content = content
        }
        answer.omitsLength = record.method == "HEAD"
        return answer
    }

    /// The fields that belong to the recorded answer's connection or to its framing.
    private static let ofConnection: Set<String> = [
        "alt-svc", "connection", "content-length", "keep-alive", "proxy-authenticate", "proxy-connection",
        "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
}
