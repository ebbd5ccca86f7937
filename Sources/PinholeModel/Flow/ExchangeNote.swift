/// A remark about an exchange, such as a change by the proxy beyond removing hop-by-hop fields.
package enum ExchangeNote: String, Sendable, Codable, CaseIterable {
    /// The proxy removed the response's Alt-Svc, which would lead the client past the proxy.
    case altSvcRemoved
    /// The server connection had been used before.
    case connectionReused
    /// The request was sent again, because the reused connection turned out to be closed.
    case retried
    /// The connection became a relay (101 Switching Protocols).
    case upgraded
    /// The server answered before the request was complete.
    case answeredEarly
    /// The exchange became a WebSocket, whose messages are recorded.
    case webSocket
    /// A side broke the WebSocket protocol; after that its bytes were relayed unread.
    case webSocketBroken
    /// More interim responses passed than are recorded.
    case interimLeftOut
    /// Rules acted on the exchange; ``ExchangeRecord/rules`` lists them.
    case ruled
    /// The request was sent with the proxy's name in Via, to detect a loop.
    ///
    /// The proxy does so when many requests wait for the server: if the request came back, it went in a circle.
    case viaAdded
    /// The server asked for a client certificate in the handshake, got none, and answered with an error.
    case clientCertificateMissing
    /// The request has a Host that names another server than its target (RFC 9112 §3.2.2).
    ///
    /// The target decided where the request went; the server got the client's Host.
    case hostDiffers
    /// The answer had a malformed status line (RFC 9112 §4).
    case answerStatusLine
    /// The answer had lines that ended with a bare LF, or that contained a bare CR (RFC 9112 §2.2).
    case answerLineEnds
    /// The answer had field names that are no token, or white space before a colon (RFC 9112 §5.1).
    case answerFieldNames
    /// The answer had field lines that were folded (RFC 9112 §5.2).
    case answerFolding
    /// The answer had control characters in a field value or the reason phrase (RFC 9110 §5.5).
    case answerControls
    /// The answer had a Transfer-Encoding that is repeated, obsolete or not allowed there (RFC 9112 §6.1).
    case answerTransferEncoding
    /// The answer had a Content-Length that is repeated, or not allowed there (RFC 9112 §6.2 and §6.3).
    case answerContentLength
    /// The answer had malformed chunk-size lines (RFC 9112 §7.1).
    case answerChunks
    /// The answer had trailer fields that only a head may have (RFC 9110 §6.5.1).
    case answerTrailers
    /// The server sent bytes behind its answer that no request asked for (RFC 9112 §9.2).
    case answerExcess
}

extension ExchangeNote {
    /// The notes about an answer that broke a rule of HTTP/1 and was rewritten, so that one reading is left.
    package static let sloppy: [ExchangeNote] = allCases.filter { $0.brokenRule != nil }

    /// The rule that the server's response broke, and what the client got instead; `nil` for any other note.
    package var brokenRule: String? {
        switch self {
        case .answerStatusLine: "RFC 9112 §4: its status line was malformed, and was written anew"
        case .answerLineEnds:
            "RFC 9112 §2.2: lines ended with LF alone, or contained a CR; the client got CRLF, and spaces for CR"
        case .answerFieldNames:
            """
            RFC 9112 §5.1: a space before a colon, which was removed, or a header with a forbidden character in its \
            name, which was left out
            """
        case .answerFolding: "RFC 9112 §5.2: a header was folded over several lines, and was joined"
        case .answerControls: "RFC 9110 §5.5: a header contained control characters; the client got spaces"
        case .answerTransferEncoding:
            "RFC 9112 §6.1: its Transfer-Encoding was repeated, obsolete or not allowed; it was written anew"
        case .answerContentLength:
            "RFC 9112 §6.3: its Content-Length was repeated or not allowed; it was written once or left out"
        case .answerChunks: "RFC 9112 §7.1: its chunk sizes were malformed, and were written anew"
        case .answerTrailers:
            "RFC 9110 §6.5.1: a trailer was a header that may not follow a body, and was left out"
        case .answerExcess: "RFC 9112 §9.2: bytes followed that belong to no response, and were dropped"
        case .altSvcRemoved, .connectionReused, .retried, .upgraded, .answeredEarly, .webSocket,
            .webSocketBroken, .interimLeftOut, .ruled, .viaAdded, .clientCertificateMissing, .hostDiffers:
            nil
        }
    }

    /// A sentence about the note, for users; `nil` if its name says everything.
    package var explanation: String? {
        if self == .hostDiffers {
            return
                "Host names another server than the target, which was asked and got this Host (RFC 9112 §3.2.2)"
        }
        return brokenRule.map { "the server's response broke \($0)" }
    }
}
