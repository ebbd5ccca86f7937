import PinholeHTTP2
import PinholeModel
import PinholeRuntime
import PinholeWire

/// HTTP/2 with a server: one request at a time, each on a stream of its own.
extension ServerConnection {
    private static let frameBatch = 64 << 10

    /// Sends a request and reads the answer.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - body: Its body; empty for none.
    ///   - session: The connection's HTTP/2.
    ///   - takeBody: Takes the body of a 2xx answer in pieces; `nil` to return the body.
    ///   - loop: The loop.
    ///   - interim: Called with each response before the final one.
    /// - Returns: The final response.
    /// - Throws: ``ClientFailure``; ``refusal`` says whether the request may go out again.
    func exchange(
        _ head: RequestHead,
        body: [UInt8],
        over session: HTTP2Session,
        takeBody: (@Sendable ([UInt8]) -> Void)? = nil,
        on loop: isolated EventLoop,
        interim: (ResponseHead) -> Void = { _ in }
    ) async throws(ClientFailure) -> Message {
        begin()
        var reception = StreamReception(
            of: try open(head, body: body, session),
            reading: settings.body,
            takeBody: takeBody
        )
        defer {
            hasHeard = reception.hasBegun
            refusal = reception.refusal
        }
        var isWritable = true
        while true {
            try read(session, &reception, interim)
            // Writing makes events, too.
            if isWritable, try await flush(session, &isWritable, on: loop) { continue }
            if reception.isWhole, let head = reception.head {
                // The answer came before the whole request was sent, so the rest of the request is not sent.
                if session.streams.contains(reception.stream) { session.reset(reception.stream, .cancel) }
                let body = reception.body
                isIdle = isWritable && !hasEnded && reception.goAway == nil && !body.isCut
                return Message(
                    head: head,
                    body: body.bytes,
                    trailers: reception.trailers,
                    isCut: body.isCut
                )
            }
            guard !hasEnded else { throw Self.unanswered(reception.goAway) }
            do throws(ClientFailure) {
                try await fill(on: loop)
            } catch  where error.code == .networkConnectionLost && reception.goAway != nil {
                // The reason in a GOAWAY is more precise than that of a reset after it.
                throw Self.unanswered(reception.goAway)
            }
        }
    }

    /// Says good-bye as HTTP/2 does.
    func goAway(_ session: HTTP2Session) -> ByteQueue {
        var frames = ByteQueue()
        session.goAway()
        session.write(into: &frames, limit: Self.frameBatch)
        return frames
    }

    private func open(
        _ head: RequestHead,
        body: [UInt8],
        _ session: HTTP2Session
    ) throws(ClientFailure) -> HTTP2StreamID {
        do throws(HTTP2Failure) {
            let stream = try session.request(head.fields, endsStream: body.isEmpty)
            guard !body.isEmpty else { return stream }
            var bytes = ByteQueue(body)
            session.send(body.count, from: &bytes, on: stream)
            try session.finish(stream)
            return stream
        } catch  where error.code == .refusedStream {
            refusal = .unprocessed
            throw .lost(error.detail, during: "before the request was sent")
        } catch {
            throw ClientFailure(.badURL, check: "request", "the request cannot be sent: \(error)")
        }
    }

    /// Lets the session read the bytes that have come, and takes its events.
    private func read(
        _ session: HTTP2Session,
        _ reception: inout StreamReception,
        _ interim: (ResponseHead) -> Void
    ) throws(ClientFailure) {
        repeat {
            if !plain.isEmpty { session.receive(&plain, at: line.clock.now()) }
            while let event = session.nextEvent() {
                if let head = try reception.take(event, from: session) { interim(head) }
            }
        } while !plain.isEmpty
    }

    /// Sends frames, as far as the server has given credit for them.
    ///
    /// - Parameters:
    ///   - session: The connection's HTTP/2.
    ///   - isWritable: Set to `false` if the server has closed; it may have sent the reason before.
    ///   - loop: The loop.
    /// - Returns: Whether there was anything to send.
    /// - Throws: ``ClientFailure`` if the line is silent, or the fetch was cancelled.
    private func flush(
        _ session: HTTP2Session,
        _ isWritable: inout Bool,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Bool {
        var hasSent = false
        while isWritable, session.hasOutput {
            var frames = ByteQueue()
            session.write(into: &frames, limit: Self.frameBatch)
            guard !frames.isEmpty else { break }
            hasSent = true
            switch try await send(&frames, on: loop) {
            case .ready: break
            case .broken: isWritable = false
            case let event: throw lost(event, "while the request was sent")
            }
        }
        return hasSent
    }

    private static func unanswered(_ goAway: String?) -> ClientFailure {
        ClientFailure(
            .networkConnectionLost,
            check: "HTTP/2",
            "the server closed the connection without a response" + (goAway.map { ": \($0)" } ?? "")
        )
    }
}
