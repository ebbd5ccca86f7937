/// The kinds of rules, with the words of the configuration; ``summary`` explains each.
package enum RuleKind: String, Sendable, CaseIterable {
    case block
    case mock
    case mapLocal
    case replay
    case mapRemote
    case redirect
    case rewriteRequest
    case rewriteResponse
    case noCaching
    case setAuthentication
    case removeAuthentication
    case delay
    case throttle
    case dropMessage
    case rewriteMessage
    case injectMessage
    case breakpoint
    case askProgram

    /// Whether the proxy answers in the server's place, so that no later rule is evaluated.
    package var answers: Bool {
        switch self {
        case .block, .mock, .mapLocal, .replay, .redirect: true
        case .mapRemote, .rewriteRequest, .rewriteResponse, .noCaching, .setAuthentication,
            .removeAuthentication, .delay, .throttle, .dropMessage, .rewriteMessage, .injectMessage,
            .breakpoint, .askProgram:
            false
        }
    }

    /// Whether the kind only decides about the Authorization of requests.
    var setsCredentials: Bool { self == .setAuthentication || self == .removeAuthentication }

    /// Whether the kind acts on the messages of an open WebSocket.
    package var changesMessages: Bool {
        self == .dropMessage || self == .rewriteMessage || self == .injectMessage
    }

    /// The effect of a rule of this kind, in a few words.
    package var summary: String {
        switch self {
        case .block: "answers with a status and without content, or ends the connection without a response"
        case .mock: "answers with this status, these headers and this content"
        case .mapLocal: "answers with a local file, or with the files of a folder"
        case .replay: "answers with a response that was recorded in a capture"
        case .mapRemote: "sends the request to another server"
        case .redirect: "redirects the client"
        case .rewriteRequest: "changes method, URL, query, headers and body of the request"
        case .rewriteResponse: "changes status, headers and body of the response"
        case .noCaching: "prevents caching by the client and by the server"
        case .setAuthentication: "sends these credentials in Authorization"
        case .removeAuthentication: "removes Authorization"
        case .delay: "waits before the proxy does anything else with the request"
        case .throttle: "slows the exchange down, as a worse connection would"
        case .dropMessage: "does not send messages of a WebSocket on"
        case .rewriteMessage: "changes messages of a WebSocket"
        case .injectMessage: "sends messages on a WebSocket"
        case .breakpoint: "holds messages until you continue, edit, answer or drop them"
        case .askProgram: "lets a program of yours decide what happens to a message"
        }
    }

    /// Further facts about rules of this kind, in sentences; `nil` if there are none.
    package var details: String? {
        switch self {
        case .block: "In HTTP/2 it ends only the stream, with CANCEL or INTERNAL_ERROR."
        case .mapLocal:
            "The rest of the path after `from` names a file in the folder; for a folder, it is `index.html`."
        case .replay: "docs/EXCHANGE.md#recorded-responses"
        case .noCaching:
            "It removes If-None-Match, If-Modified-Since and If-Range from the request and asks for a fresh response. "
                + "It removes ETag, Last-Modified and Expires from the response and forbids caching it."
        case .delay:
            "Several delays add up. If the client closes the connection meanwhile, even only its sending half, the "
                + "proxy does not send the request."
        case .throttle: "It also acts on tunnels that are not decrypted (docs/RULES.md#throttling)."
        case .dropMessage: "docs/RULES.md#messages-of-websockets"
        case .rewriteMessage: "It replaces the matches of `find`, or the whole message."
        case .injectMessage:
            "It sends when the WebSocket opens, or after each message that `after` selects."
        case .breakpoint: "docs/RULES.md#breakpoints"
        case .askProgram: "docs/PROGRAMS.md"
        case .mock, .mapRemote, .redirect, .rewriteRequest, .rewriteResponse, .setAuthentication,
            .removeAuthentication:
            nil
        }
    }

    /// The effects that rules of this kind can have, and on whom.
    package var effects: Set<RuleEffect> {
        switch self {
        case .block: [.answersForServers]
        case .mock, .mapLocal, .replay: [.answersForServers, .readsFiles]
        case .mapRemote: [.divertsRequests]
        case .redirect: [.divertsClients]
        case .rewriteRequest: [.changesForServers, .divertsRequests, .readsFiles]
        case .rewriteResponse: [.changesForClients, .readsFiles]
        case .noCaching, .dropMessage, .rewriteMessage, .injectMessage:
            [.changesForClients, .changesForServers]
        case .setAuthentication, .removeAuthentication: [.changesForServers]
        case .askProgram: [.asksPrograms, .answersForServers, .changesForClients, .changesForServers]
        case .delay, .throttle, .breakpoint: [.takesTime]
        }
    }
}
