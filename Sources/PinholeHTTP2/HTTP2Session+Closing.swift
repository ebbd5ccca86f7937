import CNghttp2

/// The graceful end of a connection (RFC 9113 §6.8).
extension HTTP2Session {
    /// Tells a client that the connection will end; requests that are already on the way are still accepted.
    ///
    /// This is the first step of a graceful end. Call ``goAway(_:debugData:)`` one round trip later.
    package func announceShutdown() {
        guard role == .server, failure == nil else { return }
        begin()
        nghttp2_submit_shutdown_notice(session)
    }

    /// Accepts no new streams.
    ///
    /// Open streams continue, and ``isFinished`` becomes true when the last one has ended.
    ///
    /// From now on, no response waits for the end of its request.
    ///
    /// - Parameters:
    ///   - code: The error code that the peer receives.
    ///   - debugData: An explanation for people.
    package func goAway(_ code: HTTP2ErrorCode = .noError, debugData: [UInt8] = []) {
        guard failure == nil else { return }
        begin()
        channel.pointee.releaseBodies(session)
        nghttp2_submit_goaway(
            session,
            0,
            questions.lastProcessed,
            code.rawValue,
            debugData,
            debugData.count
        )
    }
}
