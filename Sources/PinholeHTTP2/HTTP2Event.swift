package import PinholeModel

/// What happened on a connection of HTTP/2, in the order in which it did.
///
/// Field lists hold every field as it came, pseudo-fields (`:method`) included, duplicates kept.
package enum HTTP2Event: Sendable, Equatable {
    /// Who reset a stream.
    package enum ResetOrigin: Sendable, Equatable {
        /// The peer, by RST_STREAM.
        case peer
        /// The engine, since the peer broke a rule on that stream.
        case engine
    }

    /// A client sent the head of a request.
    case request(HTTP2StreamID, HeaderFields, endsStream: Bool)
    /// A client sent the head of a request that breaks a rule; its stream is reset.
    ///
    /// The fields are those that were read before that was known, as far as they are kept; the text says which
    /// rule. A ``reset(_:_:by:detail:)`` follows.
    case requestRefused(HTTP2StreamID, HeaderFields, detail: String)
    /// A client opened more streams than it may, before it can have known how many; this one is refused.
    ///
    /// Nothing of its head is kept, and nothing else is said of it.
    case streamDeclined(HTTP2StreamID)
    /// A server sent an interim response (1xx).
    case informational(HTTP2StreamID, HeaderFields)
    /// A server sent the head of the final response.
    case response(HTTP2StreamID, HeaderFields, endsStream: Bool)
    /// So many bytes were appended to the stream's inbound queue.
    case data(HTTP2StreamID, Int)
    /// Trailer fields came; ``ended(_:)`` follows.
    case trailers(HTTP2StreamID, HeaderFields)
    /// The peer sends nothing more on this stream (END_STREAM), after a head, data or trailers.
    case ended(HTTP2StreamID)
    /// The stream is reset: nothing more comes or goes.
    ///
    /// Of a response that its server has reset there may be bytes to take still; who wants none of them calls
    /// ``HTTP2Session/discard(_:)``. It may name a stream that no ``request(_:_:endsStream:)`` announced, after a
    /// ``requestRefused(_:_:detail:)``.
    case reset(HTTP2StreamID, HTTP2ErrorCode, by: ResetOrigin, detail: String)
    /// The server did not process the request at all, so it may be sent again.
    ///
    /// It reset the stream with REFUSED_STREAM, or said GOAWAY with a lower last stream.
    case refused(HTTP2StreamID)
    /// Both halves are done, and the inbound queue is empty; the engine has forgotten the stream.
    case closed(HTTP2StreamID)
    /// The outbound queue has fallen to the low water mark, after it was above the high one.
    case drained(HTTP2StreamID)
    /// The peer announced settings; these are all of its current ones.
    case settings(HTTP2Settings)
    /// The peer takes no stream above `last` any more.
    case goAway(last: HTTP2StreamID, HTTP2ErrorCode, debugData: [UInt8])
    /// A client changed the priority of a stream (RFC 9218 §7); the bytes are its priority field value.
    case priorityUpdate(HTTP2StreamID, [UInt8])
    /// The connection is over, and every stream with it; GOAWAY waits in the output.
    case failed(HTTP2Failure)
}
