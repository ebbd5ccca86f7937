import CNghttp2

/// Owns an `nghttp2_session` and the channel to which its callbacks write.
final class HTTP2SessionHandle {
    private(set) var session: OpaquePointer
    let channel: UnsafeMutablePointer<HTTP2Channel>
    /// The source of bodies, which the library copies.
    let provider: UnsafeMutablePointer<nghttp2_data_provider>

    /// Creates a session that has not sent its SETTINGS yet.
    init(isServer: Bool, settings: HTTP2Settings, limits: HTTP2Limits) {
        channel = .allocate(capacity: 1)
        channel.initialize(to: HTTP2Channel(isServer: isServer, settings: settings, limits: limits))
        provider = .allocate(capacity: 1)
        provider.initialize(
            to: nghttp2_data_provider(source: nghttp2_data_source(), read_callback: HTTP2Callbacks.readBody)
        )
        session = Self.make(isServer: isServer, channel)
    }

    /// Deletes the session after a fatal error, since nghttp2 allows no other call on it, and makes one without streams.
    ///
    /// The new session is a server's, which has no preface of its own, and only carries the GOAWAY.
    func replaceSession() {
        nghttp2_session_del(session)
        session = Self.make(isServer: true, channel)
    }

    deinit {
        nghttp2_session_del(session)
        channel.deinitialize(count: 1)
        channel.deallocate()
        provider.deallocate()
    }

    private static func make(
        isServer: Bool,
        _ channel: UnsafeMutablePointer<HTTP2Channel>
    ) -> OpaquePointer {
        let callbacks = HTTP2Callbacks.make()
        let options = options(channel.pointee.limits)
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        var session: OpaquePointer?
        if isServer {
            nghttp2_session_server_new2(&session, callbacks, channel, options)
        } else {
            nghttp2_session_client_new2(&session, callbacks, channel, options)
        }
        guard let session else { fatalError("there is no memory for a session of HTTP/2") }
        return session
    }

    private static func options(_ limits: HTTP2Limits) -> OpaquePointer? {
        var options: OpaquePointer?
        nghttp2_option_new(&options)
        // Credit goes back to the peer when bytes are passed on, not when they arrive.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // The library would keep closed streams for the priority tree of RFC 7540, which we do not use.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_send_header_block_length(options, 4 * limits.headBytes)
        // The channel counts the CONTINUATION frames of heads that are read. The library counts those of heads that it
        // skips, each up to ten times: once for every piece in which the nine bytes of the frame's head arrive.
        nghttp2_option_set_max_continuations(options, 10 * limits.continuations)
        // The library's own guard reads a clock, but the engine gets the time as a parameter.
        nghttp2_option_set_stream_reset_rate_limit(options, .max, .max)
        for type in HTTP2ExtensionFrame.types {
            nghttp2_option_set_builtin_recv_extension_type(options, UInt8(type.rawValue))
        }
        return options
    }
}
