/// The kinds of rules, by the words of the configuration.
package enum RuleKind: String, Sendable, CaseIterable {
    /// Answers with a status and no content, or not at all.
    case block
    /// Answers with a fixed response.
    case mock
    /// Answers with files.
    case mapLocal
    /// Answers from a capture.
    case replay
    /// Asks another server.
    case mapRemote
    /// Sends the client elsewhere.
    case redirect
    /// Changes the request.
    case rewriteRequest
    /// Changes the response.
    case rewriteResponse
    /// Lets neither side use a cache.
    case noCaching
    /// Sends credentials.
    case setAuthentication
    /// Sends no credentials.
    case removeAuthentication
    /// Waits before the request is sent on.
    case delay
    /// Lets bytes pass slowly.
    case throttle
    /// Passes messages of WebSockets on to nobody.
    case dropMessage
    /// Changes messages of WebSockets.
    case rewriteMessage
    /// Sends messages of its own in WebSockets.
    case injectMessage
    /// Holds messages for somebody to decide about them.
    case breakpoint
    /// Asks a program what becomes of messages.
    case askProgram

    /// Whether the proxy answers in the server's place, so that no later rule is asked.
    package var answers: Bool {
        switch self {
        case .block, .mock, .mapLocal, .replay, .redirect: true
        case .mapRemote, .rewriteRequest, .rewriteResponse, .noCaching, .setAuthentication,
            .removeAuthentication, .delay, .throttle, .dropMessage, .rewriteMessage, .injectMessage,
            .breakpoint, .askProgram:
            false
        }
    }

    /// Whether it decides about the Authorization of requests, and nothing else.
    var setsCredentials: Bool { self == .setAuthentication || self == .removeAuthentication }

    /// Whether it acts on the messages of a WebSocket, once that is open.
    package var changesMessages: Bool {
        self == .dropMessage || self == .rewriteMessage || self == .injectMessage
    }

    /// What it does, in a few words; in parentheses what counts where a rule does not say it.
    package var summary: String {
        switch self {
        case .block: "answers with a status (\(RuleAction.Block.usualStatus)), closes or resets"
        case .mock: "answers with a fixed response"
        case .mapLocal: "answers with a file or with files of a folder"
        case .replay: "answers with what a capture has recorded"
        case .mapRemote: "asks another server"
        case .redirect: "sends the client elsewhere"
        case .rewriteRequest: "changes method, URL, query, fields and body of the request"
        case .rewriteResponse: "changes status, fields and body of the response"
        case .noCaching: "lets neither side use a cache"
        case .setAuthentication: "sends Basic or Bearer credentials"
        case .removeAuthentication: "sends no credentials"
        case .delay: "waits before the request is sent on"
        case .throttle: "limits bandwidth, adds latency, jitter and loss; tunnels that are not decrypted too"
        case .dropMessage: "passes messages of a WebSocket on to nobody"
        case .rewriteMessage: "changes messages of a WebSocket"
        case .injectMessage: "sends messages of its own in a WebSocket"
        case .breakpoint:
            "holds messages (the \(Breakpoint().stage.rawValue), \(Breakpoint().patience.components.seconds) s) until "
                + "you continue, edit, answer or drop them"
        case .askProgram: "asks a program of yours what becomes of messages"
        }
    }
}
