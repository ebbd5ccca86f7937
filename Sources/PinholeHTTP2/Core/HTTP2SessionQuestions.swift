import CNghttp2

// Every question to nghttp2 about a session stands in this file, beside the condition under which its documentation
// allows it. RepositoryTests checks that no other file calls these functions.

/// The questions about a session that nghttp2 answers from its creation to its end, inside of callbacks too.
///
/// The end is `nghttp2_session_del`, or a fatal error: after one, nghttp2 allows no call but that (`NGHTTP2_ERR_FATAL`).
/// ``HTTP2SessionHandle`` then replaces the session, so the session of a handle can always be asked.
struct HTTP2SessionQuestions {
    private let session: OpaquePointer

    init(_ session: OpaquePointer) { self.session = session }

    /// Whether the code that a function returned is a fatal error.
    static func isFatal(_ code: Int32) -> Bool { code < NGHTTP2_ERR_FATAL.rawValue }

    /// Whether the session has frames to send, flow control permitting.
    var wantsToWrite: Bool { nghttp2_session_want_write(session) != 0 }

    /// Whether the session expects more of the peer.
    var wantsToRead: Bool { nghttp2_session_want_read(session) != 0 }

    /// Whether frames other than DATA wait; nghttp2 makes DATA only when it is asked for the next frame.
    var hasControlFrames: Bool { nghttp2_session_get_outbound_queue_size(session) > 0 }

    /// Whether a client may open a stream; `false` in a server, and when the connection is shutting down.
    var allowsRequests: Bool { nghttp2_session_check_request_allowed(session) != 0 }

    /// The highest stream of the peer that was processed; 0 if there is none.
    var lastProcessed: Int32 { nghttp2_session_get_last_proc_stream_id(session) }

    /// Whether a stream exists; the head of a request that waits in a queue has made none yet.
    func hasStream(_ id: Int32) -> Bool { nghttp2_session_find_stream(session, id) != nil }

    /// The flow-control window that the peer gives a stream, at least 0; `nil` if the stream does not exist.
    func window(ofPeerOn id: Int32) -> Int? {
        let window = nghttp2_session_get_stream_remote_window_size(session, id)
        return window < 0 ? nil : Int(window)
    }

    /// The flow-control window that the peer gives the connection.
    var windowOfPeer: Int { Int(nghttp2_session_get_remote_window_size(session)) }

    /// Returns a setting of the peer; before its SETTINGS came, the initial value of RFC 9113.
    ///
    /// Condition: `id` is a setting that nghttp2 knows; any other ends the process.
    func setting(_ id: nghttp2_settings_id) -> UInt32 { nghttp2_session_get_remote_settings(session, id) }
}
