/// The action of a rule.
package enum RuleAction: Sendable, Equatable {
    /// The way to block an exchange.
    package enum Block: Sendable, Equatable {
        /// An answer with this status.
        case status(Int)
        /// The connection is closed without a response; in HTTP/2 the stream, with CANCEL.
        case close
        /// The connection is reset; in HTTP/2 the stream, with INTERNAL_ERROR.
        case reset

        /// The status if the rule names none.
        static let usualStatus = 403
    }

    /// Answers with a status, or ends the connection without a response.
    case block(Block)
    /// Answers with a fixed response.
    case mock(MockAnswer)
    /// Answers from a file or folder.
    case mapLocal(LocalMap)
    /// Answers from a capture.
    case replay(CaptureReplay)
    /// Sends the request to another server.
    case mapRemote(RemoteMap)
    /// Answers with a redirection. `$1` in the location stands for a group of the expression's match in the URL.
    case redirect(Redirection)
    /// Changes the request.
    case rewriteRequest(RequestEdit)
    /// Changes the response.
    case rewriteResponse(ResponseEdit)
    /// Removes the fields that permit and validate caching, on both sides.
    case noCaching
    /// Sets the value of Authorization.
    case setAuthentication(String)
    /// Removes Authorization.
    case removeAuthentication
    /// Delays the request before it is forwarded.
    case delay(Duration)
    /// Slows the exchange or the tunnel down, as a worse connection would.
    case throttle(Throttling)
    /// Drops messages of WebSockets.
    case dropMessage(MessageMatch)
    /// Changes messages of WebSockets.
    case rewriteMessage(MessageRewrite)
    /// Sends additional messages in WebSockets.
    case injectMessage(MessageInjection)
    /// Holds messages for a decision.
    case breakpoint(Breakpoint)
    /// Asks a program to decide about messages.
    case askProgram(ProgramCall)

    /// Whether the action applies to requests.
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

    /// Whether the action applies to responses.
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

    /// The kind of the action.
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

    /// The effect on the bytes of an exchange or a tunnel as they pass; `nil` if the action has none.
    package var byteEffect: String? {
        if case .throttle(let throttling) = self { "throttled: \(throttling.summary)" } else { nil }
    }

    /// Returns the time for which the action holds a request back before its bytes pass.
    ///
    /// - Parameter seed: A value that differs from request to request.
    /// - Returns: The time.
    package func delayOfBytes(seed: UInt64) -> Duration {
        if case .throttle(let throttling) = self { throttling.delay(seed: seed) } else { .zero }
    }

    /// Replaces every path of a file or folder by the result of `resolve`.
    mutating func changePaths(_ resolve: (String) -> String) {
        switch self {
        case .mock(var answer):
            guard case .file(let path) = answer.content else { return }
            answer.content = .file(resolve(path))
            self = .mock(answer)
        case .mapLocal(var map):
            map.root = resolve(map.root)
            self = .mapLocal(map)
        case .replay(var replay):
            replay.file = resolve(replay.file)
            self = .replay(replay)
        case .rewriteRequest(var edit):
            guard case .file(let path) = edit.body.content else { return }
            edit.body.content = .file(resolve(path))
            self = .rewriteRequest(edit)
        case .rewriteResponse(var edit):
            guard case .file(let path) = edit.body.content else { return }
            edit.body.content = .file(resolve(path))
            self = .rewriteResponse(edit)
        case .block, .mapRemote, .redirect, .noCaching, .setAuthentication, .removeAuthentication, .delay,
            .throttle, .dropMessage, .rewriteMessage, .injectMessage, .breakpoint, .askProgram:
            break
        }
    }
}
