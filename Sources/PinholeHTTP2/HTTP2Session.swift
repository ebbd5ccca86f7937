import CNghttp2
package import PinholeModel

/// Speaks HTTP/2 (RFC 9113) with one peer: plain bytes in and out of queues, no descriptor and no waiting.
///
/// Call ``receive(_:at:)`` with what came, ask ``nextEvent()`` until it has none, act by the verbs, and take
/// what is to be sent with ``write(into:limit:)``. Then ask for events again: writing makes some. It is a class
/// because a connection has an identity: the library's callbacks point to it.
package final class HTTP2Session {
    /// Which end we are.
    package enum Role: Sendable, Equatable {
        /// We answer: the peer is a client.
        case server
        /// We ask: the peer is a server.
        case client
    }

    /// Which end we are.
    package let role: Role
    /// The numbers that hold the peer back.
    package let limits: HTTP2Limits
    /// What we have announced.
    package private(set) var localSettings: HTTP2Settings

    private let handle: HTTP2SessionHandle
    /// Frames that are ready to go.
    private var pending = ByteQueue()

    /// How much input is taken before the limits are looked at.
    private static let stride = 16 << 10

    /// Creates the engine of a new connection; its preface waits in the output.
    ///
    /// - Parameters:
    ///   - role: Which end we are.
    ///   - settings: What is announced to the peer; `nil` for what `limits` say.
    ///   - limits: The numbers that hold the peer back.
    package init(_ role: Role, settings: HTTP2Settings? = nil, limits: HTTP2Limits = HTTP2Limits()) {
        let settings = settings ?? HTTP2Settings(limits: limits)
        self.role = role
        self.limits = limits
        localSettings = settings
        handle = HTTP2SessionHandle(isServer: role == .server, settings: settings, limits: limits)
        var entries = settings.entries(differingFrom: HTTP2Settings())
        // Pushed responses would have nowhere to go (RFC 9113 §8.4); priorities are those of RFC 9218.
        if role == .client {
            entries.append(.init(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
        }
        entries.append(.init(settings_id: Int32(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue), value: 1))
        nghttp2_submit_settings(session, 0, entries, entries.count)
        nghttp2_session_set_local_window_size(session, 0, 0, Int32(clamping: limits.connectionWindow))
    }

    var session: OpaquePointer { handle.session }

    var channel: UnsafeMutablePointer<HTTP2Channel> { handle.channel }

    var provider: UnsafeMutablePointer<nghttp2_data_provider> { handle.provider }

    /// Takes what came from the peer.
    ///
    /// It leaves input behind only while ``HTTP2Limits/waitingEventBytes`` of events wait: take them, and call
    /// again. After a failure everything is dropped.
    ///
    /// - Parameters:
    ///   - input: Bytes from the peer; what is used is consumed.
    ///   - now: The time.
    package func receive(_ input: inout ByteQueue, at now: Timestamp) {
        channel.pointee.now = now
        channel.pointee.floods.refill(at: now)
        while !input.isEmpty, failure == nil, channel.pointee.events.weight < limits.waitingEventBytes {
            let count = min(input.count, Self.stride)
            let result = input.bytes.withUnsafeBytes {
                nghttp2_session_mem_recv(session, $0.baseAddress, count)
            }
            if result < 0 {
                end(libraryCode: Int32(result))
            } else {
                input.consume(result)
            }
            makeControlFrames()
            holdToLimits()
        }
        if failure != nil { input.removeAll() }
    }

    /// The oldest event that was not asked for yet.
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
                .goAway, .priorityUpdate, .failed:
                break
            }
            return event
        }
        return nil
    }

    /// Writes frames for the peer.
    ///
    /// - Parameters:
    ///   - output: Receives the frames.
    ///   - limit: Stops once `output` holds that many bytes (it may pass it by one frame).
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

    /// Whether there is something to write.
    package var hasOutput: Bool { !pending.isEmpty || nghttp2_session_want_write(session) != 0 }

    /// The bytes that wait on streams in both directions, and those of frames that are ready to be sent.
    package var queued: Int {
        channel.pointee.unreleased + channel.pointee.outboundBytes + pending.count
    }

    /// Whether memory is short: windows do not grow, and only bytes that were passed on give the peer credit.
    package var isShort: Bool {
        get { channel.pointee.isShort }
        set {
            channel.pointee.isShort = newValue
            channel.pointee.noteMarks()
            settleCredit()
        }
    }

    /// Whether the connection has nothing more to say, and expects nothing more: it may be closed.
    package var isFinished: Bool {
        pending.isEmpty && nghttp2_session_want_write(session) == 0
            && (failure != nil || nghttp2_session_want_read(session) == 0)
    }

    /// Why the connection is over, if it failed.
    package var failure: HTTP2Failure? { channel.pointee.failure }

    /// The number of streams that the engine knows.
    package var activeStreams: Int { channel.pointee.streams.count }

    /// The streams that the engine knows, in the order in which they were opened.
    package var streams: [HTTP2StreamID] { channel.pointee.streams.ids.map(HTTP2StreamID.init) }

    /// What the peer has announced; before it did, the values of RFC 9113, and 100 streams.
    package var remoteSettings: HTTP2Settings { HTTP2Settings(remoteOf: session) }

    /// Announces other settings than before.
    ///
    /// - Parameter settings: All of them; those that differ are sent.
    package func announce(_ settings: HTTP2Settings) {
        let entries = settings.entries(differingFrom: localSettings)
        guard !entries.isEmpty else { return }
        localSettings = settings
        nghttp2_submit_settings(session, 0, entries, entries.count)
    }

    /// Ends the connection, unless it is over, and leaves GOAWAY in the output.
    func end(_ code: HTTP2ErrorCode, _ detail: String) {
        channel.pointee.fail(code, detail)
        nghttp2_session_terminate_session(session, code.rawValue)
        makeControlFrames()
    }

    /// Gives credit of the connection back that was held back, once little enough waits.
    func settleCredit() {
        guard channel.pointee.withheld > 0, channel.pointee.unreleased <= channel.pointee.waitingLimit else {
            return
        }
        nghttp2_session_consume_connection(session, channel.pointee.withheld)
        channel.pointee.withheld = 0
    }

    /// Makes the frames that the library owes the peer, and so learns at once whether it gave up.
    private func makeControlFrames() {
        while nghttp2_session_get_outbound_queue_size(session) > 0, let frame = nextFrame() {
            pending.append(frame)
        }
    }

    private func nextFrame() -> UnsafeBufferPointer<UInt8>? {
        var bytes: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &bytes)
        guard count > 0 else { return nil }
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

    /// Forgets a closed stream; `false` when bytes wait for the reader, whose taking them closes it.
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

    /// Drops what waits on a stream that was reset.
    ///
    /// Of a response that its server has reset the reader gets what came: it may be all of it (RFC 9113 §8.1).
    private func dropInbound(of stream: HTTP2StreamID) {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        channel.pointee.streams[index].inbound = ByteQueue()
    }
}
