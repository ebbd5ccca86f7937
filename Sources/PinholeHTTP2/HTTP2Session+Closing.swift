import CNghttp2

/// How a connection is brought to its end (RFC 9113 §6.8).
extension HTTP2Session {
    /// Tells a client that the end is near; streams that are on their way are still taken.
    ///
    /// It is the first step of a graceful end: call ``goAway(_:debugData:)`` a round trip later.
    package func announceShutdown() {
        guard role == .server, failure == nil else { return }
        nghttp2_submit_shutdown_notice(session)
    }

    /// Takes no new streams; those that are open go on, and ``isFinished`` becomes true with the last one.
    ///
    /// No response waits for the end of its request any more.
    ///
    /// - Parameters:
    ///   - code: Why.
    ///   - debugData: More about it, for people.
    package func goAway(_ code: HTTP2ErrorCode = .noError, debugData: [UInt8] = []) {
        guard failure == nil else { return }
        channel.pointee.releaseBodies(session)
        nghttp2_submit_goaway(
            session,
            0,
            nghttp2_session_get_last_proc_stream_id(session),
            code.rawValue,
            debugData,
            debugData.count
        )
    }
}
