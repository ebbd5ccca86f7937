import PinholeModel
package import PinholeRuntime

/// The actions on messages and exchanges of a proxy.
package protocol MessageControl: Sendable {
    /// Sends a message in an open WebSocket.
    func send(_ message: OwnMessage) async throws(Problem) -> OwnMessage.Outcome

    /// Ends the exchange or flow with a number, and returns whether it was running.
    func abort(_ id: Int64) async throws(Problem) -> Bool

    /// Returns the messages that are held at breakpoints, without their content.
    func heldMessages() async throws(Problem) -> [HeldListing]

    /// Returns a held message with its content; `nil` if it is no longer held.
    func heldMessage(_ id: Int64) async throws(Problem) -> HeldListing?

    /// Decides about a held message, and returns whether it was still held.
    func decide(_ id: Int64, _ verdict: MessageDecision) async throws(Problem) -> Bool
}

extension SessionControl {
    func send(_ message: OwnMessage) async -> OwnMessage.Outcome { await proxy.server.send(message) }

    func abort(_ id: Int64) async -> Bool { await proxy.server.abort(id) }
}

extension LocalProxyControl {
    /// The messages that are held now, without their content.
    package var held: [HeldListing] {
        let now = LoopClock().now()
        return breakpoints.held.map { HeldListing($0, isWhole: false, now: now) }
    }

    /// Returns the held messages; from now on, messages are held, because somebody can decide about them.
    package func heldMessages() -> [HeldListing] {
        breakpoints.attend()
        return held
    }

    /// Returns a held message with its content; `nil` if it is no longer held.
    package func heldMessage(_ id: Int64) -> HeldListing? {
        breakpoints[id].map { HeldListing($0, isWhole: true, now: LoopClock().now()) }
    }

    /// Decides about a held message, and returns whether it was still held.
    package func decide(_ id: Int64, _ verdict: MessageDecision) throws(Problem) -> Bool {
        do throws(DecisionFailure) {
            return try breakpoints.decide(id, verdict)
        } catch {
            throw Problem(400, "bad value", "\(error)")
        }
    }
}

extension RemoteControl {
    func heldMessages() async throws(Problem) -> [HeldListing] {
        try await api.answer("GET", "/api/breakpoints", as: HeldListing.List.self).held
    }

    func heldMessage(_ id: Int64) async throws(Problem) -> HeldListing? {
        try await api.unlessMissing { () throws(Problem) in
            try await api.answer("GET", "/api/breakpoints/\(id)")
        }
    }

    func decide(_ id: Int64, _ verdict: MessageDecision) async throws(Problem) -> Bool {
        let way =
            switch verdict.way {
            case .proceed: "continue"
            case .respond: "respond"
            case .drop: "drop"
            }
        return try await api.isDone("POST", "/api/breakpoints/\(id)/\(way)", DecisionOrder(verdict))
    }

    func send(_ message: OwnMessage) async throws(Problem) -> OwnMessage.Outcome {
        var body = MessageOrder(to: message.receiver.rawValue)
        if message.kind == .text {
            body.text = String(decoding: message.payload, as: UTF8.self)
        } else {
            body.base64 = Base64.encode(message.payload)
        }
        do throws(Problem) {
            try await api.ask("POST", "/api/traffic/\(message.exchange.rawValue)/messages", body)
            return .taken
        } catch {
            switch error.title {
            case "not open": return .notOpen
            case "not sent": return .refused(error.detail)
            default: throw error
            }
        }
    }

    func abort(_ id: Int64) async throws(Problem) -> Bool {
        try await api.isDone("POST", "/api/traffic/\(id)/abort")
    }
}
