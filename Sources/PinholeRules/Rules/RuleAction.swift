/// What a rule does.
package enum RuleAction: Sendable, Equatable {
    /// How an exchange is blocked.
    package enum Block: Sendable, Equatable {
        /// By an answer with this status.
        case status(Int)
        /// By closing the connection without an answer; in HTTP/2 the stream, with CANCEL.
        case close
        /// By resetting the connection; in HTTP/2 the stream, with INTERNAL_ERROR.
        case reset

        /// The status of a rule that names none.
        static let usualStatus = 403
    }

    /// Answers with a status, or not at all.
    case block(Block)
    /// Answers with this.
    case mock(MockAnswer)
    /// Answers with files.
    case mapLocal(LocalMap)
    /// Answers from a capture.
    case replay(CaptureReplay)
    /// Asks another server.
    case mapRemote(RemoteMap)
    /// Answers with a redirection; `$1` in the location is what a group of the expression matched in the URL.
    case redirect(Redirection)
    /// Changes the request.
    case rewriteRequest(RequestEdit)
    /// Changes the response.
    case rewriteResponse(ResponseEdit)
    /// Removes what validates and allows a cache, on both sides.
    case noCaching
    /// Sends this as Authorization.
    case setAuthentication(String)
    /// Sends no Authorization.
    case removeAuthentication
    /// Waits before the request is sent on.
    case delay(Duration)
    /// Makes the exchange, or the tunnel, as slow as a worse connection would.
    case throttle(Throttling)
    /// Passes messages of WebSockets on to nobody.
    case dropMessage(MessageMatch)
    /// Changes messages of WebSockets.
    case rewriteMessage(MessageRewrite)
    /// Sends messages of its own in WebSockets.
    case injectMessage(MessageInjection)
    /// Holds messages for somebody to decide about them.
    case breakpoint(Breakpoint)
    /// Asks a program what becomes of messages.
    case askProgram(ProgramCall)

    /// Whether it has something to do when a request is there.
    package var changesRequest: Bool {
        switch self {
        case .rewriteResponse, .dropMessage, .rewriteMessage, .injectMessage: false
        case .breakpoint(let breakpoint): breakpoint.stage != .response
        case .askProgram(let call): call.requestPoint != nil
        case .block, .mock, .mapLocal, .replay, .mapRemote, .redirect, .rewriteRequest, .noCaching,
            .setAuthentication, .removeAuthentication, .delay, .throttle:
            true
        }
    }

    /// Whether it has something to do when a response is there.
    package var changesResponse: Bool {
        switch self {
        case .rewriteResponse, .noCaching: true
        case .breakpoint(let breakpoint): breakpoint.stage != .request
        case .askProgram(let call): call.responsePoint != nil
        case .block, .mock, .mapLocal, .replay, .mapRemote, .redirect, .rewriteRequest, .setAuthentication,
            .removeAuthentication, .delay, .throttle, .dropMessage, .rewriteMessage, .injectMessage:
            false
        }
    }

    /// The kind.
    package var kind: RuleKind {
        switch self {
        case .block: .block
        case .mock: .mock
        case .mapLocal: .mapLocal
        case .replay: .replay
        case .mapRemote: .mapRemote
        case .redirect: .redirect
        case .rewriteRequest: .rewriteRequest
        case .rewriteResponse: .rewriteResponse
        case .noCaching: .noCaching
        case .setAuthentication: .setAuthentication
        case .removeAuthentication: .removeAuthentication
        case .delay: .delay
        case .throttle: .throttle
        case .dropMessage: .dropMessage
        case .rewriteMessage: .rewriteMessage
        case .injectMessage: .injectMessage
        case .breakpoint: .breakpoint
        case .askProgram: .askProgram
        }
    }
}
