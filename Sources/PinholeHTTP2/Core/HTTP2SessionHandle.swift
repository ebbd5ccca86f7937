import CNghttp2
import PinholeModel

/// Owns an `nghttp2_session` and the channel that its callbacks write to.
final class HTTP2SessionHandle {
    let session: OpaquePointer
    let channel: UnsafeMutablePointer<HTTP2Channel>
    /// Where bodies come from; the library copies it.
    let provider: UnsafeMutablePointer<nghttp2_data_provider>

    /// Creates a session whose SETTINGS are not sent yet.
    init(isServer: Bool, settings: HTTP2Settings, limits: HTTP2Limits) {
        channel = .allocate(capacity: 1)
        channel.initialize(to: HTTP2Channel(isServer: isServer, settings: settings, limits: limits))
        provider = .allocate(capacity: 1)
        provider.initialize(
            to: nghttp2_data_provider(source: nghttp2_data_source(), read_callback: HTTP2Callbacks.readBody)
        )
        let callbacks = HTTP2Callbacks.make()
        let options = Self.options(limits)
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
        self.session = session
    }

    deinit {
        nghttp2_session_del(session)
        channel.deinitialize(count: 1)
        channel.deallocate()
        provider.deallocate()
    }

    private static func options(_ limits: HTTP2Limits) -> OpaquePointer? {
        var options: OpaquePointer?
        nghttp2_option_new(&options)
        // Credit goes back as the bytes are passed on, not as they come.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // Closed streams would be kept for the tree of RFC 7540's priorities, which we do not take part in.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_send_header_block_length(options, 4 * limits.headBytes)
        // The channel counts the frames of heads that are read. The library counts those of heads that it
        // skips, each up to ten times: once for every piece in which its nine first bytes come.
        nghttp2_option_set_max_continuations(options, 10 * limits.continuations)
        // The library's own guard reads a clock; ours is told the time.
        nghttp2_option_set_stream_reset_rate_limit(options, .max, .max)
        nghttp2_option_set_builtin_recv_extension_type(options, UInt8(NGHTTP2_PRIORITY_UPDATE.rawValue))
        return options
    }
}
