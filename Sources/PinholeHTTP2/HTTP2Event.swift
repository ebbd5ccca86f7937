package import PinholeModel

/// An event on a connection of HTTP/2.
///
/// Events are delivered in the order in which they happened.
///
/// Field lists contain every field as it was received, including pseudo-fields (`:method`) and duplicates.
package enum HTTP2Event: Sendable, Equatable {
    /// The endpoint that reset a stream.
    package enum ResetOrigin: Sendable, Equatable {
        /// The peer reset the stream by RST_STREAM.
        case peer
        /// The engine reset the stream because the peer broke a rule on it.
        case engine
    }

    /// A client sent the head of a request.
    case request(HTTP2StreamID, HeaderFields, endsStream: Bool)
    /// A client sent the head of a request that breaks a rule. The engine resets the stream.
    ///
    /// The fields are the first ones of the head, as far as they were kept before the fault was found. The text names
    /// the rule. A ``reset(_:_:by:detail:)`` follows.
    indirect case requestRefused(HTTP2StreamID, HeaderFields, detail: String)
    /// A client opened a stream beyond the limit before it could know the limit. The engine refuses the stream.
    ///
    /// No part of its head is kept, and no other event follows for this stream.
    case streamDeclined(HTTP2StreamID)
    /// A server sent an interim response (1xx).
    case informational(HTTP2StreamID, HeaderFields)
    /// A server sent the head of the final response.
    case response(HTTP2StreamID, HeaderFields, endsStream: Bool)
    /// This number of bytes was appended to the stream's inbound queue.
    case data(HTTP2StreamID, Int)
    /// Trailer fields were received; ``ended(_:)`` follows.
    case trailers(HTTP2StreamID, HeaderFields)
    /// The peer will send nothing more on this stream (END_STREAM). The event follows a head, data or trailers.
    case ended(HTTP2StreamID)
    /// The stream was reset: nothing more is received or sent.
    ///
    /// If a server resets its response, bytes of the response may still wait in the inbound queue. A caller that does
    /// not want them calls ``HTTP2Session/discard(_:)``. After a ``requestRefused(_:_:detail:)``, the stream may be
    /// one for which there was no ``request(_:_:endsStream:)``.
    indirect case reset(HTTP2StreamID, HTTP2ErrorCode, by: ResetOrigin, detail: String)
    /// The server did not process the request at all, so it may be sent again.
    ///
    /// The server reset the stream with REFUSED_STREAM, or sent GOAWAY with a lower last stream.
    case refused(HTTP2StreamID)
    /// Both sides have ended the stream, its inbound queue is empty, and the engine has forgotten it.
    case closed(HTTP2StreamID)
    /// The outbound queue was above the high-water mark and has now fallen to the low-water mark.
    case drained(HTTP2StreamID)
    /// The peer announced settings. The value contains all of its current settings.
    indirect case settings(HTTP2Settings)
    /// The peer accepts no stream with a number above `last` any more.
    indirect case goAway(last: HTTP2StreamID, HTTP2ErrorCode, debugData: [UInt8])
    /// The peer sent a frame of an extension.
    indirect case extensionFrame(HTTP2ExtensionFrame)
    /// The connection failed, and every stream with it. GOAWAY waits in the output.
    indirect case failed(HTTP2Failure)
}
