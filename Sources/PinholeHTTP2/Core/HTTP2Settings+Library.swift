import CNghttp2

extension HTTP2Settings {
    /// Creates the settings that the peer of a session has announced.
    init(remoteOf session: OpaquePointer) {
        func value(_ id: nghttp2_settings_id) -> UInt32 { HTTP2SessionQuestions(session).setting(id) }
        func bounded(_ id: nghttp2_settings_id) -> UInt32? { value(id) == .max ? nil : value(id) }
        self.init()
        headerTableSize = value(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE)
        maxConcurrentStreams = bounded(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        initialWindowSize = value(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE)
        maxFrameSize = value(NGHTTP2_SETTINGS_MAX_FRAME_SIZE)
        maxHeaderListSize = bounded(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)
        enableConnectProtocol = value(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) == 1
    }

    /// Returns the parameters that differ from those of `other`.
    func entries(differingFrom other: HTTP2Settings) -> [nghttp2_settings_entry] {
        var entries: [nghttp2_settings_entry] = []
        func add(_ id: nghttp2_settings_id, _ value: UInt32, _ before: UInt32) {
            guard value != before else { return }
            entries.append(nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: value))
        }
        add(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, headerTableSize, other.headerTableSize)
        add(
            NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,
            maxConcurrentStreams ?? .max,
            other.maxConcurrentStreams ?? .max
        )
        add(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, initialWindowSize, other.initialWindowSize)
        add(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, maxFrameSize, other.maxFrameSize)
        add(
            NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
            maxHeaderListSize ?? .max,
            other.maxHeaderListSize ?? .max
        )
        add(
            NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL,
            enableConnectProtocol ? 1 : 0,
            other.enableConnectProtocol ? 1 : 0
        )
        return entries
    }
}
