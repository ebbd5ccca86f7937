import CNghttp2
package import PinholeModel

/// An engine that speaks HTTP/2 (RFC 9113) with one peer: plain bytes in, and plain bytes out.
///
/// The engine has no socket and never waits. Pass received bytes to ``receive(_:at:)`` and call ``nextEvent()`` until
/// it returns `nil`. Answer by the functions that send messages, and take the output with ``write(into:limit:)``. Then
/// ask for events again, because writing makes some. The engine is a class because the library's callbacks point to
/// it.
package final class HTTP2Session {
    /// The end of the connection that the engine represents.
    package enum Role: Sendable, Equatable {
        /// We are the server: the peer is a client.
        case server
        /// We are the client: the peer is a server.
        case client
    }

    /// The end of the connection that this engine represents.
    package let role: Role
    /// The limits on what the peer may cost.
    package let limits: HTTP2Limits
    /// The settings that we have announced.
    package private(set) var localSettings: HTTP2Settings

    private let handle: HTTP2SessionHandle
    /// The highest stream of the peer in a session that was deleted after a fatal error; 0 if there is none.
    private var lastOfDeleted: Int32 = 0
    /// Whether the preface is in the output, or was.
    private var hasBegun = false
    /// Frames that are ready to be written.
    private var pending = ByteQueue()

    /// The number of input bytes that are processed before the limits are checked.
    private static let stride = 16 << 10

    /// Creates the engine of a new connection.
    ///
    /// - Parameters:
    ///   - role: The end of the connection that the engine represents.
    ///   - settings: The settings to announce; `nil` if they follow from `limits`.
    ///   - limits: The limits on what the peer may cost.
    ///   - begins: Whether the preface waits in the output at once; if not, ``begin()`` puts it there.
    package init(
        _ role: Role,
        settings: HTTP2Settings? = nil,
        limits: HTTP2Limits = HTTP2Limits(),
        begins: Bool = true
    ) {
        let settings = settings ?? HTTP2Settings(limits: limits)
        self.role = role
        self.limits = limits
        localSettings = settings
        handle = HTTP2SessionHandle(isServer: role == .server, settings: settings, limits: limits)
        if begins { begin() }
    }

    /// Puts the preface into the output, with the settings of this moment (RFC 9113 §3.4).
    ///
    /// The first input, and the first message of the caller, do that, too. Later calls have no effect.
    package func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        var entries = localSettings.entries(differingFrom: HTTP2Settings())
        // There is nowhere to pass pushed responses to (RFC 9113 §8.4), and priorities are those of RFC 9218.
        if role == .client {
            entries.append(.init(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
        }
        entries.append(.init(settings_id: Int32(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue), value: 1))
        nghttp2_submit_settings(session, 0, entries, entries.count)
        nghttp2_session_set_local_window_size(session, 0, 0, Int32(clamping: limits.connectionWindow))
        // A fatal error deletes what the library has not given out, and a server's preface must be sent all the same (RFC
        // 9113 §3.4). A client has sent its own before an answer can be wrong.
        if role == .server { makeControlFrames() }
    }

    var session: OpaquePointer { handle.session }

    /// The questions to the library about the session.
    var questions: HTTP2SessionQuestions { HTTP2SessionQuestions(session) }

    var channel: UnsafeMutablePointer<HTTP2Channel> { handle.channel }

    var provider: UnsafeMutablePointer<nghttp2_data_provider> { handle.provider }

    /// Takes bytes from the peer.
    ///
    /// Input is left behind only while events of ``HTTP2Limits/waitingEventBytes`` wait; take them, and call again.
    /// After a failure all input is dropped.
    ///
    /// - Parameters:
    ///   - input: Bytes from the peer; those that were used are consumed.
    ///   - now: The time.
    package func receive(_ input: inout ByteQueue, at now: Timestamp) {
        begin()
        channel.pointee.now = now
        channel.pointee.floods.refill(at: now)
        while !input.isEmpty, failure == nil, channel.pointee.events.weight < limits.waitingEventBytes {
            let count = min(input.count, Self.stride)
            let result = handOver(input.bytes.extracting(first: count))
            if result < 0 { end(libraryCode: result) }
            input.consume(count)
            makeControlFrames()
            holdToLimits()
        }
        if failure != nil { input.removeAll() }
    }

    /// Returns the oldest event that was not taken yet; `nil` if there is none.
    package func nextEvent() -> HTTP2Event? {
        while let event = channel.pointee.events.next() {
            switch event {
            case .closed(let stream):
                guard forget(stream) else { continue }
            case .reset(let stream, _, let origin, _):
                if role == .server || origin == .engine { dropInbound(of: stream) }
            case .request, .requestRefused, .streamDeclined, .informational, .response, .data, .trailers,
                .ended, .refused,
                .drained, .settings,
                .goAway, .extensionFrame, .failed:
                break
            }
            return event
        }
        return nil
    }

    /// Writes frames for the peer.
    ///
    /// - Parameters:
    ///   - output: The queue that receives the frames.
    ///   - limit: The number of bytes in `output` at which writing stops; it may be exceeded by one frame.
    package func write(into output: inout ByteQueue, limit: Int) {
        if !pending.isEmpty {
            pending.move(pending.count, to: &output)
            pending.releaseIfEmpty()
            channel.pointee.owed = 0
        }
        withUnsafeMutablePointer(to: &output) { output in
            channel.pointee.output = output
            channel.pointee.outputLimit = limit
            defer { channel.pointee.output = nil }
            while output.pointee.count < limit, let frame = nextFrame() { output.pointee.append(frame) }
        }
    }

    /// Whether frames wait to be written.
    package var hasOutput: Bool { !pending.isEmpty || questions.wantsToWrite }

    /// The bytes that wait on streams in both directions, and those of frames that are ready to be sent.
    package var queued: Int {
        channel.pointee.unreleased + channel.pointee.outboundBytes + pending.count
    }

    /// Whether memory is short.
    ///
    /// If so, windows do not grow, and only bytes that were passed on give the peer credit.
    package var isShort: Bool {
        get { channel.pointee.isShort }
        set {
            channel.pointee.isShort = newValue
            channel.pointee.noteMarks()
            settleCredit()
        }
    }

    /// Whether the connection has nothing more to send or to receive, so that it may be closed.
    package var isFinished: Bool {
        pending.isEmpty && !questions.wantsToWrite && (failure != nil || !questions.wantsToRead)
    }

    /// The reason why the connection failed; `nil` if it did not.
    package var failure: HTTP2Failure? { channel.pointee.failure }

    /// The number of streams that exist in the engine.
    package var activeStreams: Int { channel.pointee.streams.count }

    /// The streams that exist in the engine, in the order in which they were opened.
    package var streams: [HTTP2StreamID] { channel.pointee.streams.ids.map(HTTP2StreamID.init) }

    /// The settings that the peer has announced; before that, the values of RFC 9113, and 100 streams.
    package var remoteSettings: HTTP2Settings { HTTP2Settings(remoteOf: session) }

    /// Announces changed settings; before ``begin()``, they become part of the preface.
    ///
    /// - Parameter settings: All settings; those that differ from the current ones are sent.
    package func announce(_ settings: HTTP2Settings) {
        guard hasBegun else {
            localSettings = settings
            return
        }
        let entries = settings.entries(differingFrom: localSettings)
        guard !entries.isEmpty else { return }
        localSettings = settings
        nghttp2_submit_settings(session, 0, entries, entries.count)
    }

    /// Ends the connection with an error, unless it has failed already, and leaves GOAWAY in the output.
    func end(_ code: HTTP2ErrorCode, _ detail: String) {
        channel.pointee.fail(code, detail)
        nghttp2_session_terminate_session2(
            session,
            max(questions.lastProcessed, lastOfDeleted),
            code.rawValue
        )
        makeControlFrames()
    }

    /// Gives withheld credit of the connection back to the peer, if few enough bytes wait.
    func settleCredit() {
        guard channel.pointee.withheld > 0, channel.pointee.unreleased <= channel.pointee.waitingLimit else {
            return
        }
        nghttp2_session_consume_connection(session, channel.pointee.withheld)
        channel.pointee.withheld = 0
    }

    /// Passes a piece of input to the library, and judges the frames in it that the library may skip.
    ///
    /// The library first takes everything before such a frame, because only then are the states of streams right.
    ///
    /// - Returns: The library's code, which is negative for a failure.
    private func handOver(_ bytes: Span<UInt8>) -> Int32 {
        var given = 0
        var scanned = 0
        channel.pointee.watch.settle()
        while let finding = channel.pointee.watch.next(in: bytes, from: &scanned) {
            channel.pointee.count(finding)
            if channel.pointee.watch.isSettled, channel.pointee.isOrdinary(finding) { continue }
            // The library acts on the last byte of the finding, so that byte is kept back.
            let code = give(bytes.extracting(given..<scanned - 1))
            guard code >= 0 else { return code }
            given = scanned - 1
            channel.pointee.watch.settle()
            makeControlFrames()
            guard failure == nil else { return 0 }
            channel.pointee.judge(finding, session)
            guard channel.pointee.violation == nil else { return 0 }
        }
        return give(bytes.extracting(droppingFirst: given))
    }

    private func give(_ bytes: Span<UInt8>) -> Int32 {
        guard !bytes.isEmpty else { return 0 }
        return bytes.withUnsafeBytes {
            Int32(truncatingIfNeeded: nghttp2_session_mem_recv(session, $0.baseAddress, $0.count))
        }
    }

    /// Makes the frames that the library owes the peer now, which also reveals at once whether the library gave up.
    private func makeControlFrames() {
        while questions.hasControlFrames, let frame = nextFrame() {
            pending.append(frame)
        }
    }

    private func nextFrame() -> UnsafeBufferPointer<UInt8>? {
        var bytes: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &bytes)
        guard count > 0 else {
            if count < 0 { end(libraryCode: Int32(clamping: count)) }
            return nil
        }
        return UnsafeBufferPointer(start: bytes, count: count)
    }

    private func holdToLimits() {
        guard failure == nil else { return }
        if let violation = channel.pointee.violation {
            end(violation.code, violation.detail)
        } else if let excess = channel.pointee.floods.excess {
            end(
                .enhanceYourCalm,
                "expected a peer with something to say, but a flood of \(excess.rawValue) came"
            )
        } else if channel.pointee.owed > limits.waitingControlBytes {
            end(
                .enhanceYourCalm,
                "expected a peer that reads what it asks for, but \(channel.pointee.owed) bytes of answers wait"
            )
        }
    }

    private func end(libraryCode: Int32) {
        if HTTP2SessionQuestions.isFatal(libraryCode) {
            handle.replaceSession()
            lastOfDeleted = role == .server ? channel.pointee.closed.latest : 0
        }
        switch nghttp2_error(libraryCode) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC:
            end(.protocolError, "expected the preface of HTTP/2 (RFC 9113 §3.4), but other bytes came")
        case NGHTTP2_ERR_FLOODED:
            end(.enhanceYourCalm, "expected a peer that reads what it asks for, but too many answers wait")
        case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS:
            end(
                .enhanceYourCalm,
                "expected at most \(limits.continuations) CONTINUATION frames in a head, but more came"
            )
        default:
            end(.internalError, String(cString: nghttp2_strerror(libraryCode)))
        }
    }

    /// Forgets a closed stream; returns `false` if received bytes wait.
    ///
    /// Taking those closes the stream later.
    private func forget(_ stream: HTTP2StreamID) -> Bool {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return true }
        guard channel.pointee.streams[index].inbound.isEmpty else {
            channel.pointee.streams[index].state.insert(.closeWaits)
            return false
        }
        channel.pointee.forget(at: index)
        settleCredit()
        return true
    }

    /// Drops the received bytes of a stream that was reset.
    ///
    /// The caller does not use this for a response that its server has reset: the bytes may be all of it (RFC 9113
    /// §8.1).
    private func dropInbound(of stream: HTTP2StreamID) {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        channel.pointee.streams[index].inbound = ByteQueue()
    }
}
